#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program is told where the card cannot be used: once, and so that it helps. Speaks TAP.
#
# usage: said.sh ERROR TEXT the number of the error, and what stands in the log
said=/tmp/said.$$
/tests/api_open "$1" > $said 2>&1
code=$?
sed 's/^/# /' $said
lines=$(grep -c "$2" $said)
rm -f $said
echo 1..2
[ $code = 0 ] && echo "ok 1 - error $1" || echo "not ok 1 - error $1"
[ "$lines" = 1 ] && echo "ok 2 - the log says once: $2" || echo "not ok 2 - the log says once: $2"
