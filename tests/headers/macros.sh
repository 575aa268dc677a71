#!/bin/sh
# SPDX-License-Identifier: MIT
# The headers define no macro outside their own name space: macros.sh INCLUDE-DIR COMPILER
# STANDARD LANGUAGE. Exit 77: no compiler.
set -eu
inc=$1
compiler=$2
std=$3
lang=$4

command -v "$compiler" >/dev/null 2>&1 || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names() {
	"$compiler" -x "$lang" "-std=$std" -I"$inc" -dM -E - | awk '{ print $2 }' |
		sed 's/(.*//' | LC_ALL=C sort -u
}
# What the headers may bring along.
system='#include <stddef.h>
#include <stdint.h>'
[ "$lang" = c ] || system="$system
#include <math.h>
#include <stdlib.h>
#include <string.h>"
echo "$system" | names >"$work/before"
printf '#include "musa.h"\n#include "musa_runtime.h"\n' | names >"$work/after"

# Qualifiers of device code and header guards have the names that programs expect.
own='^(musa|MUSA|mu[A-Z]|MU_|MUSART|__MUSA|__MUSART|__musa)'
given='^__(host|device|global|shared|constant|managed|grid_constant|launch_bounds|forceinline|align)'
given="${given}__$"
guards='^__(DRIVER_TYPES|VECTOR_TYPES|VECTOR_FUNCTIONS|DEVICE_LAUNCH_PARAMETERS)_H__$'
leaked=$(LC_ALL=C comm -13 "$work/before" "$work/after" | grep -Ev "$own|$given|$guards" || true)
if [ -n "$leaked" ]; then
	echo "macros that leak:"
	echo "$leaked"
	exit 1
fi

# Names by which programs find out what they compile against.
for want in MUSART_VERSION __MUSART_API_VERSION MUSA_VERSION MUSA_COMP_VERSION MUSART_CB \
	__DRIVER_TYPES_H__ __MUSA_RUNTIME_H__ __musa_musa_h__; do
	grep -qx "$want" "$work/after" || {
		echo "not defined: $want"
		exit 1
	}
done
