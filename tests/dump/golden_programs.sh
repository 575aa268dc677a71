#!/bin/sh
# SPDX-License-Identifier: MIT
# What trace and check print of a program is what golden/ has: golden_programs.sh MTGRAPH-DUMP PROGRAM
# GOLDEN-DIR. What no two runs share (times, addresses, handles, process ids, how far into a function)
# is masked, and so are places in the C library, which may or may not have debug information.
# With UPDATE=1 it writes golden/ instead; look at the difference then.
set -eu
dump=$(realpath "$1")
program=$(realpath "$2")
golden=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$program" "$work/session"
cd "$work"

mask() {
	sed -E \
		-e 's/[0-9.]+ (ns|us|ms)\b/TIME/g' \
		-e 's/"(p|tid|t|ns|capture_ns)": [0-9]+/"\1": NUMBER/' \
		-e 's/\+0x[0-9a-f]+/+OFFSET/g' \
		-e 's/0x[0-9a-f]+/ADDRESS/g' \
		-e 's/"address": "[^"]*\/session\+/"address": "session+/' \
		-e '/"address": "\//,/"place"/s/: "[^"]*"/: "LIBRARY"/' \
		-e 's/session-[0-9]+-/session-PID-/'
}

failed=0
check() {
	name=$1
	want=$2
	shift 2
	status=0
	"$dump" "$@" >"$name.raw" || status=$?
	[ "$status" = "$want" ] || { echo "'$*' ends with $status"; failed=1; }
	mask <"$name.raw" >"$name"
	if [ -n "${UPDATE:-}" ]; then
		cp "$name" "$golden/$name"
	elif ! diff -u "$golden/$name" "$name"; then
		echo "'$*' is not what golden/$name has"
		failed=1
	fi
}
check session-trace.txt 0 trace -- ./session
check session-trace-no-times.txt 0 trace --no-times -- ./session
check session-trace.json 0 trace --json -- ./session
check session-check.txt 1 check -- ./session
check session-check.json 1 check --json -- ./session

# Only durations were masked above: without them nothing but addresses differs between runs.
"$dump" trace --no-times -- ./session >again
cmp again session-trace-no-times.txt.raw || failed=1
exit $failed
