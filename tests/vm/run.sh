#!/bin/bash
# SPDX-License-Identifier: MIT
# Boots Debian's kernel with the simulated card in a VM and runs the tests there.
#
# usage: run.sh SOURCE_ROOT BUILD_ROOT [NAME...]
#
# The last line is `N passed, N failed`. Exit status: 0 all passed, 1 not, 77 the packages cannot be
# had. Everything it makes lies in BUILD_ROOT/tests/vm/work; the consoles stay there as
# console.log (kernel and tests) and results.log.
set -euo pipefail
# Where ordinary users do not look: modprobe and ldconfig.
PATH=$PATH:/usr/sbin:/sbin

source_root=$(realpath "$1")
build_root=$(realpath "$2")
shift 2
here=$source_root/tests/vm
work=$build_root/tests/vm/work
packages="qemu-system-x86 linux-image-amd64 linux-headers-amd64 busybox-static cpio kmod make gcc"
boot_seconds=${VM_SECONDS:-840}

# The newest kernel whose image and headers are both here.
find_kernel() {
	local version
	for version in $(ls /lib/modules 2> /dev/null | sort -rV); do
		if [ -r "/boot/vmlinuz-$version" ] && [ -e "/lib/modules/$version/build/Makefile" ]; then
			echo "$version"
			return
		fi
	done
}

have_tools() {
	command -v qemu-system-x86_64 > /dev/null && command -v busybox > /dev/null &&
		command -v cpio > /dev/null && command -v modprobe > /dev/null && [ -n "$(find_kernel)" ]
}

install_packages() {
	[ "$(id -u)" = 0 ] && command -v apt-get > /dev/null || return 1
	echo "installing: $packages"
	DEBIAN_FRONTEND=noninteractive apt-get update -q > "$work/apt.log" 2>&1 &&
		DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages \
			>> "$work/apt.log" 2>&1
}

build_module() {
	mkdir -p "$work/module"
	cp -u "$source_root"/subprojects/mtgpu-sim/module/* "$work/module/"
	if ! make -j "$(nproc)" -C "/lib/modules/$kernel/build" M="$work/module" MTGRAPH_ROOT="$source_root" \
		W=1 KCFLAGS=-Werror modules > "$work/module.log" 2>&1; then
		cat "$work/module.log"
		echo "the module does not build"
		exit 1
	fi
}

# Criterion links libgit2 to show differences between texts, and with it a dozen libraries that every
# test would load anew, which is most of its time in the VM. Something empty does as well.
stub_library() {
	local criterion name
	criterion=$(ldd "$1" | awk '/libcriterion/{print $3}')
	[ -n "$criterion" ] && [ ! -e "$work/stubs/done" ] || return 0
	name=$(ldd "$criterion" | awk '/libgit2/{print $1}')
	mkdir -p "$work/stubs"
	[ -z "$name" ] || nm -D --undefined-only "$criterion" |
		awk '$2 ~ /^git_/{print "long " $2 "(void); long " $2 "(void) { return 0; }"}' |
		gcc -shared -fPIC -x c - -Wl,-soname,"$name" -o "$work/stubs/$name"
	touch "$work/stubs/done"
}

copy_programs() {
	local files programs libraries
	mapfile -t files < "$work/files"
	mapfile -t programs < <(grep -v '\.sh$' "$work/files")
	cp -L "${files[@]}" "$root/tests/"
	ln -sf /tests/mtgpu-gpu "$root/bin/mtgpu-gpu"
	stub_library "$(grep -m 1 '/test-' "$work/files" || echo "${programs[0]}")"
	# Some files are no programs. The same library is found by several paths.
	mapfile -t libraries < <(LD_LIBRARY_PATH=$work/stubs ldd "${programs[@]}" 2> /dev/null |
		awk '/=> \//{print $3}' | xargs realpath -s | sort -u)
	cp -L "${libraries[@]}" "$root/lib/"
	cp -L /lib64/ld-linux-x86-64.so.2 "$root/lib64/"
	# What is no program is left as it is.
	strip -g "$root"/tests/* "$root"/lib/*.so* "$root"/lib64/* 2> /dev/null || true
}

copy_modules() {
	local module
	modprobe -S "$kernel" --show-depends drm | awk '/^insmod/{print $2}' > "$work/modules"
	: > "$root/lib/modules/order"
	while read -r module; do
		cp "$module" "$root/lib/modules/"
		basename "$module" >> "$root/lib/modules/order"
	done < "$work/modules"
	cp "$work/module/mtgpu.ko" "$root/lib/modules/"
	strip -g "$root/lib/modules/mtgpu.ko"
}

build_initramfs() {
	root=$work/root
	rm -rf "$root"
	mkdir -p "$root"/{bin,dev,proc,sys,tmp,etc,tests,lib/modules,lib64}
	cp "$(command -v busybox)" "$root/bin/busybox"
	cp "$here/init" "$root/init"
	cp "$work/plan" "$root/plan"
	printf 'root:x:0:0::/:/bin/sh\ntester:x:1000:1000::/tmp:/bin/sh\nstranger:x:1001:1001::/tmp:/bin/sh\n' \
		> "$root/etc/passwd"
	printf 'root:x:0:\nrender:x:104:tester\ntester:x:1000:\nstranger:x:1001:\n' > "$root/etc/group"
	copy_modules
	copy_programs
	(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) | gzip -1 > "$work/initramfs.gz"
}

# Always tcg: KVM may be there and not work. On a busy host the kernel would find its timer broken if
# it looked. The allocator checks what the module frees and overruns.
boot() {
	timeout -s KILL "$boot_seconds" qemu-system-x86_64 \
		-M q35 -accel tcg,thread=multi -cpu max,la57=off -m 3G -smp 2 -nographic -nodefaults -no-reboot \
		-kernel "/boot/vmlinuz-$kernel" -initrd "$work/initramfs.gz" \
		-append "console=ttyS0 no_timer_check panic=-1 oops=panic loglevel=4 mitigations=off slub_debug=FZP,kmalloc-*" \
		-serial "file:$work/console.log" -serial "file:$work/results.log" < /dev/null ||
		echo "not-ok vm/qemu: exit status $?" >> "$work/results.log"
	grep -q '^done' "$work/results.log" ||
		echo "not-ok vm/end: the VM stopped before the plan was done" >> "$work/results.log"
}

summary() {
	local passed failed skipped needing
	tr -d '\r' < "$work/results.log" > "$work/results"
	grep -E '^(not-ok|skip) ' "$work/results" || true
	passed=$(grep -c '^ok ' "$work/results" || true)
	failed=$(grep -c '^not-ok ' "$work/results" || true)
	skipped=$(grep -c '^skip ' "$work/results" || true)
	needing=$(grep -c '^needs-kernels ' "$work/results" || true)
	[ "$needing" = 0 ] || echo "$needing tests need kernels, which a card of this phase has not"
	[ "$failed" = 0 ] || echo "details: $work/console.log"
	[ "$skipped" = 0 ] || echo "$skipped skipped"
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ] && [ "$passed" != 0 ]
}

main() {
	mkdir -p "$work"
	if ! have_tools && ! { install_packages && have_tools; }; then
		echo "SKIPPED: the VM tests need the packages: $packages"
		exit 77
	fi
	kernel=$(find_kernel)
	build_module
	python3 "$here/plan.py" "$build_root" "$work/plan" "$work/files" "$@"
	build_initramfs
	: > "$work/results.log"
	boot
	summary
}

main "$@"
