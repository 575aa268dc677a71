#!/bin/sh
# SPDX-License-Identifier: MIT
# mtgraph-dump where the card may not be opened: it fails, and says why where errors belong. Speaks
# TAP.

# report NUMBER STATUS NAME
report() {
	if [ "$2" = 0 ]; then echo "ok $1 - $3"; else echo "not ok $1 - $3"; fi
}

work=/tmp/dump.$$
mkdir -p $work/saved
MUSA_BACKEND=mock MUSA_MOCK_MEMORY=64M MUSA_GRAPH_SAVE=$work/saved /tests/fork_join > /dev/null
MUSA_BACKEND=drm /tests/mtgraph-dump replay $work/saved/*.mtgraph > $work/out 2> $work/err
code=$?
sed 's/^/# /' $work/out $work/err
echo 1..3
[ $code -ne 0 ]
report 1 $? "mtgraph-dump fails"
[ ! -s $work/out ]
report 2 $? "it prints no result"
[ "$(grep -c 'renderD128: permission denied.*group render' $work/err)" = 1 ]
report 3 $? "it says once which node may not be opened, and by whom it may"
rm -rf $work
