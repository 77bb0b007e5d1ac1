#!/bin/bash
# Inside a booted systemd: the journal entries of runs, as journalctl reads them. Every line that begins with "ok" or "not
# ok" is one check.
#
#   journal.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built"
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/Probe
useradd --groups intentd member
uid=$(id -u member)
as_member() { timeout 60 runuser -u member -- "$@"; }
entries() { journalctl --sync; journalctl -o json -u intentd.service; }
# has EXPRESSION: true when the Python expression holds for an entry's fields, e('NAME').
has() {
    entries | python3 -c '
import json, sys
entries = [json.loads(line) for line in sys.stdin]
found = [e for e in entries if eval(sys.argv[1], {"e": e.get, "uid": sys.argv[2]})]
sys.exit(0 if found else "no entry has it: " + sys.argv[1])' "$1" "$uid"
}
count() { entries | python3 -c '
import json, sys
print(sum(1 for line in sys.stdin if eval(sys.argv[1], {"e": json.loads(line).get})))' "$1"; }
# left RUN: waits until the worker has exited and all its output is in the journal.
left() { timeout 20 bash -c "until intentctl --output json show $1 | grep -q exitedMilliseconds; do sleep 0.1; done"; }
newest() { intentctl --output json history --by all -n 1 | python3 -c 'import json,sys; print(json.load(sys.stdin)["runs"][0]["run"])'; }

systemctl start intentd.service
as_member intentctl run Probe/Prints --text "hello journal" >/dev/null 2>&1
run=$(newest)
left "$run"
fields="e('INTENT_RUN_ID') == '$run' and e('INTENT_APP') == 'Probe' and e('INTENT_NAME') == 'Prints'"
check "the accepted run is logged with its user and the code location" has \
    "$fields and e('MESSAGE').endswith('accepted') and e('INTENT_UID') == uid and e('CODE_FILE') and e('CODE_LINE') and e('CODE_FUNC') and e('MESSAGE_ID')"
check "its start is logged" has "$fields and e('MESSAGE').endswith('started')"
check "its end is logged" has "$fields and e('INTENT_OUTCOME') == 'done' and e('MESSAGE_ID') and e('PRIORITY') == '6'"
check "its output has its fields and the app's name" has \
    "$fields and e('MESSAGE') == 'hello journal' and e('INTENT_STREAM') == 'stdout' and e('SYSLOG_IDENTIFIER') == 'Probe'"
check "journalctl finds a run by its identifier" bash -c "journalctl -o cat INTENT_RUN_ID=$run | grep -qx 'hello journal'"
check "journalctl -x explains the end" bash -c \
    "journalctl -x INTENT_RUN_ID=$run | grep -q 'Run $run of Probe/Prints returned its result'"

as_member intentctl run --limit 500ms Probe/Slow --seconds 600 >/dev/null 2>&1 || true
check "a timeout is logged as the reason of the cancellation and of the end" test \
    "$(count "e('INTENT_REASON') == 'timeout' and e('INTENT_RUN_ID') == '$(newest)' and e('PRIORITY') == '4'")" = 2
check "each kind of end has its own MESSAGE_ID" test "$(entries | python3 -c '
import json, sys
print(len({e["MESSAGE_ID"] for e in map(json.loads, sys.stdin) if "INTENT_OUTCOME" in e}))')" = 2

as_member intentctl run --detach Probe/AskSomething --way value >/tmp/asking
run=$(cat /tmp/asking)
check "a question is logged with the command that answers it" timeout 20 bash -c "
    until journalctl -x INTENT_RUN_ID=$run | grep -q 'intentctl answer $run'; do sleep 0.1; done"
as_member intentctl answer "$run" 2 >/dev/null
check "the answer is logged" timeout 20 bash -c "
    until journalctl -o cat INTENT_RUN_ID=$run | grep -q ': answered by user $uid$'; do sleep 0.1; done"
check "an answer is logged with its user" has \
    "e('INTENT_RUN_ID') == '$run' and e('INTENT_ANSWERED_BY') == uid and e('INTENT_ANSWER') == 'answered'"

# Output, including half a line, of a worker that is killed immediately afterwards.
as_member intentctl run Probe/PrintBytes --hex "$(printf 'whole line\nhalf a line' | od -An -tx1 | tr -d ' \n')" --stays >/tmp/killed 2>&1 &
client=$!
check "the worker has printed" timeout 20 bash -c 'until grep -q "whole line" /tmp/killed; do sleep 0.05; done'
# The worker gets this name a moment after its run starts.
timeout 20 bash -c 'until pkill -KILL -x Probe; do sleep 0.05; done'
wait "$client" || true
left "$(newest)"
check "output printed before SIGKILL is logged" has "e('MESSAGE') == 'whole line' and e('INTENT_NAME') == 'PrintBytes'"
check "an unfinished line is logged" has "e('MESSAGE') == 'half a line' and e('INTENT_NAME') == 'PrintBytes'"
as_member intentctl run Probe/ReadText --path /srv/absent --uses-foundation >/dev/null 2>&1 || true
check "an end that a setting caused is logged with the setting" has \
    "e('INTENT_SETTING') == 'ReadPaths=/srv/absent' and 'which its sandbox does not contain' in e('MESSAGE')"
check "a crash is logged as a warning" has "e('INTENT_OUTCOME') == 'crashed' and e('PRIORITY') == '4'"

as_member intentctl run Probe/PrintBytes --hex 1b5b33316d726564078080c3280a00ff0a9b310a >/dev/null 2>&1
left "$(newest)"
check "escape codes are escaped" has "e('MESSAGE') == '\\\\u{1B}[31mred\\\\u{07}\ufffd\ufffd\ufffd('"
check "invalid UTF-8 is replaced" has "e('MESSAGE') == '\\\\u{00}\ufffd'"
check "no entry is a blob" test "$(count "isinstance(e('MESSAGE'), list)")" = 0
check "no entry has a control character" test "$(count "any(ord(c) < 32 and c not in '\n\t' for c in e('MESSAGE'))")" = 0

as_member intentctl run Probe/PrintBytes --hex 61626364 --count 25000 >/dev/null 2>&1
left "$(newest)"
check "a line of 100000 bytes is logged completely, in pieces" test "$(entries | python3 -c '
import json, sys
print("".join(e["MESSAGE"] for e in map(json.loads, sys.stdin) if e["MESSAGE"].startswith("abcd")) == "abcd" * 25000)')" = True

as_member intentctl run Probe/Flood --lineCount 30000 >/dev/null 2>&1
run=$(newest)
left "$run"
lines=$(count "e('INTENT_RUN_ID') == '$run' and e('MESSAGE').startswith('line ')")
check "a flood is rate-limited" test "$lines" -ge 1000 -a "$lines" -lt 10000
check "the number of omitted lines is logged exactly" test "$(entries | python3 -c '
import json, re, sys
mine = [e["MESSAGE"] for e in map(json.loads, sys.stdin) if e.get("INTENT_RUN_ID") == sys.argv[1]]
dropped = sum(int(m.group(1)) for m in (re.match(r"dropped (\d+) lines? of the output", t) for t in mine) if m)
print(dropped + sum(t.startswith("line ") for t in mine))' "$run")" = 30000
check "intentd's entries about the run are not omitted" has "e('INTENT_RUN_ID') == '$run' and e('INTENT_OUTCOME') == 'done'"
as_member nice -n 5 intentctl run Probe/Prints --text nice >/dev/null 2>&1
journalctl --sync
check "no program has an entry of libdispatch about priorities" test \
    "$(journalctl -q -o cat | grep -c 'Failed to set thread priority')" = 0

# Texts of an app and a caller are plain text wherever they are displayed: they add no field, level, unit or line.
hex() { od -An -v -tx1 | tr -d ' \n'; }
install -m 755 "$built/Attacker" /usr/local/lib/intentd/apps/Attacker
install -m 755 "$built/Attacker" /usr/local/lib/intentd/apps/Named
name='x\n_SYSTEMD_UNIT=sshd.service\nPRIORITY=0\nFORGED=yes'
catalog='{"type":"catalog","catalog":{"intents":[{"name":"'$name'","title":"'$name'","isDiscoverable":true,"traits":[],"parameters":[]}]}}'
printf '[App]\nEnvironment=ATTACKER_CATALOG=%s\n' "$(printf %s "$catalog" | hex)" >/etc/intentd/apps.d/Named.conf
timeout 60 intentctl reload >/dev/null || true
for text in '<0>forged\n' '<0>forged\n<1>forged' '_SYSTEMD_UNIT=sshd.service\nFORGED=yes\n' 'MESSAGE=forged\nPRIORITY=0\n' \
    '\n\x10\x00\x00\x00\x00\x00\x00\x00FORGED=yes\n' 'FORGED\n\x03\x00\x00\x00\x00\x00\x00\x00yes\n' '\xff\xfe<0>\n' \
    '\r<0>forged\r\n' 'a\xe2\x80\xa8_SYSTEMD_UNIT=sshd.service\n' 'intentd_owned 1\n# EOF\n'; do
    # shellcheck disable=SC2059
    as_member intentctl run Probe/PrintBytes --hex "$(printf "$text" | hex)" >/dev/null 2>&1 || true
done
# A megabyte without a newline, and one of short lines.
as_member intentctl run Probe/PrintBytes --hex 41414141 --count 250000 >/dev/null 2>&1 || true
as_member intentctl run Probe/PrintBytes --hex "$(printf '<0>abc\n' | hex)" --count 150000 >/dev/null 2>&1 || true
value=$(printf '<0>x\n_SYSTEMD_UNIT=sshd.service\nFORGED=yes\n\033[2J"} 1\nintentd_owned 1\n')
as_member intentctl run Probe/Prints --text "$value" >/dev/null 2>&1 || true
as_member intentctl run Probe/AskSomething --way "$value" --names "$value" >/dev/null 2>&1 || true
as_member intentctl run "Named/$(printf %b "$name")" >/dev/null 2>&1 || true
as_member intentctl run "Probe/$value" >/dev/null 2>&1 || true
for place in value dialog output errors error progress; do
    as_member intentctl run --no-input Attacker/Escape --place $place >/dev/null 2>&1 || true
done
left "$(newest)"
cat >/tmp/fields.py <<'PYTHON'
import json, sys, unicodedata
for entry in map(json.loads, sys.stdin):
    # systemd logs entries about the unit, too.
    if entry.get("_COMM") != "intentd": continue
    text = "".join(value for value in entry.values() if isinstance(value, str))
    if entry["PRIORITY"] not in "3456" or entry["_SYSTEMD_UNIT"] != "intentd.service": print("chosen:", entry)
    if any("FORGED" in key for key in entry): print("a field:", entry)
    # A repeated field is a list, and so is a field with binary data.
    if any(isinstance(value, list) for value in entry.values()): print("twice, or no text:", entry)
    if any(c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") for c in text): print("unseen:", entry)
PYTHON
cat >/tmp/shown.py <<'PYTHON'
import sys, unicodedata
text = open("/tmp/shown", encoding="utf-8").read()
found = {hex(ord(c)) for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")}
sys.exit(str(found) if found or "sshd.service" not in text else 0)
PYTHON
cat >/tmp/metrics.py <<'PYTHON'
import re, sys
lines = sys.stdin.read().split("\n")
label = r'[a-z_]+="(?:[^"\\]|\\[n"\\])*"'
line = re.compile(r"# (TYPE|UNIT|HELP) intentd_[a-z_]+ .*|intentd_[a-z_]+(\{%s(,%s)*\})? [-+0-9.eInf]+" % (label, label))
bad = [each for each in lines[:-2] if not line.fullmatch(each) or each.startswith("intentd_owned")]
sys.exit(str(bad[:3]) if bad or lines[-2:] != ["# EOF", ""] else 0)
PYTHON
check "the caller's text is in the journal" has "'_SYSTEMD_UNIT=sshd.service' in (e('MESSAGE') or '')"
check "no entry has a level, unit, field or invisible character chosen by an app" test -z "$(entries | python3 /tmp/fields.py)"
check "the journal has no entry for another unit" test -z "$(journalctl -q -o json -u sshd.service)"
{
    intentctl history --by all -n 40
    intentctl --output json history --by all -n 40 |
        python3 -c 'import json,sys; print("\n".join(run["run"] for run in json.load(sys.stdin)["runs"]))' >/tmp/runs
    # The newest runs cover every kind of text.
    for run in $(head -14 /tmp/runs); do
        for verb in show why; do timeout 20 intentctl $verb "$run" || true; done
        # Standard output is the unchanged value, so it is not checked.
        timeout 20 intentctl watch --no-input "$run" 2>&1 >/dev/null || true
    done
} >/tmp/shown 2>&1
check "history, show, why and watch display the texts harmlessly" python3 /tmp/shown.py
check "the metrics have only valid lines, and end with # EOF" bash -c 'intentctl metrics | python3 /tmp/metrics.py'

# A journal that hangs must not block runs.
journald=$(systemctl show -P MainPID systemd-journald.service)
kill -STOP "$journald"
for _ in 1 2 3; do
    check "runs are served while the journal hangs" as_member intentctl run Probe/Flood --lineCount 2000
done
kill -CONT "$journald"
as_member intentctl run Probe/Prints --text after >/dev/null 2>&1
left "$(newest)"
check "later output reaches the journal" has "e('MESSAGE') == 'after'"

systemctl stop intentd.socket intentd.service
