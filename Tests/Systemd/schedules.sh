#!/bin/bash
# Inside a booted systemd: schedules of root and of a user, their values, overlap, missed starts, and their removal. Every
# line that begins with "ok" or "not ok" is one check.
#
#   schedules.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

fails() { # CODE WORDS COMMAND...: the command exits with CODE and prints WORDS
    local code=0
    "${@:3}" >/tmp/output 2>&1 || code=$?
    cat /tmp/output
    [ "$code" = "$1" ] && grep -qF -- "$2" /tmp/output
}
soon() { timeout 60 bash -c "until $1; do sleep 0.4; done"; }
# json EXPRESSION: evaluates Python about the document x on standard input.
json() { python3 -c "import json, sys; x = json.load(sys.stdin); print($1)"; }
# outcomes INTENT: the outcomes of its runs, the oldest first.
outcomes() {
    intentctl -o json history --by all --app "Probe/$1" |
        json '" ".join(r.get("outcome") or r["state"] for r in reversed(x["runs"]))'
}
export -f outcomes json
ours() { find /etc/systemd/system /home/member/.config /var/lib/systemd/timers -name '*intent-schedule-*' 2>/dev/null; }

install_programs "$project" "$built"
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/
printf '[Intent SignIn]\nSecret=password\n[Intent AskSomething]\nSecret=password\n' >/etc/intentd/apps.d/Probe.conf
# The login manager does this on other systems. It is not running here.
cat >/etc/systemd/system/user-runtime-dir@.service <<-END
	[Service]
	Type=oneshot
	RemainAfterExit=yes
	ExecStart=/usr/bin/install -d -o %i -g %i -m 700 /run/user/%i
END
systemctl daemon-reload
systemctl start intentd.socket
useradd --create-home member
useradd --create-home --groups intentd owner

# Refusals.
add() { intentctl schedule add "$@"; }
check "a calendar that systemd cannot read is refused" fails 64 "expected a systemd calendar expression" add x 'Mon 25:00' Probe/Echo
check "a calendar in the past is refused" fails 64 "never elapses again" add x 2020-01-01 Probe/Echo
check "an unknown intent is refused" fails 66 "has no intent 'Ecko'" add x daily Probe/Ecko
check "an unknown parameter is refused" fails 64 "has no parameter 'txt'" add x daily Probe/Echo --txt a
check "a missing value is refused" fails 64 "needs --text" add x daily Probe/Echo
check "a secret value is refused" fails 64 "--credential password=" add x daily Probe/SignIn --user a --password b
check "an answer to a secret question is refused" fails 64 "--credential" \
    add --answer password=b x daily Probe/AskSomething --way text
install -m 600 /dev/null /srv/mine
check "a file that the user of the schedule cannot read is refused" fails 64 "cannot read '/srv/mine'" \
    add --as owner x daily Probe/Measure --file /srv/mine
check "a relative path is refused" fails 64 "expected an absolute path" add x daily Probe/Measure --file mine
check "nothing was written" test -z "$(ours)"

# A timer of root, with another user's runs.
echo words >/home/owner/letters.txt
check "root adds a schedule for another user" add --as owner --time-zone Asia/Tokyo zone '09:00' Probe/Measure --file /home/owner/letters.txt
check "its next start is in the time zone" test "$(intentctl -o json schedule show zone | json 'x["nextMilliseconds"] % 86400000')" = 0
check "an existing name is refused" fails 64 "exists" add zone daily Probe/Echo --text x
check "systemd-analyze accepts its units" systemd-analyze verify --man=no /etc/systemd/system/intent-schedule-zone.timer
add --replace --as owner zone '*:*:0/2' Probe/Where >/dev/null
check "the timer performs the replaced schedule" soon '[ "$(outcomes Where | wc -w)" -ge 2 ]'
check "its user owns the runs" test "$(intentctl -o json history --by owner --app Probe/Where -n 1 | json 'len(x["runs"])')" = 1
check "list shows its last outcome" soon "intentctl schedule list | grep -qE '^zone +Probe/Where .* done +[0-9a-z]+ +skip +owner\$'"
run=$(intentctl -o json schedule show zone | json 'x["lastRun"]["run"]')
check "the run's key names the schedule" bash -c "intentctl -o json show $run | grep -q '\"key\" : \"schedule:zone:[0-9a-f]\{32\}\"'"
check "the journal of its unit names the run" says intent-schedule-zone.service "^run [0-9a-z]+: Probe/Where$"
check "a schedule is removed" intentctl schedule remove zone
check "nothing of it is left" test -z "$(ours)"
check "its timer is unloaded" test "$(systemctl show -P LoadState intent-schedule-zone.timer)" = not-found
add --as owner broken yearly Probe/Throws --message broken >/dev/null
intentctl schedule run broken 2>/dev/null
check "a run that fails makes its unit fail" soon 'systemctl is-failed --quiet intent-schedule-broken.service'
check "its exit code is the run's" test "$(systemctl show -P ExecMainStatus intent-schedule-broken.service)" = 1
intentctl schedule remove broken

