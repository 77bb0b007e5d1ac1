#!/bin/bash
# Inside a systemd with a kernel, and so a clock, of its own: the wall's clock is set back and forward under intentd, which
# goes on as before. Every line that begins with "ok" or "not ok" is one check.
#
#   clock.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built"
mkdir -p /etc/intentd
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/
printf '[Limits]\nSpare=0\nRuntime=1min\n' >/etc/intentd/intentd.conf
systemctl start intentd.socket
echo_runs() { timeout 100 intentctl run Probe/Echo --text "$1"; }
# fact EXPRESSION: holds for the runs r of this history, the newest first, each with all that is on record of it.
fact() {
    intentctl history --by all --export jsonl | python3 -c '
import json, sys
r = [json.loads(line) for line in sys.stdin]
sys.exit(0 if eval(sys.argv[1]) else [(x["app"], x["intent"], x.get("outcome"), x["acceptedMilliseconds"]) for x in r])' "$1"
}

check "a run before" echo_runs before
process=$(systemctl show -P MainPID intentd.service)
timeout 200 intentctl run Probe/Ticking --seconds 20 >/dev/null 2>/tmp/ticking &
ticking=$!
check "one is under way" timeout 60 bash -c 'until intentctl ps | grep -q "Ticking.*running"; do sleep 0.1; done'
date -s '-3 days' >/dev/null
code=0
wait $ticking || code=$?
check "the run under way ends as it would have" test "$code" = 0
check "a run after the clock was set back" echo_runs after
check "the newest is the one that came last, whatever the clock says" fact \
    '[x["intent"] for x in r[:3]] == ["Echo", "Ticking", "Echo"] and r[0]["acceptedMilliseconds"] < r[1]["acceptedMilliseconds"]'
check "no duration is negative or takes days" fact \
    'all(0 <= c["afterMilliseconds"] < 600000 for x in r for c in x["changes"]) and all(0 <= x["runtimeMilliseconds"] < 600000 for x in r)'
limit() { local code=0; timeout 100 intentctl run --limit 3s Probe/Slow --seconds 60 2>/dev/null || code=$?; test "$code" = 124; }
check "limits hold" limit
check "and it is told as before" fact 'r[0]["outcome"] == "cancelled" and r[0]["reason"] == "timeout" and r[0]["clock"] == "total"'
check "the same key is the same run over it" bash -c '
    first=$(timeout 100 intentctl run --detach --key k Probe/Echo --text k) && date -s "-1 day" >/dev/null &&
    test "$(timeout 100 intentctl run --detach --key k Probe/Echo --text k)" = "$first"'
count=$(intentctl history --by all --export jsonl | wc -l)
intentctl history --prune >/dev/null
check "pruning removes nothing of the last month" test "$(intentctl history --by all --export jsonl | wc -l)" = "$count"
date -s '+4 days' >/dev/null
check "and none when it is right again" bash -c "intentctl history --prune >/dev/null; test \$(intentctl history --by all --export jsonl | wc -l) = $count"
check "it was the same intentd all the time" test "$(systemctl show -P MainPID intentd.service)" = "$process"
check "and it complains of nothing" bash -c "! systemctl status intentd.service | grep -q 'cannot be kept'"
systemctl stop intentd.socket intentd.service
exit $((failures > 0))
