#!/bin/bash
# Inside a booted systemd: a stop with a live run, and a daemon with a hung event loop. Every line that begins with "ok" or
# "not ok" is one check.
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

# The launcher kills all other processes, and exits a moment after them.
gone() { ! pgrep -u intentd -a | grep -v intentd-launche; }

# The stop timeout is shorter than the clean-up, so that the service must extend it. Both timeouts are long enough for a
# host that stalls for a moment.
mkdir -p /etc/systemd/system/intentd.service.d /etc/intentd
printf '[Service]\nTimeoutStopSec=3s\nWatchdogSec=3s\n' >/etc/systemd/system/intentd.service.d/short.conf
printf '[Limits]\nGraceCancellable=30s\n' >/etc/intentd/intentd.conf
systemctl daemon-reload
systemctl start intentd.socket

as_member intentctl run Probe/Cleanup --milliseconds 5000 >/tmp/run.out 2>/tmp/run.err &
client=$!
check "the run is running" timeout 20 bash -c \
    'until runuser -u member -- intentctl ps | grep -q running; do sleep 0.05; done'
systemctl stop intentd.service
code=0
wait "$client" || code=$?
check "its client is told that intentd stopped" test "$code" = 143
check "its handler received the reason, and finished its clean-up" grep -q 'cleaned up: serviceStopping' /tmp/run.err
check "the stop received the requested time" test "$(systemctl show -P Result intentd.service)" = success
check "intentd recognized the stop" says intentd.service "exiting: its unit is being stopped"
check "no process of an app is left after the stop, neither a fork server nor a spare" gone

# Detached grandchildren: double-forked, in sessions of their own, ignoring SIGTERM.
mkdir -p /etc/intentd/apps.d
printf '[Sandbox]\nSubprocesses=yes\n' >/etc/intentd/apps.d/Probe.conf
systemctl start intentd.service
as_member intentctl run Probe/ForkStorm --name stormy --stays >/tmp/storm.out 2>&1 &
client=$!
check "a run has started a storm of processes" timeout 20 bash -c 'until [ "$(pgrep -cx stormy)" -gt 3 ]; do sleep 0.05; done'
systemctl stop intentd.service
check "no grandchild outlives the stop" gone
code=0
wait "$client" || code=$?
check "the client of such a run is told that intentd stopped" test "$code" = 143
check "the launcher exits after the stop" timeout 15 bash -c 'while pgrep -u intentd; do sleep 0.05; done'
check "the workers' unit did not fail" test "$(systemctl show -P Result intentd-workers.service)" = success

# A launcher that is stopped by SIGSTOP while only the fork server is left.
printf '[Sandbox]\nSubprocesses=yes\n[Limits]\nSpare=0\n' >/etc/intentd/apps.d/Probe.conf
systemctl start intentd.service
run=$(as_member intentctl run --detach Probe/Echo --text a)
check "a run is over" timeout 20 bash -c \
    "until intentctl --output json show $run | grep -q exitedMilliseconds; do sleep 0.1; done"
launcher=$(systemctl show -P MainPID intentd-workers.service)
kill -STOP "$launcher"
systemctl stop --no-block intentd.socket intentd.service
# Longer than clients have to read their last events, and longer than the stop timeout without an extension.
sleep 5
check "a stop waits for a launcher that does not respond" test "$(systemctl is-active intentd.service)" = deactivating
kill -CONT "$launcher"
check "the stop completes when the launcher continues" timeout 20 bash -c \
    'while [ "$(systemctl is-active intentd.service)" != inactive ]; do sleep 0.05; done'
check "no process of an app is left after that stop" gone
check "that stop succeeded" test "$(systemctl show -P Result intentd.service)" = success
systemctl start intentd.socket

# An intentd that does not react to the stop: systemd kills it after the timeout, and stops the workers' unit, which is
# no longer needed. (systemd resumes processes that SIGSTOP or the freezer hold; no process handles SIGWINCH.)
printf '[Service]\nKillSignal=SIGWINCH\n' >/etc/systemd/system/intentd.service.d/deaf.conf
systemctl daemon-reload
as_member intentctl run Probe/ForkStorm --name stormy --stays >/tmp/storm.out 2>&1 &
client=$!
check "another run has started a storm of processes" timeout 20 bash -c 'until [ "$(pgrep -cx stormy)" -gt 3 ]; do sleep 0.05; done'
# Also stops the socket, because the client has received no outcome and would reconnect, which would start the service.
systemctl stop intentd.socket intentd.service
check "intentd was killed at the stop timeout" test "$(systemctl show -P Result intentd.service)" = timeout
check "the workers' unit stops after it" timeout 15 bash -c \
    'while [ "$(systemctl is-active intentd-workers.service)" != inactive ]; do sleep 0.05; done'
