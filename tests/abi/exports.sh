#!/bin/sh
# SPDX-License-Identifier: MIT
# Every declared function is exported by the library: exports.sh LIBRARY SYMBOL-LIST
set -eu
lib=$1
list=$2

have=$(mktemp)
trap 'rm -f "$have"' EXIT
nm -D --defined-only "$lib" | awk '{ sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort -u >"$have"
missing=$(LC_ALL=C sort -u "$list" | LC_ALL=C comm -23 - "$have")
if [ -n "$missing" ]; then
	echo "declared in the headers, not exported by $lib:"
	echo "$missing"
	exit 1
fi
