#!/bin/sh
# SPDX-License-Identifier: MIT
# The process that plays the cards is killed and started again. Runs as root in the VM; speaks TAP.

# report NUMBER STATUS NAME
report() {
	if [ "$2" = 0 ]; then echo "ok $1 - $3"; else echo "not ok $1 - $3"; fi
}

echo 1..4
rm -f /tmp/held
su -s /bin/sh tester -c "/tests/uapi_hold /tmp/held lost" > /tmp/hold.lost 2>&1 &
client=$!
tries=0
while [ ! -e /tmp/held ] && [ $tries -lt 300 ]; do
	usleep 100000
	tries=$((tries + 1))
done
kill -KILL "$(cat /tmp/gpu.pid)"
sleep 1
rm -f /tmp/held
wait $client
code=$?
sed 's/^/# /' /tmp/hold.lost
report 1 $code "a client is told when the server is killed"
pidof mtgpu-gpu > /dev/null && left=1 || left=0
report 2 $left "the processes of its address spaces go with it"
su -s /bin/sh tester -c "MUSA_BACKEND=drm /tests/api_open 100" | sed 's/^/# /' > /tmp/open
grep -q 'musaGetDeviceCount: musaErrorNoDevice' /tmp/open
code=$?
cat /tmp/open
report 3 $code "without a server there is no device"
mtgpu-gpu > /dev/null 2>&1 &
echo $! > /tmp/gpu.pid
usleep 500000
su -s /bin/sh tester -c "MUSA_BACKEND=drm /tests/api_open 0" > /tmp/open
code=$?
sed 's/^/# /' /tmp/open
report 4 $code "with a new one there is"
