#!/bin/sh
# SPDX-License-Identifier: MIT
# Same shapes, same machine, one table: this project beside oneTBB's flow graph, Taskflow, PoCL's command
# buffers and lavapipe's recorded command buffers, as far as they were there when it was built.
#
# Usage: tests/bench/peers/compare.sh BUILD-DIRECTORY [NODES...]     (default: 1024 16384)
set -eu
build=$1
shift
[ $# -gt 0 ] || set -- 1024 16384
dir=$build/tests/bench/peers
export MUSA_BACKEND=mock MUSA_MOCK_THREADS=2 MUSA_MOCK_MEMORY=1G
export POCL_MAX_PTHREAD_COUNT=2 XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}"

# row PROGRAM SHAPE NODES REPEATS [VARIABLE=VALUE]: one line, or why there is none.
row()
{
	[ -x "$dir/$1" ] || return 0
	line=$(env ${5:+"$5"} timeout 60 "$dir/$1" "$2" "$3" "$4" 2>/dev/null) || {
		printf '%-14s %-11s %7s %s\n' "$1" "$2" "$3" "failed, or took more than a minute"
		return 0
	}
	# shellcheck disable=SC2086 # a list of words
	printf '%-14s %-11s %7s %10s %10s %10s %12s\n' $line
}

printf '%-14s %-11s %7s %10s %10s %10s %12s\n' what shape nodes build/node replay/node smallest \
	submit/call
for shape in chain fork-join all-to-all random copies; do
	for nodes in "$@"; do
		[ $shape = all-to-all ] && [ "$nodes" -gt 1024 ] && continue
		row peer-calls $shape "$nodes" 31
		row peer-mtgraph $shape "$nodes" 31
		row peer-tbb $shape "$nodes" 31
		row peer-taskflow $shape "$nodes" 31
		row peer-opencl $shape "$nodes" 5 POCL_DEVICES=basic
		row peer-opencl $shape "$nodes" 3 POCL_DEVICES=pthread
		row peer-vulkan $shape "$nodes" 15 LP_NUM_THREADS=0
	done
done
