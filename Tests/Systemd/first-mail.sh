#!/bin/bash
# Inside a booted systemd: the path of an operator from nothing to the first schedule with a failure that arrives as mail, then what
# notifications promise, and the recipe that lets an intent restart one unit. Every line that begins with "ok" or "not ok" is one check.
#
#   first-mail.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

soon() { timeout "${2:-30}" bash -c "until $1; do sleep 0.1; done"; }

# A mail server, which writes each mail to a file.
cat >/tmp/sink.py <<'END'
import base64, re, socketserver
class Mail(socketserver.StreamRequestHandler):
    def say(self, text): self.wfile.write(text + b"\r\n"); self.wfile.flush()
    def handle(self):
        self.say(b"220 here")
        while line := self.rfile.readline().strip():
            if line.startswith(b"EHLO"): self.say(b"250-here"); self.say(b"250 8BITMIME")
            elif line == b"DATA":
                self.say(b"354 go on")
                lines = []
                while (line := self.rfile.readline()) != b".\r\n": lines.append(line.decode().rstrip())
                text = "\n".join(lines)
                subject = base64.b64decode(re.search(r"Subject: =\?utf-8\?B\?(.+)\?=", text)[1]).decode()
                with open("/tmp/mails", "a") as file: print("subject: " + subject + "\n" + text, file=file, flush=True)
                self.say(b"250 kept")
            elif line == b"QUIT": self.say(b"221 bye"); return
            else: self.say(b"250 fine")
socketserver.ThreadingTCPServer.allow_reuse_address = True
socketserver.ThreadingTCPServer(("127.0.0.1", 25), Mail).serve_forever()
END
: >/tmp/mails
python3 /tmp/sink.py &
sink=$!
# mails PATTERN: the number of lines in mails that match.
mails() { grep -c -- "$1" /tmp/mails || true; }
export -f mails

# The test's own preparations: the libraries of a debug build, and a lower isolation grade for test hosts.
provide_libraries "$built"
asks_for_less /etc/intentd

# The operator's commands.
SECONDS=0
"$project/units/install" --from "$built" --no-example >/dev/null
systemctl enable --quiet --now intentd
cat >/etc/intentd/intentd.conf <<END
[Notify]
OnFailure=Mail/Send
OnRecovery=Mail/Send
OnQuestion=Mail/Send
END
cat >/etc/intentd/commands.d/Backup.intents <<END
[Intent Run]
Exec=/usr/bin/false %{database}
[Intent Run.Parameter database]
END
intentctl reload >/dev/null
intentctl schedule add nightly '*-*-* *:*:0/2' Backup/Run --database sales
check "the failure of the first scheduled job arrives as mail" soon '[ "$(mails "^subject: schedule nightly: failure on ")" = 1 ]'
check "from nothing, in 60 s" test $SECONDS -lt 60
echo "# $SECONDS s"
check "the mail names the schedule, the run and the outcome" bash -c \
    'grep -qx "schedule: nightly" /tmp/mails && grep -qE "^run: [0-9a-z]{10}$" /tmp/mails && grep -qx "outcome: failed" /tmp/mails'
check "it is sent to the default address" grep -qx 'To: root@localhost' /tmp/mails

# Counted for each schedule.
sed 's/false/true/' /etc/intentd/commands.d/Backup.intents >/etc/intentd/commands.d/Copy.intents
intentctl schedule add --replace other '*-*-* *:*:0/2' Copy/Run --database stock >/dev/null
sleep 5
check "further failures are not reported again, whatever another schedule does" test "$(mails '^subject: ')" = 1
sed -i 's/false/true/' /etc/intentd/commands.d/Backup.intents
check "the first success is reported as the recovery" soon '[ "$(mails "^subject: schedule nightly: recovery on ")" = 1 ]'

# A start that yields no run.
sed -i 's/^Exec=.*/Exxec=/' /etc/intentd/commands.d/Backup.intents
check "a typo in the file is reported" soon '[ "$(mails "^message: the start did not result in a run: ")" = 1 ]'

# A delivery that fails.
intentctl schedule remove nightly other
kill $sink
wait $sink 2>/dev/null || true
printf '[Intent Run]\nExec=/usr/bin/false\n' >/etc/intentd/commands.d/Late.intents
! intentctl run Late/Run 2>/dev/null
check "a delivery that fails is repeated later" soon "journalctl -u intentd | grep -q 'not reported yet (failure) by Mail/Send'"
systemctl kill --signal=KILL intentd
python3 /tmp/sink.py &
sink=$!
check "also by the next intentd" soon '[ "$(mails "^subject: Late/Run: failure on ")" = 1 ]'
check "it was a repetition" test "$(intentctl history --by all --app Mail | grep -c failed)" -ge 1

# Metrics, and what uses them.
intentctl schedule add --replace nightly '*-*-* 02:30' Copy/Run --database sales >/dev/null
systemctl start intent-schedule-nightly.service
recoveries() { mails "^subject: schedule nightly: recovery on "; }
export -f recoveries
check "the next success is the recovery, also of a schedule that was removed in between" soon '[ "$(recoveries)" = 2 ]'
intentctl metrics >/tmp/metrics
check "a schedule's last success, duration and next start are metrics" bash -c '
    for name in last_success_timestamp_seconds last_duration_milliseconds next_start_timestamp_seconds; do
        grep -qE "^intentd_schedule_$name\{schedule=\"nightly\".* [0-9]+$" /tmp/metrics || exit 1
    done'
