#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles alone, twice, and next to each other one in either order, without a
# word from the compiler: compile.sh INCLUDE-DIR COMPILER STANDARD LANGUAGE. Exit 77: no compiler.
set -u
inc=$1
compiler=$2
std=$3
lang=$4

command -v "$compiler" >/dev/null 2>&1 || exit 77

failed=0
check() {
	printf '%s\nint main(void)\n{\n\treturn 0;\n}\n' "$1" |
		"$compiler" -x "$lang" "-std=$std" -Wall -Wextra -Wpedantic -Werror -I"$inc" \
			-fsyntax-only - || {
		echo "failed: $compiler -std=$std: $1"
		failed=1
	}
}

# musa_device.h and what lies below it belong to the device compiler.
public=$(cd "$inc" && ls ./*.h | sed -e 's,^\./,,' |
	grep -x -e 'musa\.h' -e 'musa_runtime.*' -e 'musa_occupancy\.h' -e 'musa_profiler_api\.h' \
		-e 'musart_version\.h' -e '.*_types\.h' -e 'vector_functions\.h' \
		-e 'host_defines\.h' \
		-e 'device_launch_parameters\.h')
# The two halves of a bracket mean nothing alone; C++ faces are for C++.
sub=$(cd "$inc" && ls musa/*.h | grep -v -e api_begin -e api_end)
[ "$lang" = c++ ] || sub=$(echo "$sub" | grep -v cxx_)

for h in $public $sub; do
	check "#include \"$h\"
#include \"$h\""
done
main='musa.h musa_runtime.h musa_runtime_api.h driver_types.h musa_profiler_api.h'
for a in $main; do
	for b in $main; do
		[ "$a" = "$b" ] || check "#include \"$a\"
#include \"$b\""
	done
done
exit $failed