# Users who lose a permission, or the account, between two starts. Nothing is started, and no start is repeated.
refused() { # CODE: the start of the schedule "leaves" fails with that exit code for good, and makes no further run
    local runs
    runs=$(outcomes Where | wc -w)
    ! systemctl start intent-schedule-leaves.service &&
        [ "$(systemctl show -P ExecMainStatus intent-schedule-leaves.service)" = "$1" ] &&
        [ "$(systemctl show -P SubState intent-schedule-leaves.service)" = failed ] &&
        [ "$(outcomes Where | wc -w)" = "$runs" ]
}
# permit LINE: the users with permission to perform Where
permit() {
    printf '[Intent SignIn]\nSecret=password\n[Intent AskSomething]\nSecret=password\n[Intent Where]\n%s\n' "$1" \
        >/etc/intentd/apps.d/Probe.conf
    intentctl reload
}
groupadd team
useradd --create-home --groups team,intentd leaver
permit AllowGroups=team >/dev/null
add --as leaver leaves yearly Probe/Where >/dev/null
check "a schedule starts while its user is in the group that may run the intent" systemctl start intent-schedule-leaves.service
gpasswd --delete leaver team >/dev/null
check "it does not start when the user has left the group" refused 77
permit AllowUsers=leaver >/dev/null
check "it starts for a user with permission by name" systemctl start intent-schedule-leaves.service
permit AllowUsers=owner >/dev/null
check "it does not start after a reload without that name" refused 77
permit AllowUsers=leaver >/dev/null 2>&1
gpasswd --delete leaver intentd >/dev/null
check "it does not start when the user has left the group intentd" refused 77
gpasswd --add leaver intentd >/dev/null
check "it starts after the user has joined it again" systemctl start intent-schedule-leaves.service
leaver=$(id -u leaver)
userdel leaver
printf '[Notify]\nOnFailure=Probe/Report\n' >/etc/intentd/intentd.conf.d/notify.conf
systemctl reload intentd.service
check "it does not start when the account was removed" refused 217
reported() { # USER: the newest notification is about this user
    local run
    run=$(intentctl -o json history --by all --app Probe/Report | json 'x["runs"][0]["run"]')
    [ -n "$run" ] && intentctl show "$run" | grep -q "$1"
}
export -f reported
check "that start is reported for the removed account" soon 'reported leaver 2>/dev/null'

# A shortcut that a schedule performs. The failure of its step is the failure of the shortcut, which is reported once.
mkdir -p /etc/intentd/shortcuts.d
printf '[Shortcut Nightly]\n[Step first]\nIntent=Probe/Echo\nValues=text=a\n[Step second]\nIntent=Probe/Throws\nValues=message=broken\n' \
    >/etc/intentd/shortcuts.d/Nightly.shortcut
systemctl reload intentd.service
reports=$(outcomes Report | wc -w)
add --as owner nightly yearly Nightly/Nightly >/dev/null
intentctl schedule run nightly 2>/dev/null
check "a schedule performs a shortcut, and a failed step makes its unit fail" soon 'systemctl is-failed --quiet intent-schedule-nightly.service'
check "its steps belong to the user of the schedule" test "$(intentctl -o json history --by owner --app Probe/Throws -n 1 | json 'len(x["runs"])')" = 1
check "the failed shortcut is reported, with the step" soon 'reported second 2>/dev/null'
sleep 1
check "and reported once" test "$(outcomes Report | wc -w)" = $((reports + 1))
intentctl schedule remove nightly
rm /etc/intentd/shortcuts.d/Nightly.shortcut
rm /etc/intentd/intentd.conf.d/notify.conf
systemctl reload intentd.service
useradd --uid "$leaver" heir
check "it does not start for another account with the uid" refused 217
check "the other account sees no run of the schedule" bash -c "runuser -u heir -g intentd -- intentctl history | { ! grep -q Where; }"
intentctl schedule remove leaves
permit "" >/dev/null

