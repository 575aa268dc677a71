#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that building and testing need, if any is missing.
# Needs root (or sudo) only then.
set -eu

packages="build-essential meson ninja-build pkg-config
	libelf-dev libdw-dev libmsgpack-dev libdrm-dev
	clang lld llvm-dev
	libcriterion-dev graphviz libgraphviz-dev python3-jsonschema"

missing=
for package in $packages; do
	if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then
		missing="$missing $package"
	fi
done
[ -z "$missing" ] && exit 0

echo "installing:$missing"
run=
[ "$(id -u)" = 0 ] || run=sudo
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -q >/dev/null
# shellcheck disable=SC2086 # a list of words
$run apt-get install -y -q --no-install-recommends $missing >/dev/null
