#!/bin/sh
# SPDX-License-Identifier: MIT
# Is the model test strong enough? Applies each fault of faults/ to a scratch copy of the sources and
# expects the model test to fail within 1,000 sequences. Ends with 'N found, N missed'.
#
# Usage: tests/model/faults.sh [PATCH...]    (default: all)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

[ $# -gt 0 ] || set -- "$here"/faults/*.patch

git -C "$root" ls-files -z | (cd "$root" && xargs -0 tar cf -) | tar xf - -C "$scratch"
meson setup "$scratch/build" "$scratch" -Ddrm=disabled >/dev/null

# Passes if the model test passes, in order and under schedules that permute.
model_passes()
{
	for schedule in fifo random:1 random:2; do
		MUSA_BACKEND=mock MUSA_MOCK_MEMORY=1G MUSA_MOCK_THREADS=4 MUSA_MOCK_WATCHDOG_MS=2000 \
			MUSA_MOCK_SCHEDULE=$schedule MODEL_SEQUENCES=1000 \
			timeout 120 "$scratch/build/tests/model/test-model" >/dev/null 2>&1 || return 1
	done
}

ninja -C "$scratch/build" tests/model/test-model >/dev/null
model_passes || { echo "faults.sh: error: the model test fails without a fault" >&2; exit 1; }

found=0
missed=0
for patch in "$@"; do
	name=$(basename "$patch" .patch)
	if ! patch -s -p1 -d "$scratch" <"$patch"; then
		echo "does not apply: $name"
		missed=$((missed + 1))
		continue
	fi
	if ! ninja -C "$scratch/build" tests/model/test-model >"$scratch/log" 2>&1; then
		echo "does not build: $name"
		missed=$((missed + 1))
	elif model_passes; then
		echo "missed: $name"
		missed=$((missed + 1))
	else
		echo "found: $name"
		found=$((found + 1))
	fi
	patch -s -R -p1 -d "$scratch" <"$patch"
done
echo "$found found, $missed missed"
[ "$missed" = 0 ]
