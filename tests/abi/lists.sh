#!/bin/sh
# SPDX-License-Identifier: MIT
# The symbol lists name exactly the functions that the headers declare, and the facts know every
# one of them: lists.sh INCLUDE-DIR FACTS-DIR
set -eu
inc=$1
facts=$2
export LC_ALL=C

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prototypes begin a line with their result; what is static is no symbol.
declared() {
	sed -n "s/^\($1\|const char \*\|struct musaChannelFormatDesc\) *\($2[A-Z][A-Za-z0-9_]*\)(.*/\2/p" \
		"$inc"/*.h "$inc"/musa/*.h | sort -u
}
known() {
	sed -n 's/^FUNC_ROW([^,]*, \([A-Za-z0-9_]*\),.*/\1/p' "$facts/$1_functions.def" | sort -u
}

failed=0
compare() {
	if ! diff -u "$1" "$2"; then
		echo "$3"
		failed=1
	fi
}
for api in runtime driver; do
	if [ $api = runtime ]; then
		declared musaError_t musa >"$work/declared"
	else
		declared MUresult mu | grep -v '^musa' >"$work/declared"
	fi
	known $api >"$work/known"
	sort -u "$facts/${api}_symbols.txt" >"$work/listed"
	compare "$work/listed" "$work/declared" "$api: symbol list and headers differ"
	compare "$work/listed" "$work/known" "$api: symbol list and facts differ"
done
exit $failed
