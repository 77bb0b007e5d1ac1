#!/bin/bash
# Inside a systemd that has cgroup2 with all controllers: MemoryMax=, TasksMax= and CPUQuota= apply to a whole run, each in
# a leaf of its own, and the caller learns which limit was exceeded.
#
#   controllers.sh PROJECT BUILT [INSTALLED]     INSTALLED: see checks.sh
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

# uses EXIT LINES WHAT COUNT [WORDS]: expects the exit code and output of a run that uses a resource under [Sandbox] LINES.
uses() {
    local code=0
    printf '[Sandbox]\n%b\n' "$2" >/etc/intentd/apps.d/Probe.conf
    timeout 100 intentctl reload
    # User-Mode Linux is slow, so the limit is long.
    timeout 100 intentctl run --limit 90s Probe/UseUp --what "$3" --count "$4" >/tmp/output 2>/tmp/errors || code=$?
    [ "$code" = "$1" ] && grep -q "${5:-}" /tmp/output /tmp/errors || {
        echo "exit code $code"
        cat /tmp/output /tmp/errors
        false
    }
}
# leaf: the cgroup leaf of a live run. reads FILE VALUE: true when a file of the leaf has a value.
leaf() { find /sys/fs/cgroup -type d -path '*intentd-workers.service*' -name 'run-*' | head -1; }
reads() { [ "$(cat "$(leaf)/$1")" = "$2" ] || { cat "$(leaf)/$1"; false; }; }

install_programs "$project" "$built" "${3:-}"
mkdir -p /etc/intentd/apps.d
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/
printf '[Limits]\nSpare=0\n' >/etc/intentd/intentd.conf
systemctl start intentd.socket

check "a run within MemoryMax= succeeds" uses 0 "MemoryMax=256M" memory 32
status=$(timeout 100 intentctl --output json status)
echo "isolation here: $status"
check "status names the controllers" grep -q 'cpu, memory, pids' <<<"$status"
check "a run that exceeds MemoryMax= is killed, and the error names the key" uses 71 "MemoryMax=128M" memory 400 "MemoryMax="
check "the next run in the same sandbox is not affected" uses 0 "MemoryMax=128M" memory 32
run=$(intentctl --output json history --by all -n 2 | grep '"run"' | tail -1 | sed 's/.*: *"\(.*\)".*/\1/')
check "why names MemoryMax=" bash -c "intentctl why '$run' | grep -q 'MemoryMax='"
mkdir -p /etc/intentd/commands.d
printf '[Sandbox]\nMemoryMax=64M\n[Intent Fill]\nExec=/bin/sh -c "head -c 300000000 /dev/urandom | tail -c 300000000; exit 1"\n' >/etc/intentd/commands.d/fill.intents
fills() {
    local code=0
    timeout 100 intentctl run --limit 90s fill/Fill >/tmp/output 2>/tmp/errors || code=$?
    [ "$code" = 71 ] && grep -q 'MemoryMax=64M is set in /etc/intentd/commands.d/fill.intents:2' /tmp/errors || {
        echo "exit code $code"
        cat /tmp/output /tmp/errors
        false
    }
}
check "a command with a program that exceeds MemoryMax= ends with the key, its value and its place" fills
rm /etc/intentd/commands.d/fill.intents
timeout 400 intentctl run --limit 9min Probe/Slow --seconds 500 >/dev/null 2>&1 &
neighbour=$!
timeout 60 bash -c 'until intentctl ps | grep -q "Slow.*running\|running.*Slow"; do sleep 0.1; done'
check "a run that exceeds MemoryMax= is killed beside another run" uses 71 "MemoryMax=128M" memory 400 "MemoryMax="
check "the other run continues" bash -c 'intentctl ps | grep -q Slow'
kill -INT $neighbour
wait $neighbour || true
check "both services continue" test "$(systemctl show -P ActiveState,NRestarts intentd.service intentd-workers.service | xargs)" \
    = "0 active 0 active"
check "shared memory counts" uses 71 "MemoryMax=128M" shared 400 "MemoryMax="
check "TasksMax= limits a run" uses 0 "TasksMax=20" threads 100 "^1[0-9]$"

# Makes the kernel kill intentd itself, by lowering its memory limit below its current usage.
run=$(timeout 100 intentctl run --detach --limit 2min Probe/Slow --seconds 20)
timeout 60 bash -c "until intentctl ps | grep -q 'Slow.*running\|running.*Slow'; do sleep 0.1; done"
before=$(systemctl show -P MainPID intentd.service)
echo 1M >"/sys/fs/cgroup$(systemctl show -P ControlGroup intentd.service)/memory.max"
check "the OOM killer kills intentd, and the service is restarted" timeout 100 bash -c "
    until [ \"\$(systemctl show -P MainPID intentd.service)\" != $before ] &&
        [ \"\$(systemctl is-active intentd.service)\" = active ]; do sleep 0.1; done"
check "the journal names the OOM killer" bash -c 'journalctl --sync; journalctl -u intentd.service | grep -qi "oom.kill"'
check "its run continues and succeeds" timeout 100 intentctl wait "$run"

weight() { cat "/sys/fs/cgroup$(systemctl show -P ControlGroup "$1")/${2:-}cpu.weight"; }
check "intentd and the launcher have more weight than runs" test \
    "$(weight intentd.service) $(weight intentd-workers.service launcher/) $(weight intentd-workers.service)" = "1000 10000 100"
check "doctor finds the weight in effect" bash -c \
    'timeout 100 intentctl doctor | grep "processor weight of the service: greater than that of runs"'

printf '[Sandbox]\nMemoryMax=200M\nTasksMax=33\nCPUQuota=40%%\n' >/etc/intentd/apps.d/Probe.conf
timeout 100 intentctl reload
timeout 400 intentctl run --limit 9min Probe/Slow --seconds 500 >/dev/null 2>&1 &
# A running run's leaf has all its limits.
timeout 60 bash -c "until intentctl ps | grep -q 'Slow.*running\|running.*Slow'; do sleep 0.1; done"
check "memory.max" reads memory.max 209715200
check "memory.swap.max" reads memory.swap.max 0
check "pids.max" reads pids.max 33
check "cpu.max" reads cpu.max "40000 100000"
kill -INT %1
wait %1 || true
check "a leaf is removed with its run" timeout 20 bash -c "
    while find /sys/fs/cgroup -type d -path '*intentd-workers.service*' -name 'run-*' | grep -q .; do sleep 0.1; done"
