#!/bin/sh
# SPDX-License-Identifier: MIT
# Each view of the sample graph, as text and as JSON, is what golden/ has: golden.sh MTGRAPH-DUMP SAMPLE
# GOLDEN-DIR. With UPDATE=1 it writes golden/ instead; look at the difference then.
set -eu
dump=$(realpath "$1")
sample=$(realpath "$2")
golden=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$sample" "$work/sample.mtgraph"
"$sample" "$work/other.mtgraph" other_kernel
cd "$work"

failed=0
check() {
	name=$1
	shift
	status=0
	"$dump" "$@" >"$name" || status=$?
	# 1 says that something was found.
	[ "$status" -le 1 ] || { echo "$* fails"; failed=1; }
	if [ -n "${UPDATE:-}" ]; then
		cp "$name" "$golden/$name"
	elif ! diff -u "$golden/$name" "$name"; then
		echo "'$*' is not what golden/$name has"
		failed=1
	fi
}
check show.txt show sample.mtgraph
for view in nodes chain sites queues memory; do
	check "show-$view.txt" show "--$view" sample.mtgraph
done
check diff.txt diff --no-update sample.mtgraph other.mtgraph
check diff.json diff --no-update --json sample.mtgraph other.mtgraph
check check.txt check sample.mtgraph
check check.json check --json sample.mtgraph
check timeline.txt timeline sample.mtgraph
check timeline.json timeline --json sample.mtgraph
check timeline-chrome.json timeline --chrome /dev/stdout sample.mtgraph
check show.json show --json sample.mtgraph
check show-chain.json show --chain --json sample.mtgraph
exit $failed
