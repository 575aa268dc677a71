#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs every test: release, the same programs on a simulated card in a virtual machine,
# AddressSanitizer with UBSan, ThreadSanitizer.
# Ends with a line 'N passed, N failed'; exits non-zero if anything failed.
#
# Usage: tools/check.sh [release] [vm] [asan] [tsan]    (default: all, in this order; vm needs release's build)
set -eu
cd "$(dirname "$0")/.."
sh tools/install-deps.sh

passed=0
failed=0
skipped=0

# The number behind a word of meson's summary.
count()
{
	sed -n "s/^$1: *\([0-9][0-9]*\).*/\1/p" "$2" | tail -n 1
}

# run NAME MESON-OPTIONS...: one build directory, its tests, the sums.
run()
{
	name=$1
	shift
	dir=build-check-$name
	log=$dir/check.log
	echo "== $name"
	mkdir -p "$dir"
	if [ -f "$dir/build.ninja" ]; then
		set -- --reconfigure "$@"
	fi
	if ! meson setup "$dir" "$@" >"$log" 2>&1 || ! ninja -C "$dir" >>"$log" 2>&1; then
		tail -n 40 "$log"
		failed=$((failed + 1))
		return
	fi
	# The suite vm counts its tests itself.
	meson test -C "$dir" --no-rebuild --print-errorlogs --no-suite vm >"$log" 2>&1 || true
	grep -E '(FAIL|TIMEOUT|ERROR|UNEXPECTEDPASS)' "$log" | head -n 60 || true
	grep -qE '^Ok:' "$log" || { tail -n 40 "$log"; failed=$((failed + 1)); return; }
	ok=$(count Ok "$log")
	bad=$(($(count Fail "$log") + $(count 'Unexpected Pass' "$log") + $(count Timeout "$log")))
	skip=$(count Skipped "$log")
	echo "$ok ok, $bad bad, $skip skipped"
	passed=$((passed + ok))
	failed=$((failed + bad))
	skipped=$((skipped + skip))
}

# The suite vm, on the release build; its last line is 'N passed, N failed', too.
run_vm()
{
	log=build-check-release/vm.log
	echo "== vm"
	code=0
	# More than it needs anywhere: a slow machine is no failure.
	VM_SECONDS=${VM_SECONDS:-1300} bash tests/vm/run.sh . build-check-release >"$log" 2>&1 || code=$?
	if [ "$code" = 77 ]; then
		echo "SKIPPED: nothing was tested on a real kernel. The reason:"
		tail -n 5 "$log"
		skipped=$((skipped + 1))
		return
	fi
	grep -v '^ok ' "$log" | tail -n 60
	ok=$(sed -n 's/^\([0-9]*\) passed, [0-9]* failed$/\1/p' "$log" | tail -n 1)
	bad=$(sed -n 's/^[0-9]* passed, \([0-9]*\) failed$/\1/p' "$log" | tail -n 1)
	# Without such a line it did not come to its end.
	[ "$code" = 0 ] || [ "${bad:-0}" -gt 0 ] || bad=1
	passed=$((passed + ${ok:-0}))
	failed=$((failed + ${bad:-0}))
}

[ $# -gt 0 ] || set -- release vm asan tsan
for kind in "$@"; do
	case $kind in
	release)
		run release -Dbuildtype=release
		;;
	vm)
		run_vm
		;;
	asan)
		run asan -Dbuildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false
		;;
	tsan)
		run tsan -Dbuildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false
		;;
	*)
		echo "check.sh: error: unknown build '$kind'" >&2
		exit 2
		;;
	esac
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
