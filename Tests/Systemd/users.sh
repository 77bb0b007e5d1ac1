#!/bin/bash
# Inside a booted systemd: permissions of users and groups, and an upgrade from a version in which intentd and its workers
# shared one user. Every line that begins with "ok" or "not ok" is one check.
#
#   users.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

as() { timeout 60 runuser -u "$1" -- "${@:2}"; }
fails_with() { local code=0; "${@:2}" >/tmp/output 2>&1 || code=$?; [ "$code" = "$1" ] || { echo "$code"; cat /tmp/output; false; }; }
gives() { [ "$("${@:2}" 2>/tmp/errors)" = "$1" ] || { cat /tmp/errors; false; }; }
user_of() { stat -c %U "/proc/$(systemctl show -P MainPID "$1")"; }
connects() { python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).connect(sys.argv[1])' "$1"; }
fails() { ! "$@" >/tmp/output 2>&1; }

install_programs "$project" "$built"
mkdir -m 777 /tmp/work && cd /tmp/work
install -m 755 "$built/Probe" "$built/Archive" /usr/local/lib/intentd/apps/
useradd --groups intentd member
useradd --groups intentd,intentd-operators overseer
mkdir -p /etc/intentd/apps.d /etc/intentd/runs
printf '[Sandbox]\nSubprocesses=yes\nSockets=/run/intentd/intentd.sock\n' >/etc/intentd/apps.d/Probe.conf
# Every user may connect here, so that the socket's group is not what refuses an app.
mkdir -p /etc/systemd/system/intentd.socket.d
printf '[Socket]\nSocketMode=0666\n' >/etc/systemd/system/intentd.socket.d/all.conf
systemctl daemon-reload
systemctl start intentd.socket

check "a member runs an intent" gives x as member intentctl run Probe/Echo --text x
check "intentd and its workers have users of their own" test \
    "$(user_of intentd) $(user_of intentd-workers)" = "intentd intentd-workers"
check "only intentd and root may connect to the launcher" test \
    "$(stat -c '%U %G %a' /run/intentd-workers/launcher.sock)" = "intentd root 600"
for user in intentd-workers member; do
    export -f connects
    check "$user cannot connect to it" fails runuser -u $user -- bash -c 'connects /run/intentd-workers/launcher.sock'
done

# Operators.
slow=$(as member intentctl run --detach --limit 9min Probe/Slow --seconds 500)
for user in intentd intentd-workers member; do
    for words in metrics reload "history --prune --keep 1000d" upgrade; do
        # shellcheck disable=SC2086
        check "$user may not: $words" fails_with 77 as $user intentctl $words
    done
done
for user in overseer root; do
    for words in metrics reload "history --prune --keep 1000d"; do
        # shellcheck disable=SC2086
        check "$user may: $words" as $user intentctl $words
    done
    check "$user sees the member's run" grep -q "$slow" <(as $user intentctl ps)
done
check "intentd's own user does not see it" fails grep -q "$slow" <(as intentd intentctl ps)
check "an operator can cancel it" as overseer intentctl cancel "$slow"
check "systemctl reload works as an operator" systemctl reload intentd.service

# A uid that is reused by another account.
useradd --uid 4242 --groups intentd ann
mine=$(as ann intentctl run --detach Probe/Echo --text mine)
check "ann has a run" as ann intentctl show "$mine"
printf '[Access]\nAllowUsers=ann member\n[Sandbox]\nSubprocesses=yes\nSockets=/run/intentd/intentd.sock\n' \
    >/etc/intentd/apps.d/Probe.conf
systemctl reload intentd.service
check "AllowUsers= permits ann" gives a as ann intentctl run Probe/Echo --text a
as ann intentctl run Probe/WriteText --path /state/kept --text mine
check "ann has a state folder" gives mine as ann intentctl run Probe/ReadText --path /state/kept
userdel ann
useradd --uid 4242 --groups intentd ben
check "ben, who has ann's uid now, sees none of ann's runs" fails grep -q "$mine" <(as ben intentctl history)
check "ben cannot see ann's run by its identifier" fails_with 66 as ben intentctl show "$mine"
check "AllowUsers=ann does not permit ben" fails_with 77 as ben intentctl run Probe/Echo --text a
check "root finds the run by its uid, under ann's name" grep -qE "^$mine .* ann " <(intentctl history --by 4242)
printf '[Sandbox]\nSubprocesses=yes\nSockets=/run/intentd/intentd.sock\n' >/etc/intentd/apps.d/Probe.conf
systemctl reload intentd.service
check "ben does not get ann's state folder" fails_with 1 as ben intentctl run Probe/ReadText --path /state/kept