# No intentd: the start is repeated, and shown.
add --as owner waits yearly Probe/Prints --text now >/dev/null
systemctl stop intentd.socket intentd.service
intentctl schedule run waits 2>/dev/null
check "a start without intentd is repeated later" soon '[ "$(systemctl show -P SubState intent-schedule-waits.service)" = auto-restart ]'
check "a start does not start the service that was stopped" test "$(systemctl is-active intentd.socket)" = inactive
check "show says that it led to no run" bash -c "intentctl schedule show waits 2>/dev/null | grep -q '^start .*exit code 69'"
systemctl start intentd.socket
check "it is removed with its next repetition" bash -c "intentctl schedule remove waits &&
    [ \"\$(systemctl is-active intent-schedule-waits.service)\" = inactive ]"

# A secret, which only systemd reads, at each start.
printf 'hush\n' >/etc/secret
chmod 600 /etc/secret
check "a schedule passes a secret value from a file" add --as owner --credential password=/etc/secret signs yearly Probe/SignIn --user a
check "its run receives the value" systemctl start intent-schedule-signs.service
check "the unit does not contain the secret" bash -c '! grep -r hush /etc/systemd/system'
rm /etc/secret
check "without the file, no run starts" bash -c '! systemctl start intent-schedule-signs.service'
intentctl schedule remove signs

# Daylight saving time.
check "a start that daylight saving time skips is announced" bash -c "intentctl schedule add --as owner --time-zone Europe/Berlin gap \
    '*-*-* 02:30' Probe/Where 2>&1 | grep -E '^no start at [0-9]+-03-[0-9]+ 02:30:00 Europe/Berlin: daylight saving'"
check "an hourly schedule loses no start" bash -c "! intentctl schedule add --replace --as owner --time-zone Europe/Berlin gap hourly \
    Probe/Where 2>&1 | grep -q daylight"
check "each line names the zone" bash -c "intentctl schedule list | grep -qE '^gap .*[0-9]:00:00 UTC'"
intentctl schedule remove gap

# Values, which arrive as they were given.
python3 - >/tmp/values <<-'END'
	import json, random
	pieces = ["%", "%n", "%%", "$", "$$", "${HOME}", "$HOME", "\\", "\\n", '"', "'", ";", " ; ", " ", "\n", "\r\n", "\t", "#", "\x01",
	          "\x7f", "é", "🍜", "\u2028", "=", "-", "a", "*", "`", "{", "}", "@", ":", "!", "+", "|"]
	random.seed(19)
	for text in [";", "${HOME}", "\\", "", " ", "\n", "%", "".join(pieces)] + [
	        "".join(random.choice(pieces) for _ in range(300)) for _ in range(8)]:
	    print(json.dumps(text))
END
number=0
while read -r value; do
    number=$((number + 1))
    text=$(python3 -c 'import json, sys; sys.stdout.write(json.loads(sys.argv[1]) + ".")' "$value")
    text=${text%.}
    add --as owner "value$number" yearly Probe/Echo "--text=$text" >/dev/null
    systemctl start "intent-schedule-value$number.service"
    check "hostile value $number arrives unchanged" test "$(intentctl -o json history --by owner --app Probe/Echo -n 1 |
        json 'x["runs"][0]["run"]' | xargs intentctl -o json show | json 'json.dumps(x["parameters"]["text"])')" = "$value"
done </tmp/values
add --as owner --json '{"text": "\uffff%n${HOME}"}' json yearly Probe/Echo >/dev/null
systemctl start intent-schedule-json.service
check "a value in JSON arrives unchanged" test "$(intentctl -o json history --by owner --app Probe/Echo -n 1 |
    json 'x["runs"][0]["run"]' | xargs intentctl -o json show | json 'json.dumps(x["parameters"]["text"])')" = '"\uffff%n${HOME}"'
check "all of them are removed at once" bash -c "intentctl schedule list | awk '/^(value|json)/ { print \$1 }' | xargs intentctl schedule remove"
check "no schedule of a value is left" test -z "$(ours)"

# Overlap. Each schedule has an intent of its own.
begins() { # NAME INTENT: starts the schedule, and waits until its run is running
    intentctl schedule run "$1" 2>/dev/null
    soon "outcomes $2 | grep -q running\$"
}
add --as owner skips yearly Probe/Cleanup --milliseconds 100 >/dev/null
begins skips Cleanup
intentctl schedule run skips 2>/dev/null
sleep 1
check "skip: a start during a run is dropped" test "$(outcomes Cleanup)" = running
systemctl stop intent-schedule-skips.service 2>/dev/null
check "a stop of the unit cancels the run" test "$(outcomes Cleanup)" = cancelled
intentctl schedule remove skips

# Longer than three starts take on a busy machine.
add --as owner --overlap queue queues yearly Probe/Slow --seconds 12 >/dev/null
begins queues Slow
for _ in 1 2 3; do intentctl schedule run queues 2>/dev/null; done
sleep 0.5
check "queue: starts during a run wait" test "$(outcomes Slow)" = running
check "queue: the starts that waited perform one more run" soon '[ "$(outcomes Slow)" = "done done" ]'
sleep 1
check "queue: and no further one" test "$(outcomes Slow)" = "done done"
intentctl schedule remove queues

