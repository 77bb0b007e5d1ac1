#!/bin/bash
# Inside a systemd that has cgroup2 with all controllers: MemoryMax=, TasksMax= and CPUQuota= hold for a whole run, each
# in a leaf of its own, and its caller learns which limit it was.
#
#   controllers.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

# uses EXIT LINES WHAT COUNT [WORDS]: a run under these lines of [Sandbox] that uses that much ends so, and says so.
uses() {
    local code=0
    printf '[Sandbox]\n%b\n' "$2" >/etc/intentd/apps.d/Probe.conf
    timeout 100 intentctl reload
    # A kernel in a process is slow, and slower where others work too: the clock is not the subject here.
    timeout 100 intentctl run --limit 90s Probe/UseUp --what "$3" --count "$4" >/tmp/output 2>/tmp/errors || code=$?
    [ "$code" = "$1" ] && grep -q "${5:-}" /tmp/output /tmp/errors || {
        echo "exit code $code"
        cat /tmp/output /tmp/errors
        false
    }
}
# The leaf of a live run, and a line of a file in it.
leaf() { find /sys/fs/cgroup -type d -path '*intentd-workers.service*' -name 'run-*' | head -1; }
reads() { [ "$(cat "$(leaf)/$1")" = "$2" ] || { cat "$(leaf)/$1"; false; }; }

install_programs "$project" "$built"
mkdir -p /etc/intentd/apps.d
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/
printf '[Limits]\nSpare=0\n' >/etc/intentd/intentd.conf
systemctl start intentd.socket

check "within MemoryMax= a run is done" uses 0 "MemoryMax=256M" memory 32
status=$(timeout 100 intentctl --output json status)
echo "isolation here: $status"
check "status names the controllers" grep -q 'cpu, memory, pids' <<<"$status"
check "a run beyond MemoryMax= is ended, and told so" uses 71 "MemoryMax=128M" memory 400 "MemoryMax="
check "the next run in the same sandbox has nothing of that" uses 0 "MemoryMax=128M" memory 32
run=$(intentctl --output json history --by all -n 2 | grep '"run"' | tail -1 | sed 's/.*: *"\(.*\)".*/\1/')
check "why says that it was the memory" bash -c "intentctl why '$run' | grep -q 'MemoryMax='"
timeout 400 intentctl run --limit 9min Probe/Slow --seconds 500 >/dev/null 2>&1 &
neighbour=$!
timeout 60 bash -c 'until intentctl ps | grep -q "Slow.*running\|running.*Slow"; do sleep 0.1; done'
check "another run beyond it, beside one that goes on" uses 71 "MemoryMax=128M" memory 400 "MemoryMax="
check "the one beside it goes on" bash -c 'intentctl ps | grep -q Slow'
kill -INT $neighbour
wait $neighbour || true
check "both services go on" test "$(systemctl show -P ActiveState,NRestarts intentd.service intentd-workers.service | xargs)" \
    = "0 active 0 active"
check "shared memory counts" uses 71 "MemoryMax=128M" shared 400 "MemoryMax="
check "TasksMax= is a run's own" uses 0 "TasksMax=20" threads 100 "^1[0-9]$"

# The kernel takes intentd itself: what it has is more than its unit may have from now on.
run=$(timeout 100 intentctl run --detach --limit 2min Probe/Slow --seconds 20)
timeout 60 bash -c "until intentctl ps | grep -q 'Slow.*running\|running.*Slow'; do sleep 0.1; done"
before=$(systemctl show -P MainPID intentd.service)
echo 1M >"/sys/fs/cgroup$(systemctl show -P ControlGroup intentd.service)/memory.max"
check "the OOM killer ends intentd, and the service is there again" timeout 100 bash -c "
    until [ \"\$(systemctl show -P MainPID intentd.service)\" != $before ] &&
        [ \"\$(systemctl is-active intentd.service)\" = active ]; do sleep 0.1; done"
check "it was the OOM killer" bash -c 'journalctl --sync; journalctl -u intentd.service | grep -qi "oom.kill"'
check "its run goes on, and is done" timeout 100 intentctl wait "$run"

printf '[Sandbox]\nMemoryMax=200M\nTasksMax=33\nCPUQuota=40%%\n' >/etc/intentd/apps.d/Probe.conf
timeout 100 intentctl reload
timeout 400 intentctl run --limit 9min Probe/Slow --seconds 500 >/dev/null 2>&1 &
# By then its leaf has all of its limits.
timeout 60 bash -c "until intentctl ps | grep -q 'Slow.*running\|running.*Slow'; do sleep 0.1; done"
check "memory.max" reads memory.max 209715200
check "no swap instead" reads memory.swap.max 0
check "pids.max" reads pids.max 33
check "cpu.max" reads cpu.max "40000 100000"
kill -INT %1
wait %1 || true
check "a leaf goes with its run" timeout 20 bash -c "
    while find /sys/fs/cgroup -type d -path '*intentd-workers.service*' -name 'run-*' | grep -q .; do sleep 0.1; done"
[ "$failures" = 0 ]
