#!/bin/sh
# SPDX-License-Identifier: MIT
# Parts of the system that are not there, in a mount namespace of its own. Runs as root; speaks TAP.

# report NUMBER STATUS NAME
report() {
	if [ "$2" = 0 ]; then echo "ok $1 - $3"; else echo "not ok $1 - $3"; fi
}

# without COMMAND PROGRAM: the program, as an ordinary user, where the command has been obeyed.
without() {
	unshare -m sh -c "$1 && exec su -s /bin/sh tester -c '$2'" > /tmp/nodes 2>&1
	code=$?
	sed 's/^/# /' /tmp/nodes
	return $code
}

export MUSA_BACKEND=drm
echo 1..4
without "mount -t tmpfs none /sys" "/tests/api_open 0"
report 1 $? "without sysfs the card is found by its driver's name"
without "mount -t tmpfs none /dev/dri" "/tests/api_open 100"
report 2 $? "without nodes there is no device"
grep -q "permission" /tmp/nodes && said=1 || said=0
report 3 $said "which is not called a lack of permission"
without "mount -t tmpfs none /dev/dri && mknod /dev/dri/renderD137 c 226 128 &&
	chmod 666 /dev/dri/renderD137" "/tests/api_open 0"
report 4 $? "a card is found behind a gap of numbers"