check "no process of an app outlives an intentd that ignores the stop" gone
wait "$client" || true
systemctl reset-failed intentd.service
systemctl start intentd.socket
rm /etc/systemd/system/intentd.service.d/deaf.conf
systemctl daemon-reload

# The socket still listens, so that the next client starts the service.
check "the next client starts the service" as_member intentctl run Probe/Echo --text again
systemctl restart intentd.service
check "intentd recognizes a restart" says intentd.service "exiting: its unit is being restarted"
before=$(systemctl show -P MainPID intentd.service)
kill "$before"
check "a signal from another process is not a stop" timeout 20 bash -c "
    until [ \"\$(systemctl show -P MainPID intentd.service)\" != $before ] &&
        [ \"\$(systemctl is-active intentd.service)\" = active ]; do sleep 0.05; done"
check "intentd finds that systemd has no stop job" says intentd.service "exiting: its unit has no job"
check "runs are served after both" timeout 60 runuser -u member -- intentctl run Probe/Echo --text again
run=$(as_member intentctl run --detach --limit 2min Probe/Slow --seconds 16)
timeout 20 bash -c "until intentctl ps | grep -q 'Slow.*running\|running.*Slow'; do sleep 0.1; done"
before=$(systemctl show -P MainPID intentd.service)
kill -STOP "$before"
check "the watchdog detects a hung event loop, and the service is restarted" timeout 60 bash -c "
    until [ \"\$(systemctl show -P MainPID intentd.service)\" != $before ] &&
        [ \"\$(systemctl is-active intentd.service)\" = active ]; do sleep 0.05; done"
check "the journal names the watchdog" bash -c 'journalctl --sync; journalctl -u intentd.service | grep -q "Watchdog timeout"'
check "its run continues and succeeds" as_member timeout 60 intentctl wait "$run"
check "runs are served after the watchdog's restart" timeout 60 runuser -u member -- intentctl run Probe/Echo --text alive

run=$(as_member intentctl run --detach --limit 2min Probe/Slow --seconds 60)
timeout 20 bash -c "until intentctl ps | grep -q 'Slow.*running\|running.*Slow'; do sleep 0.1; done"
systemctl restart intentd-workers.service
as_member timeout 60 intentctl wait "$run" >/tmp/output 2>&1 || true
check "a run that its launcher's restart ended is lost, for that reason" bash -c "
    intentctl --output json show $run | grep -q '\"lost\"' && intentctl why $run | grep -q 'intentd-launcher exited'"
check "runs are served after the launcher's restart" timeout 60 runuser -u member -- intentctl run Probe/Echo --text alive

# Starved, not hung: intentd gets little processor time while its clients send many requests. Needs the cpu controller.
if [ -d /sys/fs/cgroup/cpu ] && [ -e /proc/pressure/cpu ]; then
    printf '[Service]\nWatchdogSec=4s\n' >/etc/systemd/system/intentd.service.d/short.conf
    systemctl daemon-reload
    systemctl restart intentd.service
    before=$(systemctl show -P MainPID intentd.service)
    systemctl set-property --runtime intentd.service CPUQuota=2%
    for _ in 1 2 3 4; do
        while true; do timeout 60 intentctl list >/dev/null 2>&1; done &
    done
    check "a starved intentd reports it before the watchdog timeout" timeout 60 bash -c '
        until journalctl -o cat -u intentd.service | grep -q "the machine is starved"; do sleep 0.2; done'
    check "it has extended its watchdog timeout" test "$(systemctl show -P WatchdogUSec intentd.service)" = 24s
    kill $(jobs -p)
    systemctl set-property --runtime intentd.service CPUQuota=
    check "the watchdog did not restart it" test "$(systemctl show -P MainPID intentd.service)" = "$before"
    check "runs are served when intentd gets processor time again" timeout 60 runuser -u member -- intentctl run Probe/Echo --text x
else
    echo "skipped: a starved daemon and its watchdog need the cpu controller"
fi

systemctl stop intentd.socket intentd.service
