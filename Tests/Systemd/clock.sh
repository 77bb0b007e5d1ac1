#!/bin/bash
# Inside a systemd with its own kernel and clock: sets the wall clock back and forward, which must not disturb intentd. Every
# line that begins with "ok" or "not ok" is one check.
#
#   clock.sh PROJECT BUILT [INSTALLED]     INSTALLED: see checks.sh
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built" "${3:-}"
mkdir -p /etc/intentd
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/
printf '[Limits]\nSpare=0\nRuntime=1min\n' >/etc/intentd/intentd.conf
systemctl start intentd.socket
echo_runs() { timeout 100 intentctl run Probe/Echo --text "$1"; }
# fact EXPRESSION: true when the Python expression holds for the complete records r of all runs, newest first.
fact() {
    intentctl history --by all --export jsonl | python3 -c '
import json, sys
r = [json.loads(line) for line in sys.stdin]
sys.exit(0 if eval(sys.argv[1]) else [(x["app"], x["intent"], x.get("outcome"), x["acceptedMilliseconds"]) for x in r])' "$1"
}

check "a run succeeds" echo_runs before
process=$(systemctl show -P MainPID intentd.service)
timeout 200 intentctl run Probe/Ticking --seconds 20 >/dev/null 2>/tmp/ticking &
ticking=$!
check "another run is running" timeout 60 bash -c 'until intentctl ps | grep -q "Ticking.*running"; do sleep 0.1; done'
date -s '-3 days' >/dev/null
code=0
wait $ticking || code=$?
check "the live run succeeds although the clock was set back" test "$code" = 0
check "a run succeeds after the clock was set back" echo_runs after
check "runs are ordered by acceptance, whatever the clock says" fact \
    '[x["intent"] for x in r[:3]] == ["Echo", "Ticking", "Echo"] and r[0]["acceptedMilliseconds"] < r[1]["acceptedMilliseconds"]'
check "no duration is negative or takes days" fact \
    'all(0 <= c["afterMilliseconds"] < 600000 for x in r for c in x["changes"]) and all(0 <= x["runtimeMilliseconds"] < 600000 for x in r)'
limit() { local code=0; timeout 100 intentctl run --limit 3s Probe/Slow --seconds 60 2>/dev/null || code=$?; test "$code" = 124; }
check "limits are enforced" limit
check "the timeout is recorded" fact 'r[0]["outcome"] == "cancelled" and r[0]["reason"] == "timeout" and r[0]["clock"] == "total"'
check "a repeated key finds its run although the clock was set back" bash -c '
    first=$(timeout 100 intentctl run --detach --key k Probe/Echo --text k) && date -s "-1 day" >/dev/null &&
    test "$(timeout 100 intentctl run --detach --key k Probe/Echo --text k)" = "$first"'
count=$(intentctl history --by all --export jsonl | wc -l)
intentctl history --prune >/dev/null
check "pruning removes no run of the last month" test "$(intentctl history --by all --export jsonl | wc -l)" = "$count"
date -s '+4 days' >/dev/null
check "pruning removes no run when the clock is right again" bash -c "intentctl history --prune >/dev/null; test \$(intentctl history --by all --export jsonl | wc -l) = $count"
check "intentd was not restarted" test "$(systemctl show -P MainPID intentd.service)" = "$process"
check "intentd reports no problem with the history" bash -c "! systemctl status intentd.service | grep -q 'the history cannot be written'"
systemctl stop intentd.socket intentd.service
