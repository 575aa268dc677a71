#!/bin/sh
# SPDX-License-Identifier: MIT
# The module while it is in use: it cannot be unloaded, and a device can be taken away under its
# clients. Runs as root in the VM; speaks TAP.

client() {
	rm -f /tmp/held
	su -s /bin/sh tester -c "/tests/uapi_hold /tmp/held $1" > /tmp/hold.$1 2>&1 &
	pid=$!
	tries=0
	while [ ! -e /tmp/held ] && [ $tries -lt 300 ]; do
		usleep 100000
		tries=$((tries + 1))
	done
}

# report NUMBER STATUS NAME
report() {
	if [ "$2" = 0 ]; then echo "ok $1 - $3"; else echo "not ok $1 - $3"; fi
}

echo 1..4
client alive
rmmod mtgpu 2> /tmp/rmmod && refused=1 || refused=0
report 1 $refused "a module in use is not unloaded"
rm -f /tmp/held
wait $pid
code=$?
sed 's/^/# /' /tmp/hold.alive
report 2 $code "its client does not notice"

client gone
device=$(realpath /sys/class/drm/renderD128/device)
echo 1 > "$device/remove"
[ ! -e /dev/dri/renderD128 ]
report 3 $? "a device can be removed while it is in use"
rm -f /tmp/held
wait $pid
code=$?
sed 's/^/# /' /tmp/hold.gone
report 4 $code "its client is told by every call"