# A uid without an account, such as one from a directory service that intentd does not query.
unnamed() { timeout 60 setpriv --reuid 54321 --regid 54321 --groups "$(getent group intentd | cut -d: -f3)" -- "$@"; }
check "a uid without an account runs an intent" unnamed intentctl run Probe/WriteText --path /state/kept --text unnamed
check "its state is kept" gives unnamed unnamed intentctl run Probe/ReadText --path /state/kept
check "its state is stored under the uid" test -s /var/lib/intentd-workers/apps/.users/Probe/54321/kept
check "its run is in its history" grep -q Probe/WriteText <(unnamed intentctl history)
check "root finds its run by the uid" grep -qE 'Probe/WriteText .* 54321 ' <(intentctl history --by 54321)
printf '[Access]\nAllowUsers=54321\n' >/etc/intentd/apps.d/Archive.conf
systemctl reload intentd.service
check "AllowUsers= accepts a uid" unnamed intentctl run Archive/Checksum --file /etc/hostname
check "a uid in AllowUsers= permits no other user" fails_with 77 as member intentctl run Archive/Checksum --file /etc/hostname
rm /etc/intentd/apps.d/Archive.conf
systemctl reload intentd.service

# An app that connects to intentd.
check "an app is refused as a client" as member bash -c \
    'intentctl run --limit 20s Probe/ConnectTo --socket /run/intentd/intentd.sock | grep -q notPermitted'
check "a connection made by an exited child of an app is refused" as member bash -c \
    'intentctl run --limit 20s Probe/ConnectTo --socket /run/intentd/intentd.sock --by-child | grep -q notPermitted'
check "a process in a PID namespace of its own is not an app" as root unshare --pid --fork --mount-proc intentctl status

# Files that pass between the two services.
for place in memory here; do
    run=$(as member intentctl run --detach Probe/MakeFile --place $place)
    check "a result file is kept ($place)" as member intentctl wait "$run"
    mkdir -p -m 777 "/tmp/out-$run"
    check "it can be fetched ($place)" as member intentctl fetch --out "/tmp/out-$run" "$run"
    check "the fetched result has a file ($place)" test -n "$(ls -A "/tmp/out-$run")"
done
check "a run that hangs reaches its limit" fails_with 124 as member intentctl run --limit 3s Probe/Slow --seconds 60
hung=$(as member intentctl --output json history | python3 -c '
import json, sys
print(next(run["run"] for run in json.load(sys.stdin)["runs"] if run.get("reason") == "timeout"))')
check "its record has an observation of its threads" grep -q observation <(as member intentctl --output json show "$hung")
check "an app writes its state" as member intentctl run Probe/WriteText --path /state/word --text before

# What a host lacks, and its cure.
advises() { # USER WORDS: the user's doctor finds something, and prints these words
    local code=0 output
    output=$(as "$1" intentctl doctor) || code=$?
    echo "$output"
    [ $code = 78 ] && grep -qF -- "$2" <<<"$output"
}
useradd --create-home outsider
sed -i /^outsider:/d /etc/subuid /etc/subgid
check "doctor asks the service" advises outsider "service: intentd "
check "a user without subordinate ids is told how to get some" advises outsider "sudo usermod --add-subuids"
check "a host where user namespaces give no capabilities makes no sandboxes" grep -q 'isolation of private runs: none' <(
    systemd-run --pipe --wait --quiet --uid=member -p SystemCallFilter='~@mount' -p SystemCallErrorNumber=EPERM \
        /usr/bin/env intentctl doctor)
chmod 660 /run/intentd/intentd.sock
check "a user who is not in the group is told how to join" advises outsider \
    "sudo usermod --append --groups intentd outsider"
systemctl stop intentd.socket intentd.service
check "a socket without a service is told the restart" advises root "systemctl restart intentd.socket"
rm -f /run/intentd/intentd.sock
check "a service without a socket is told the restart, too" advises root "systemctl restart intentd.socket"

check "the workers' unit stops with it" timeout 15 bash -c \
    'while [ "$(systemctl is-active intentd-workers.service)" != inactive ]; do sleep 0.05; done'
check "the workers' socket stops with it" timeout 15 bash -c \
    'while [ "$(systemctl is-active intentd-workers.socket)" != inactive ]; do sleep 0.05; done'
systemctl start intentd.socket
check "runs are served" gives y as member intentctl run Probe/Echo --text y
systemctl restart intentd.service
check "the state is kept after a restart" gives before as member intentctl run Probe/ReadText --path /state/word

# Schedules and metrics.
printf 'INTENT_ARGUMENTS=--text scheduled\n' >/etc/intentd/runs/Probe-Echo.conf
check "a unit runs an intent" systemctl start intent-run@Probe-Echo.service
check "the run belongs to the user intentd-runs" bash -c 'intentctl history --by intentd-runs | grep -q Probe/Echo'
systemctl start intentd-metrics.socket

systemctl stop intentd-metrics.socket intentd.socket intentd.service
check "no process of either user is left" timeout 15 bash -c 'while pgrep -u intentd,intentd-workers >/dev/null; do sleep 0.1; done'
