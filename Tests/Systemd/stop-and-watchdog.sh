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

says() { journalctl --sync; journalctl -o cat -u "$1" | grep -qF -- "$2"; }
# The launcher ends all other processes, and leaves the list a moment after them.
gone() { ! pgrep -u intentd -a | grep -v intentd-launche; }

# Less time to stop than the clean-up takes: only a service that asks for more of it ends well.
# Each is long enough for a machine that stands still for a moment.
mkdir -p /etc/systemd/system/intentd.service.d /etc/intentd
printf '[Service]\nTimeoutStopSec=3s\nWatchdogSec=3s\n' >/etc/systemd/system/intentd.service.d/short.conf
printf '[Limits]\nGraceCancellable=30s\n' >/etc/intentd/intentd.conf
systemctl daemon-reload
systemctl start intentd.socket

as_member intentctl run Probe/Cleanup --milliseconds 5000 >/tmp/run.out 2>/tmp/run.err &
client=$!
check "the run is under way" timeout 20 bash -c \
    'until runuser -u member -- intentctl ps | grep -q running; do sleep 0.05; done'
systemctl stop intentd.service
code=0
wait "$client" || code=$?
check "its client hears that intentd stopped" test "$code" = 143
check "its handler heard why, and finished its clean-up" grep -q 'cleaned up: serviceStopping' /tmp/run.err
check "the stop was given the time it asked for" test "$(systemctl show -P Result intentd.service)" = success
check "intentd knew that it was a stop" says intentd.service "told to end: its unit stops"
check "nothing of any app is left when the stop is over, neither a fork server nor a spare worker" gone

# Grandchildren that left their family behind: double-forked, in sessions of their own, deaf to SIGTERM.
mkdir -p /etc/intentd/apps.d
printf '[Sandbox]\nSubprocesses=yes\n' >/etc/intentd/apps.d/Probe.conf
systemctl start intentd.service
as_member intentctl run Probe/ForkStorm --name stormy --stays >/tmp/storm.out 2>&1 &
client=$!
check "a run has children that have children" timeout 20 bash -c 'until [ "$(pgrep -cx stormy)" -gt 3 ]; do sleep 0.05; done'
systemctl stop intentd.service
check "no child of a child outlives the stop" gone
code=0
wait "$client" || code=$?
check "the client of such a run hears that intentd stopped" test "$code" = 143
check "nor does the launcher" timeout 15 bash -c 'while pgrep -u intentd; do sleep 0.05; done'
check "a workers' unit that was told to leave did not fail" test "$(systemctl show -P Result intentd-workers.service)" = success

# A machine that stands still for a moment, here its launcher, once no worker is left: its part is the fork server.
printf '[Sandbox]\nSubprocesses=yes\n[Limits]\nSpare=0\n' >/etc/intentd/apps.d/Probe.conf
systemctl start intentd.service
run=$(as_member intentctl run --detach Probe/Echo --text a)
check "a run is over" timeout 20 bash -c \
    "until intentctl --output json show $run | grep -q goneMilliseconds; do sleep 0.1; done"
launcher=$(systemctl show -P MainPID intentd-workers.service)
kill -STOP "$launcher"
systemctl stop --no-block intentd.socket intentd.service
# Longer than clients have to read their last words, and longer than it has without asking for more.
sleep 5
check "a stop waits for a launcher that stands still" test "$(systemctl is-active intentd.service)" = deactivating
kill -CONT "$launcher"
check "and is over when that has left" timeout 20 bash -c \
    'while [ "$(systemctl is-active intentd.service)" != inactive ]; do sleep 0.05; done'
check "with nothing left of any app" gone
check "it was no failure" test "$(systemctl show -P Result intentd.service)" = success
systemctl start intentd.socket