check "the dashboard and the alert rules name metrics that exist" python3 - <<'END'
import json, re
known = {line.split()[2] for line in open("/tmp/metrics") if line.startswith("# TYPE ")}
folder = "/usr/share/intentd/monitoring/intentd-"
texts = [target["expr"] for panel in json.load(open(folder + "dashboard.json"))["panels"] for target in panel["targets"]]
texts += re.findall(r"expr: (.*)", open(folder + "alerts.yml").read())
names = {re.sub("_(total|bucket)$", "", name) for text in texts for name in re.findall("intentd_[a-z_]+", text)}
assert len(names) > 8 and names <= known, names - known
END

# A shortcut with a schedule: one notification for the whole.
cat >/etc/intentd/shortcuts.d/Close.shortcut <<END
[Shortcut Month]
OnFailure=undo
[Shortcut Month.Parameter database]
[Step copy]
Intent=Copy/Run
Values=database=%{database}
[Step send]
Intent=Send/Run
END
cat >/etc/intentd/shortcuts.d/Ask.shortcut <<END
[Shortcut Year]
[Step sure]
Ask=Close the year?
[Step copy]
Intent=Copy/Run
Values=database=stock
END
printf '[Intent Run]\nExec=/usr/bin/false\n' >/etc/intentd/commands.d/Send.intents
intentctl reload >/dev/null
intentctl schedule add closing '*-*-* 02:30' Close/Month --database sales >/dev/null
check "a scheduled shortcut fails with its step" bash -c '! systemctl start intent-schedule-closing.service'
check "its failure arrives as mail, which names the step" soon "[ \"\$(mails \"^message: step 'send': \")\" = 1 ]"
check "as a failure of that schedule, and of no step" test "$(mails '^subject: schedule closing: failure on ') $(mails '^subject: Send/Run')" = '1 0'
sed -i 's/false/true/' /etc/intentd/commands.d/Send.intents
check "the shortcut starts again" systemctl start intent-schedule-closing.service
check "its success is the recovery" soon '[ "$(mails "^subject: schedule closing: recovery on ")" = 1 ]'
intentctl schedule remove closing
asking=$(intentctl run --detach Ask/Year)
check "the question of a shortcut arrives as mail" soon '[ "$(mails "^subject: Ask/Year: question on ")" = 1 ]'
check "it names the run to answer" grep -q "intentctl answer $asking" /tmp/mails
intentctl answer "$asking" yes
check "the answered shortcut succeeds" intentctl wait "$asking"

# The recipe: one intent restarts one unit.
printf '[Service]\nExecStart=/bin/sleep infinity\n' >/etc/systemd/system/web.service
groupadd web-operators
useradd --groups intentd,web-operators ada
useradd --groups intentd bob
cd "$project/examples/restart"
install -m 644 restart-web.socket restart-web@.service /etc/systemd/system/
systemctl daemon-reload && systemctl enable --quiet --now restart-web.socket
install -m 644 restart.intents /etc/intentd/commands.d/
systemctl start web.service
before=$(systemctl show -P MainPID web.service)
check "a member of the group restarts the unit" runuser -u ada -- intentctl run restart/Web
check "the unit has restarted" test "$(systemctl show -P MainPID web.service)" != "$before"
check "another user may not" bash -c '! runuser -u bob -- intentctl run restart/Web'
rm /etc/systemd/system/web.service
systemctl stop web.service && systemctl daemon-reload
check "a restart that fails fails the run" bash -c '! runuser -u ada -- intentctl run restart/Web'

# Starts that are refused at connect: of a user who has lost access, and without an intentd.
refused='^message: the start did not result in a run: '
export refused
intentctl schedule add --as bob guarded '*-*-* 02:30' Copy/Run --database sales >/dev/null
gpasswd --delete bob intentd >/dev/null
! systemctl start intent-schedule-guarded.service 2>/dev/null
check "a start of a user who has lost access is reported" soon '[ "$(mails "${refused}its user may not connect to intentd")" = 1 ]'
check "as a failure of that schedule" soon '[ "$(mails "^subject: schedule guarded: failure on ")" = 1 ]'
systemctl stop intentd.socket intentd.service
for name in start-failure-nightly .start-failure-nightly; do ln -s /etc/written "/var/lib/intentd/$name"; done
systemctl start --no-block intent-schedule-nightly.service
check "a start without intentd is kept" soon 'test -f /var/lib/intentd/start-failure-nightly -a ! -L /var/lib/intentd/start-failure-nightly'
check "root follows no link of intentd's user" test ! -e /etc/written
systemctl start intentd.socket
intentctl status >/dev/null || true
check "and reported when intentd is back" soon '[ "$(mails "${refused}intentd did not answer; systemd repeats the start")" = 1 ]'
check "once" test ! -e /var/lib/intentd/start-failure-nightly
systemctl stop intent-schedule-nightly.service
systemctl start intent-schedule-nightly.service
check "the next success is the recovery" soon '[ "$(recoveries)" = 3 ]'
kill $sink
intentctl schedule remove nightly guarded
systemctl stop intentd.socket intentd.service
check "the service stops without a failure" test "$(systemctl show -P Result intentd.service)" = success
exit $((failures > 0))
