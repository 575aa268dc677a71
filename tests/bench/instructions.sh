#!/bin/sh
# SPDX-License-Identifier: MIT
# Instructions per call or node of graph-bench's rows, counted by valgrind's callgrind: the repeatable
# figure beside the times. Rows of the device's own work have none.
#
# Usage: tests/bench/instructions.sh BUILD-DIRECTORY [--nodes N]... [--shape NAME]... [BENCHMARK...]
# Without --nodes: 1, 16384; without --shape: chain.
set -eu
build=$1
shift
nodes=
shapes=
while [ $# -gt 0 ]; do
	case $1 in
	--nodes) nodes="$nodes $2"; shift 2 ;;
	--shape) shapes="$shapes $2"; shift 2 ;;
	*) break ;;
	esac
done
command -v valgrind >/dev/null || { echo "instructions.sh: error: no valgrind" >&2; exit 3; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export MUSA_BACKEND=mock MUSA_MOCK_THREADS=1 MUSA_MOCK_MEMORY=1G

printf '%-22s %-11s %8s %12s\n' benchmark shape nodes instructions
for shape in ${shapes:-chain}; do
	for n in ${nodes:-1 16384}; do
		rm -f "$dir"/out*
		valgrind -q --tool=callgrind --callgrind-out-file="$dir/out" --collect-atstart=no \
			"$build/tests/bench/graph-bench" --repeat 3 --shape "$shape" --nodes "$n" "$@" \
			>/dev/null 2>"$dir/log" || { cat "$dir/log" >&2; exit 1; }
		# One part a row: "desc: Trigger: Client Request: row NAME SHAPE NODES UNITS UNIT".
		for part in $(ls "$dir" | grep '^out\.' | sort -t. -k2 -n); do
			awk '/^desc: Trigger: Client Request: row / { name = $6; shape = $7; n = $8; units = $9; unit = $10 }
				/^(totals|summary):/ { total = $2 }
				END { if (name && units > 0)
					printf "%-22s %-11s %8d %12.1f per %s\n", name, shape, n, total / units, unit }' \
				"$dir/$part"
		done
	done
done