# An intentd that does not react to the stop: systemd kills it after the timeout, and stops the workers' unit, which is
# no longer needed. (systemd resumes processes that SIGSTOP or the freezer hold; no process handles SIGWINCH.)
printf '[Service]\nKillSignal=SIGWINCH\n' >/etc/systemd/system/intentd.service.d/deaf.conf
systemctl daemon-reload
as_member intentctl run Probe/ForkStorm --name stormy --stays >/tmp/storm.out 2>&1 &
client=$!
check "another storm" timeout 20 bash -c 'until [ "$(pgrep -cx stormy)" -gt 3 ]; do sleep 0.05; done'
# With its socket: the client, which heard of no end, would come back and have it started again.
systemctl stop intentd.socket intentd.service
check "it was killed when its time to stop was over" test "$(systemctl show -P Result intentd.service)" = timeout
check "the workers' unit stops after it" timeout 15 bash -c \
    'while [ "$(systemctl is-active intentd-workers.service)" != inactive ]; do sleep 0.05; done'
check "nothing is left of the one that did not hear" gone
wait "$client" || true
systemctl reset-failed intentd.service
systemctl start intentd.socket
rm /etc/systemd/system/intentd.service.d/deaf.conf
systemctl daemon-reload

# The socket is still there: the next client starts the service again.
check "the next client starts the service" as_member intentctl run Probe/Echo --text again
systemctl restart intentd.service
check "intentd knows a restart" says intentd.service "told to end: its unit restarts"
before=$(systemctl show -P MainPID intentd.service)
kill "$before"
check "a signal from another process is not a stop" timeout 20 bash -c "
    until [ \"\$(systemctl show -P MainPID intentd.service)\" != $before ] &&
        [ \"\$(systemctl is-active intentd.service)\" = active ]; do sleep 0.05; done"
check "intentd finds that systemd has no stop job" says intentd.service "told to end: its unit has no job"
check "runs are served after both" timeout 60 runuser -u member -- intentctl run Probe/Echo --text again
run=$(as_member intentctl run --detach --limit 2min Probe/Slow --seconds 16)
timeout 20 bash -c "until intentctl ps | grep -q 'Slow.*running\|running.*Slow'; do sleep 0.1; done"
before=$(systemctl show -P MainPID intentd.service)
kill -STOP "$before"
check "a hung loop is found by the watchdog, and the service is there again" timeout 60 bash -c "
    until [ \"\$(systemctl show -P MainPID intentd.service)\" != $before ] &&
        [ \"\$(systemctl is-active intentd.service)\" = active ]; do sleep 0.05; done"
check "it was the watchdog" bash -c 'journalctl --sync; journalctl -u intentd.service | grep -q "Watchdog timeout"'
check "its run goes on through that, and is done" as_member timeout 60 intentctl wait "$run"
check "runs are served after it" timeout 60 runuser -u member -- intentctl run Probe/Echo --text alive

# Starved, not hung: it hardly gets the processor, and its clients want much. Only with a controller for it.
if [ -d /sys/fs/cgroup/cpu ] && [ -e /proc/pressure/cpu ]; then
    printf '[Service]\nWatchdogSec=4s\n' >/etc/systemd/system/intentd.service.d/short.conf
    systemctl daemon-reload
    systemctl restart intentd.service
    before=$(systemctl show -P MainPID intentd.service)
    systemctl set-property --runtime intentd.service CPUQuota=2%
    for _ in 1 2 3 4; do
        while true; do timeout 60 intentctl list >/dev/null 2>&1; done &
    done
    check "a starved one says so before the watchdog bites" timeout 60 bash -c '
        until journalctl -o cat -u intentd.service | grep -q "the machine is starved"; do sleep 0.2; done'
    check "the watchdog has more patience with it" test "$(systemctl show -P WatchdogUSec intentd.service)" = 24s
    kill $(jobs -p)
    systemctl set-property --runtime intentd.service CPUQuota=
    check "it was not taken for hung" test "$(systemctl show -P MainPID intentd.service)" = "$before"
    check "and serves when it gets the processor again" timeout 60 runuser -u member -- intentctl run Probe/Echo --text x
else
    echo "not run: a starved daemon and its watchdog, without a controller for the processor"
fi

systemctl stop intentd.socket intentd.service
exit $((failures > 0))
