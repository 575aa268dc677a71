#!/bin/sh
# SPDX-License-Identifier: MIT
# The compiler as its users call it: options, outputs, messages, exit status.
# Usage: driver.sh MTCC SOURCE_DIR C_COMPILER CXX_COMPILER
case $1 in
/*) mtcc=$1 ;;
*) mtcc=$PWD/$1 ;;
esac
source=$2
cc=$3
cxx=$4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
export TMPDIR="$work/tmp"
cd "$work" || exit 1
failed=0

fail()
{
	echo "FAILED: $*"
	[ -s log ] && sed 's/^/    /' log
	failed=1
}

# Expects success of a command.
good()
{
	"$@" >log 2>&1 || fail "$*"
}

# Expects failure with "error:" among the messages, and the text $1.
bad()
{
	wanted=$1
	shift
	if "$@" >log 2>&1; then
		fail "succeeded: $*"
	elif ! grep -q 'error:' log || ! grep -q -- "$wanted" log; then
		fail "no '$wanted' in the messages of: $*"
	fi
}

programs=$source/programs

# An executable starts as it is, from any directory, without a library path.
good "$mtcc" -std=c++17 -O2 "$programs/everything.mu" "$programs/other.mu" -o everything
(cd / && env -u LD_LIBRARY_PATH "$work/everything") >log 2>&1 || fail everything
[ "$(cat log)" = 'everything is right' ] || fail 'output of everything'
good "$mtcc" -O0 -g "$programs/everything.mu" "$programs/other.mu" -o everything0
good ./everything0

good "$mtcc" -std=c++17 -O2 -Wall -Wextra -Werror "$programs/idioms.mu" -o idioms
good ./idioms
good "$mtcc" -O3 -ffast-math "$programs/idioms.mu" -o idioms_fast
good ./idioms_fast

good "$mtcc" "$programs/managed.mu" -o managed
good ./managed

# Objects, linked by another compiler.
good "$mtcc" -O2 -c "$programs/everything.mu" -o everything.o
(cp "$programs"/*.mu "$programs"/*.h . && "$mtcc" -c other.mu) >log 2>&1 || fail 'default name'
[ -f other.o ] || fail 'no other.o'
libraries=$("$mtcc" -v everything.o other.o -o linked 2>&1 | tr ' ' '\n' |
	sed -n 's/^"-L\(.*\)"$/\1/p' | head -1)
good "$cxx" everything.o other.o -o by_other -L"$libraries" -Wl,-rpath,"$libraries" -lmusart
good ./by_other
good ./linked
readelf -SW everything.o | grep -q ' \.mt_fatbin ' || fail 'no section .mt_fatbin'
objcopy -O binary --only-section=.mt_fatbin --set-section-flags .mt_fatbin=alloc \
	everything.o fatbin
[ "$(head -c 24 fatbin)" = '__CLANG_OFFLOAD_BUNDLE__' ] || fail 'the section holds no bundle'
nm everything.o | grep -qi hip && fail 'names of another runtime in the object'

# Shared libraries.
good "$mtcc" -fPIC -shared "$programs/library.mu" -o library.so
good "$cc" "$programs/loads_library.c" -o loads_library -ldl
good ./loads_library ./library.so

# Stand-alone code objects: the same file under all names of the option, each time the same bytes.
good "$mtcc" --device-only -O2 "$programs/library.mu" -o a.mtfb
good "$mtcc" --cuda-device-only -O2 --offload-arch=mp_31 -mtgpu -Od3 -c "$programs/library.mu" -o b.mtfb
good "$mtcc" --device-only -Od3 "$programs/library.mu"
cmp a.mtfb library.mtfb >/dev/null 2>&1 || cmp b.mtfb library.mtfb || fail 'code objects differ'
good "$mtcc" --device-only -O2 "$programs/library.mu" -o again.mtfb
cmp a.mtfb again.mtfb || fail 'two runs differ'
good "$mtcc" --device-only -O2 -MD -MF deps.d "$programs/everything.mu" -o c.mtfb
grep -q 'shared\.h' deps.d && grep -q '^c\.mtfb:' deps.d || fail 'dependencies'

# Options of the vendor's compiler; what has no effect is named under -v.
cat >plain.txt <<'EOF'
__global__ void k(int *p) { *p = 1; }
int main() { int *p = (int *)malloc(4); free(p); return (int)sqrt(0.0); }
EOF
good "$mtcc" -x musa -mtgpu --offload-arch=mp_22 --cuda-gpu-arch=mp_31 -ffast-math \
	-fmusa-flush-denormals-to-zero -mllvm -mtgpu-load-store-opt=1 -Od3 -v plain.txt -o plain \
	-lmusart
grep -q 'offload-arch=mp_22.*no effect' log || fail 'ignored options are not named'
good ./plain

# Host files know nothing of device code; -x musa changes that.
cat >host.cpp <<'EOF'
#ifdef __MUSACC__
#error device compiler
#endif
#include <musa_runtime.h>
int main() { int n = 0; return musaGetDeviceCount(&n) != musaSuccess || n < 1; }
EOF
cat >host.c <<'EOF'
#include <musa_runtime.h>
int main(void) { int n = 0; return musaGetDeviceCount(&n) != musaSuccess || n < 1; }
EOF
good "$mtcc" host.cpp -o host_cpp
good ./host_cpp
good "$mtcc" -std=c11 host.c -o host_c
good ./host_c
bad 'device compiler' "$mtcc" -x musa -c host.cpp -o host.o
cat >macros.mu <<'EOF'
#if !defined(__MUSACC__) || !defined(__MUSA__) || !defined(__MUSA_RUNTIME_H__) || \
	!defined(__DRIVER_TYPES_H__) || defined(__HIP__) || defined(__CUDACC__)
#error macros
#endif
#ifdef __MUSA_ARCH__
static_assert(__MUSA_ARCH__ == 310, "arch");
#endif
__global__ void k() {}
EOF
good "$mtcc" -c macros.mu -o macros.o

# Errors point at the user's line, once, and leave no output.
cat >wrong.mu <<'EOF'
__global__ void k(int *p)
{
	*p = undeclared_name_of_the_user;
}
EOF
bad 'wrong.mu:3:7: error:' "$mtcc" -c wrong.mu -o wrong.o
[ "$(grep -c 'error:' log)" = 1 ] || fail 'an error is told twice'
[ -e wrong.o ] && fail 'output of a failed compilation'
cat >device_wrong.mu <<'EOF'
int host_only(int x) { return x; }
__global__ void k(int *p)
{
	*p = host_only(1);
}
EOF
bad 'device_wrong.mu:4:7: error:' "$mtcc" -c device_wrong.mu -o wrong.o
cat >undefined.mu <<'EOF'
__device__ int nowhere(int);
__global__ void k(int *p) { *p = nowhere(1); }
EOF
bad 'nowhere' "$mtcc" -c undefined.mu -o wrong.o
bad 'no_such_file' "$mtcc" -c no_such_file.mu -o wrong.o
bad 'no input files' "$mtcc" -O2
bad 'unknown-option' "$mtcc" --unknown-option -c macros.mu
bad 'rdc' "$mtcc" -fgpu-rdc -c macros.mu
cat >warns.mu <<'EOF'
__global__ void k(int *p) { int unused; *p = 1; }
EOF
good "$mtcc" -Wall -c warns.mu -o warns.o
[ "$(grep -c 'warning: unused' log)" = 1 ] || fail 'a warning is told twice'
bad 'unused' "$mtcc" -Wall -Werror -c warns.mu -o warns.o

# Other outputs.
good "$mtcc" -E macros.mu -o macros.i
grep -q 'void k()' macros.i || fail '-E'
good "$mtcc" -S macros.mu -o macros.s
grep -q '__musaRegisterFunction' macros.s || fail '-S'
good "$mtcc" --device-only -S "$programs/library.mu" -o library.s
grep -q '_Z4fillPii' library.s || fail '--device-only -S'
good "$mtcc" -fsyntax-only macros.mu
good "$mtcc" --help
good "$mtcc" --version
good "$mtcc" -c -MD other.mu -o dep.o
grep -q '^dep\.o:.*' dep.d && grep -q 'shared\.h' dep.d || fail '-MD'

# Arguments from a file, as build systems write them.
printf '%s\n' "-O1 -c 'macros.mu'" '"-o" from\ file.o' >arguments
good "$mtcc" @arguments
[ -f 'from file.o' ] || fail 'arguments from a file'
bad 'no_such_file' "$mtcc" @no_such_file

# Several at once.
pids=
for i in 1 2 3 4; do
	"$mtcc" -O1 "$programs/everything.mu" "$programs/other.mu" -o "many$i" >"log$i" 2>&1 &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid" || fail 'one of several'
done
for i in 1 2 3 4; do
	good "./many$i"
done

# A compilation that is interrupted leaves nothing.
"$mtcc" "$programs/everything.mu" -c -o killed.o >/dev/null 2>&1 &
sleep 0.2
kill -TERM $! 2>/dev/null
wait $! 2>/dev/null
left=$(ls "$TMPDIR")
[ -z "$left" ] || fail "left in TMPDIR: $left"

[ $failed = 0 ] && echo 'the driver does what it says'
exit $failed
