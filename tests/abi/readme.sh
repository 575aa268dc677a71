#!/bin/sh
# SPDX-License-Identifier: MIT
# The README's table of the runtime API names every declared function once, and that of the driver API
# those that say they are not supported.
#
# Usage: readme.sh README RUNTIME-SYMBOL-LIST UNSUPPORTED-DRIVER-CALLS.c
set -eu
readme=$1
list=$2
refused=$3
named=$(mktemp)
declared=$(mktemp)
trap 'rm -f "$named" "$declared"' EXIT

# The names in the tables of a section.
names_in()
{
	sed -n "/^## $1\$/,/^## /p" "$readme" | grep '^| ' | grep -o '`[A-Z][A-Za-z0-9_]*`' |
		tr -d '`' | sort
}

names_in 'The runtime API' >"$named"
grep '^musa' "$list" | sed 's/^musa//' | sort >"$declared"
if ! diff "$declared" "$named"; then
	echo "readme.sh: error: '<' is declared and not in the README, '>' is too much there" >&2
	exit 1
fi

names_in 'The driver API' >"$named"
sed -n 's/^UNSUPPORTED(mu\(.*\))$/\1/p' "$refused" | sort >"$declared"
if ! diff "$declared" "$named"; then
	echo "readme.sh: error: '<' is refused and not in the README, '>' is too much there" >&2
	exit 1
fi
