#!/bin/bash
# Inside a booted systemd: a stop with a run in flight, and a daemon whose loop hangs. Every line that begins with "ok"
# or "not ok" is one check.
#
#   stop-and-watchdog.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built"
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/Probe
useradd --groups intentd member
as_member() { runuser -u member -- "$@"; }

# Less time to stop than the clean-up takes: only a service that asks for more of it ends well.
mkdir -p /etc/systemd/system/intentd.service.d
printf '[Service]\nTimeoutStopSec=1s\nWatchdogSec=1s\n' >/etc/systemd/system/intentd.service.d/short.conf
systemctl daemon-reload
systemctl start intentd.socket

as_member intentctl run Probe/Cleanup --milliseconds 2500 >/tmp/run.out 2>/tmp/run.err &
client=$!
check "the run is under way" timeout 20 bash -c \
    'until runuser -u member -- intentctl ps | grep -q running; do sleep 0.05; done'
systemctl stop intentd.service
code=0
wait "$client" || code=$?
check "its client hears that intentd stopped" test "$code" = 143
check "its handler heard why, and finished its clean-up" grep -q 'cleaned up: serviceStopping' /tmp/run.err
check "the stop was given the time it asked for" test "$(systemctl show -P Result intentd.service)" = success
check "no process of an app is left" bash -c '! pgrep -x Probe'

# The socket is still there: the next client starts the service again.
check "the next client starts the service" as_member intentctl run Probe/Echo --text again
before=$(systemctl show -P MainPID intentd.service)
kill -STOP "$before"
check "a hung loop is found by the watchdog, and the service is there again" timeout 60 bash -c "
    until [ \"\$(systemctl show -P MainPID intentd.service)\" != $before ] &&
        [ \"\$(systemctl is-active intentd.service)\" = active ]; do sleep 0.05; done"
check "it was the watchdog" bash -c 'journalctl --sync; journalctl -u intentd.service | grep -q "Watchdog timeout"'
check "runs are served after it" timeout 60 runuser -u member -- intentctl run Probe/Echo --text alive

systemctl stop intentd.socket intentd.service
exit $((failures > 0))
