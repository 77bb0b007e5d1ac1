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
useradd --create-home member
uid=$(id -u member)
# The login manager does this elsewhere; here it is not running.
cat >/etc/systemd/system/user-runtime-dir@.service <<-END
	[Service]
	Type=oneshot
	RemainAfterExit=yes
	ExecStart=/usr/bin/install -d -o %i -g %i -m 700 /run/user/%i
END
systemctl daemon-reload
systemctl start "user@$uid.service"
as_member() {
    runuser -u member -- env XDG_RUNTIME_DIR="/run/user/$uid" HOME=/home/member \
        DBUS_SESSION_BUS_ADDRESS="unix:path=/run/user/$uid/bus" "$@"
}
members() { as_member systemctl --user "$@"; }
check "the user has a systemd of his own" members list-units
runuser -u member -- mkdir -p /home/member/.local/lib/intentd/apps /home/member/.config/intentd/apps.d
asks_for_less /home/member/.config/intentd
chown -R member /home/member/.config/intentd
install -o member -m 755 "$built/Probe" /home/member/.local/lib/intentd/apps/
check "the socket starts" members start intentd.socket
check "a run is served" timeout 60 runuser -u member -- env XDG_RUNTIME_DIR="/run/user/$uid" HOME=/home/member \
    intentctl --user run Probe/Echo --text mine
check "the workers belong to the user" test "$(ps -o user= -p "$(members show -P MainPID intentd-workers.service)")" = member
check "nobody else is let in" bash -c "! INTENTD_SOCKET=/run/user/$uid/intentd/intentd.sock runuser -u nobody -- intentctl status"
check "its state is in the user's home" test -s /home/member/.local/state/intentd/history.sqlite
printf '[Limits]\nRuntime=7s\n' >/home/member/.config/intentd/apps.d/Probe.conf
check "a reload takes the user's files" members reload intentd.service
check "they hold" bash -c "runuser -u member -- env XDG_RUNTIME_DIR=/run/user/$uid intentctl --user -o json describe Probe |
    grep -q '\"runtimeMilliseconds\" *: *7000'"
as_member intentctl --user run Probe/Cleanup --milliseconds 500 >/tmp/run.out 2>/tmp/run.err &
client=$!
check "another run is under way" timeout 20 bash -c "
    until runuser -u member -- env XDG_RUNTIME_DIR=/run/user/$uid intentctl --user ps | grep -q running; do sleep 0.05; done"
check "it stops" members stop intentd.socket intentd.service
code=0
wait "$client" || code=$?
check "its client hears that it stopped" test "$code" = 143
check "the handler finished its clean-up" grep -q 'cleaned up: serviceStopping' /tmp/run.err
check "it asked the user's systemd what became of it" bash -c "journalctl --sync; journalctl | grep -q 'told to end: its unit stops'"
check "the workers' unit goes with it" timeout 15 bash -c "
    until [ -z \"\$(pgrep -u $uid -f intentd)\" ]; do sleep 0.05; done"
systemctl stop "user@$uid.service"
check "nothing of the user's is left" test -z "$(pgrep -u "$uid" -a)"
exit $((failures > 0))
