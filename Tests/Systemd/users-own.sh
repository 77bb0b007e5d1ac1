#!/bin/bash
# Inside a booted systemd: a user's own intentd, under that user's systemd. Every line that begins with "ok" or "not ok"
# is one check.
#
#   users-own.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built"
# The login manager does this on other systems. It is not running here.
cat >/etc/systemd/system/user-runtime-dir@.service <<-END
	[Service]
	Type=oneshot
	RemainAfterExit=yes
	ExecStart=/usr/bin/install -d -o %i -g %i -m 700 /run/user/%i
END
systemctl daemon-reload

# start_user NAME: creates an account with its own systemd and the apps of BUILT.
start_user() {
    user=$1
    useradd --create-home "$user"
    # Removes what useradd assigns on this system.
    sed -i "/^$user:/d" /etc/subuid /etc/subgid
    uid=$(id -u "$user")
    home=/home/$user
    runuser -u "$user" -- mkdir -p "$home/.local/lib/intentd/apps" "$home/.config/intentd/apps.d"
    asks_for_less "$home/.config/intentd"
    chown -R "$user" "$home/.config/intentd"
    install -o "$user" -m 755 "$built/Probe" "$built/Archive" "$home/.local/lib/intentd/apps/"
}
as_user() {
    runuser -u "$user" -- env XDG_RUNTIME_DIR="/run/user/$uid" HOME="$home" \
        DBUS_SESSION_BUS_ADDRESS="unix:path=/run/user/$uid/bus" "$@"
}
units() { as_user systemctl --user "$@"; }
gives() { [ "$("${@:2}" 2>/tmp/errors)" = "$1" ] || { cat /tmp/errors; false; }; }

start_user member
systemctl start "user@$uid.service"
check "the user has a systemd of their own" units list-units
check "the socket starts" units start intentd.socket
check "a run is served" timeout 60 runuser -u member -- env XDG_RUNTIME_DIR="/run/user/$uid" HOME=/home/member \
    intentctl --user run Probe/Echo --text mine
check "the workers belong to the user" test "$(ps -o user= -p "$(units show -P MainPID intentd-workers.service)")" = member
check "without subordinate ids the isolation grade is reduced" \
    grep -q "'member' has no subordinate ids" <(as_user intentctl --user --output json status)
# plain-english: nobody (the account)
check "another user cannot connect" bash -c "! INTENTD_SOCKET=/run/user/$uid/intentd/intentd.sock runuser -u nobody -- intentctl status"
check "its state is in the user's home" test -s /home/member/.local/state/intentd/history.sqlite
printf '[Limits]\nRuntime=7s\n' >/home/member/.config/intentd/apps.d/Probe.conf
check "a reload reads the user's files" units reload intentd.service
check "their settings are in effect" bash -c "runuser -u member -- env XDG_RUNTIME_DIR=/run/user/$uid intentctl --user -o json describe Probe |
    grep -q '\"runtimeMilliseconds\" *: *7000'"
as_user intentctl --user run Probe/Cleanup --milliseconds 500 >/tmp/run.out 2>/tmp/run.err &
client=$!
check "another run is running" timeout 20 bash -c "
    until runuser -u member -- env XDG_RUNTIME_DIR=/run/user/$uid intentctl --user ps | grep -q running; do sleep 0.05; done"
check "the service stops" units stop intentd.socket intentd.service
code=0
wait "$client" || code=$?
check "its client is told that the service stopped" test "$code" = 143
check "the handler finished its clean-up" grep -q 'cleaned up: serviceStopping' /tmp/run.err
check "intentd asked the user's systemd about the stop" bash -c "journalctl --sync; journalctl | grep -q 'exiting: its unit is being stopped'"
check "the workers' unit stops with it" timeout 15 bash -c "
    until [ -z \"\$(pgrep -u $uid -f intentd)\" ]; do sleep 0.05; done"
systemctl stop "user@$uid.service"
check "no process of the user is left" test -z "$(pgrep -u "$uid" -a)"

# Subordinate ids: each app has ids of its own.
start_user mapped
echo "mapped:300000:65536" | tee -a /etc/subuid >>/etc/subgid
systemctl start "user@$uid.service"
units start intentd.socket
control() { timeout 60 runuser -u mapped -- env XDG_RUNTIME_DIR="/run/user/$uid" HOME="$home" intentctl --user "$@"; }
state=$home/.local/state/intentd/apps
check "with subordinate ids a run is served" gives mine control run Probe/Echo --text mine
check "status reports that the app has a user of its own" grep -q '"own user"' <(control --output json status)
install -o mapped -m 755 "$built/Probe" "$home/.local/lib/intentd/apps/Other"
for app in Probe Other; do
    check "$app writes its state" control run $app/WriteText --path /state/kept --text $app
    control run --detach $app/Slow --seconds 500 >/dev/null
done
owners=$(stat -c %u "$state"/.users/*/"$uid-mapped"/kept)
check "two apps have different ids" test "$(sort -u <<<"$owners" | wc -l)" = 2
for owner in $owners; do
    check "the id $owner is a subordinate id" test "$owner" -ge 300000 -a "$owner" -lt 365536
    check "a worker runs with the id $owner" timeout 20 bash -c "until pgrep -U $owner >/dev/null; do sleep 0.1; done"
done
check "no worker and no pid 1 of a sandbox has the user's own id" test -z \
    "$(pgrep -u "$uid" '^(Probe|Other|intentd-init|intentd-fork)')"
control ps --output json | python3 -c 'import json, sys
for run in json.load(sys.stdin)["runs"]: print(run["run"])' | while read -r run; do control cancel "$run"; done
mkdir -m 777 /tmp/results
check "a result file reaches the client" control run --out /tmp/results Probe/MakeFile --place here
check "the user owns the result file" test "$(stat -c %U /tmp/results/*)" = mapped
units stop intentd.socket intentd.service
check "the workers' processes exit" timeout 15 bash -c "until [ -z \"\$(pgrep -u $uid -f intentd)\" ]; do sleep 0.05; done"
check "no process with these ids is left" test -z "$(pgrep -U "$(paste -sd, <<<"$owners")")"
systemctl stop "user@$uid.service"
systemctl start "user@$uid.service"
units start intentd.socket
for app in Probe Other; do
    check "the state of $app is kept" gives $app control run $app/ReadText --path /state/kept
done
check "the ids are unchanged" test "$owners" = "$(stat -c %u "$state"/.users/*/"$uid-mapped"/kept)"
units stop intentd.socket intentd.service
systemctl stop "user@$uid.service"
check "no process of a user with subordinate ids is left" test -z "$(pgrep -u "$uid" -a)"
