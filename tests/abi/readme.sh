#!/bin/sh
# SPDX-License-Identifier: MIT
# The README's table of the runtime API names every declared function once.
#
# Usage: readme.sh README SYMBOL-LIST
set -eu
readme=$1
list=$2
named=$(mktemp)
declared=$(mktemp)
trap 'rm -f "$named" "$declared"' EXIT

sed -n '/^## The runtime API/,/^## /p' "$readme" | grep '^| ' | grep -o '`[A-Z][A-Za-z0-9_]*`' |
	tr -d '`' | sort >"$named"
grep '^musa' "$list" | sed 's/^musa//' | sort >"$declared"
if ! diff "$declared" "$named"; then
	echo "readme.sh: error: '<' is declared and not in the README, '>' is too much there" >&2
	exit 1
fi
