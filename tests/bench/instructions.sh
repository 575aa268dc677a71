#!/bin/sh
# SPDX-License-Identifier: MIT
# Instructions per API call by valgrind's callgrind: the repeatable figure beside graph-bench's times.
#
# Usage: tests/bench/instructions.sh BUILD-DIRECTORY [NODES...]
set -eu
build=$1
shift
[ $# -gt 0 ] || set -- 1 1024 16384
command -v valgrind >/dev/null || { echo "instructions.sh: error: no valgrind" >&2; exit 3; }
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# count BENCHMARK FUNCTION NODES: instructions inside one function, and its calls.
count()
{
	MUSA_BACKEND=mock MUSA_MOCK_THREADS=1 MUSA_MOCK_MEMORY=1G \
		valgrind -q --tool=callgrind --callgrind-out-file="$out" --collect-atstart=no \
		--toggle-collect="$2" "$build/tests/bench/graph-bench" --repeat 3 --nodes "$3" \
		--shape chain "$1" >/dev/null 2>&1
	total=$(sed -n 's/^\(summary\|totals\): //p' "$out" | tail -n 1)
	echo "$1 nodes=$3 instructions=$total"
}

for nodes in "$@"; do
	count launch musaGraphLaunch "$nodes"
	count set-params musaGraphExecKernelNodeSetParams "$nodes"
	count instantiate musaGraphInstantiate "$nodes"
	count update-unchanged musaGraphExecUpdate "$nodes"
done
