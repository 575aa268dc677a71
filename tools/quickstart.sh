#!/bin/sh
# SPDX-License-Identifier: MIT
# From a fresh clone to a running graph: installs what is missing, configures and builds build/ with
# everything whose dependencies are there, and runs the vector addition of tools/examples/.
set -eu
cd "$(dirname "$0")/.."
sh tools/install-deps.sh

if [ ! -f build/build.ninja ]; then
	meson setup build -Dbuildtype=release -Dbenchmarks=true
fi
ninja -C build

echo
echo "== tools/examples/vector_add.mu, compiled by mtcc, run on the mock GPU"
MUSA_BACKEND=mock build/tools/examples/vector_add --show