add --as owner --overlap cancel cancels yearly Probe/Slow --seconds 60 >/dev/null
begins cancels Slow
intentctl schedule run cancels 2>/dev/null
check "cancel: the older run is cancelled, and a new one begins" soon '[ "$(outcomes Slow)" = "done done cancelled running" ]'
check "cancel: its reason is recorded" test "$(intentctl -o json history --by all --app Probe/Slow --state cancelled |
    json 'x["runs"][0]["reason"]')" = userCancelled
check "removing a schedule leaves its run" intentctl schedule remove cancels
systemctl daemon-reload
check "the run goes on" test "$(outcomes Slow)" = "done done cancelled running"
check "its unit keeps its settings" test "$(systemctl show -P TimeoutStartUSec -P KillSignal intent-schedule-cancels.service | tr '\n' ' ')" = "infinity 2 "
intentctl cancel --by all --all >/dev/null 2>&1

# Missed starts: the last start was two days ago.
for missed in run skip; do
    add --as owner --missed $missed "missed-$missed" daily Probe/Echo --text "$missed" >/dev/null
    systemctl stop "intent-schedule-missed-$missed.timer"
    mkdir -p /var/lib/systemd/timers
    touch -d '2 days ago' "/var/lib/systemd/timers/stamp-intent-schedule-missed-$missed.timer"
    before=$(outcomes Echo | wc -w)
    systemctl start "intent-schedule-missed-$missed.timer"
    case $missed in
    run) check "a missed start is performed" soon "[ \$(outcomes Echo | wc -w) = $((before + 1)) ]" ;;
    skip)
        sleep 1
        check "a missed start is skipped on request" test "$(outcomes Echo | wc -w)" = "$before"
        # systemd reads and writes this file of a timer only with Persistent=yes.
        rm "/var/lib/systemd/timers/stamp-intent-schedule-missed-$missed.timer"
        ;;
    esac
done
intentctl schedule remove missed-run missed-skip

# A user's own.
usermod -aG intentd member
uid=$(id -u member)
as_member() {
    runuser -u member -- env XDG_RUNTIME_DIR="/run/user/$uid" HOME=/home/member \
        DBUS_SESSION_BUS_ADDRESS="unix:path=/run/user/$uid/bus" "$@"
}
check "without a systemd of the user, a schedule is refused with the next step" fails 69 "loginctl enable-linger" \
    as_member intentctl schedule add own '*:*:0/2' Probe/Add --first 1
check "and nothing was written" test -z "$(ours)"
systemctl start "user@$uid.service"
check "a user cannot schedule runs of others" fails 77 "only root" as_member intentctl schedule add --as root own daily Probe/Add --first 1
check "a user adds a schedule" as_member intentctl schedule add own '*:*:0/2' Probe/Add --first 1
check "the user's timer performs it" soon '[ "$(outcomes Add | wc -w)" -ge 1 ]'
check "the user owns the run" test "$(as_member intentctl -o json history -n 1 | json 'x["runs"][0]["intent"]')" = AddIntent
check "root's list does not have it" test "$(intentctl schedule list | wc -l)" = 1
touch /home/member/.config/systemd/user/intent-schedule-foreign.timer
check "a file of another author is not removed" fails 78 "did not write" as_member intentctl schedule remove foreign
rm /home/member/.config/systemd/user/intent-schedule-foreign.timer
check "the user removes it" as_member intentctl schedule remove own
as_member mkdir -p /home/member/.local/lib/intentd/apps /home/member/.config/intentd
install -o member -m 755 "$built/Probe" /home/member/.local/lib/intentd/apps/
asks_for_less /home/member/.config/intentd
chown -R member /home/member/.config/intentd
as_member systemctl --user start intentd.socket
check "a user's schedule can use the user's own intentd" as_member intentctl --user schedule add --json '{"text": "mine"}' mine \
    '*:*:0/2' Probe/Echo
as_member intentctl schedule run mine 2>/dev/null
check "its run is the user's own intentd's" soon "runuser -u member -- env XDG_RUNTIME_DIR=/run/user/$uid intentctl --user history --app Probe/Echo | grep -q done"
check "its last outcome comes from there" bash -c "runuser -u member -- env XDG_RUNTIME_DIR=/run/user/$uid HOME=/home/member \
    intentctl schedule list | grep -qE '^mine +Probe/Echo .* done '"
check "it is removed" as_member intentctl schedule remove mine
check "nothing of the user's schedule is left" test -z "$(ours)"

# Uninstalling.
add --as owner kept '*:*:0/2' Probe/Echo --text kept >/dev/null
check "uninstalling stops schedules" "$project/units/uninstall" --end-runs
check "no schedule is started at a boot" test -z "$(find /etc/systemd/system -path '*.wants/intent-schedule-*')"
check "no timer is active" test "$(systemctl is-active intent-schedule-kept.timer)" = inactive
