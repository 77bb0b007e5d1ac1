#!/bin/bash
# Inside a booted systemd: every attempt on the sandbox, by root's private daemon and an ordinary user's. Prints what the
# kernel has, every failure, and the runner's summary.
#
#   attack.sh PROJECT BUILT [FILTER]
set -euo pipefail

project=$1
built=$2
filter=${3:-EndToEndTests\\.Attack}

cgroup2=$(awk '{ for (i = 7; i < NF; i++) if ($i == "-" && $(i + 1) == "cgroup2") { print $5; exit } }' \
    /proc/self/mountinfo)
# The root alone may have processes beside the controllers of its children. Elsewhere the private daemon's own cgroup
# would hold processes, and its leaves would get no controllers (cgroups(7)).
echo $$ >"$cgroup2/cgroup.procs"
# systemd enables only the controllers that its units use.
for controller in cpu io memory pids; do
    ! grep -qw $controller "$cgroup2/cgroup.controllers" || echo +$controller >"$cgroup2/cgroup.subtree_control"
done
echo "kernel $(uname -r), Landlock $(python3 -c '
import ctypes
# landlock_create_ruleset(2) with LANDLOCK_CREATE_RULESET_VERSION.
print(ctypes.CDLL(None).syscall(444, 0, 0, 1))'), controllers $(cat "$cgroup2/cgroup.subtree_control")"

# Services have no home, and the tests' own files would be the overlay's.
export HOME=/root LANG=C.UTF-8
mount -t tmpfs -o mode=1777,size=80% tests /tmp
# A time limit of a test begins when the test does.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(nproc)
cd "$project"
log=/run/attack.log
code=0
"$built/intentdPackageTests.xctest" --testing-library swift-testing --filter "$filter" >$log 2>&1 || code=$?
grep -A 3 'recorded an issue' $log || true
grep -E '^. Test .* (passed|failed) after |^. Test .* skipped' $log | grep -v '^. Test run' || true
grep 'Test run with' $log || { tail -n 20 $log; exit 1; }
exit $code
