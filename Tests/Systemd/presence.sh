#!/bin/bash
# Inside a booted systemd with its logind: only users who have a session at the machine's own seat may run an intent that
# requires local authentication. Every line that begins with "ok" or "not ok" is one check.
#
#   presence.sh PROJECT BUILT
#
#   PROJECT  the checkout
#   BUILT    the folder with the built programs and examples
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

# Creates a session through PAM, as login(1) and display managers do.
log_in() {
    local name=$1 user=$2
    shift 2
    systemd-run --quiet --unit="$name" --property=User="$user" --property=PAMName=login --property=Type=simple "$@" \
        sleep 600
}
ask() { timeout 60 runuser -u "$1" -- intentctl run Probe/NeedsPresence; }
is_refused() {
    local code=0
    ask "$1" >/tmp/refused 2>&1 || code=$?
    [ "$code" = 77 ] && grep -q "no active session here" /tmp/refused || { cat /tmp/refused >&2; return 1; }
}
sessions_of() { loginctl list-sessions --no-legend | awk -v user="$1" '$3 == user { print $1 }'; }
# has_sessions USER COUNT: true when a user has this number of sessions, all completely open.
has_sessions() {
    local session sessions
    mapfile -t sessions < <(sessions_of "$1")
    [ "${#sessions[@]}" = "$2" ] || return 1
    for session in "${sessions[@]}"; do
        loginctl show-session "$session" -p State --value | grep -qE 'online|active' || return 1
    done
}
await() {
    for _ in $(seq 200); do
        "$@" && return
        sleep 0.1
    done
    loginctl list-sessions
    return 1
}

rm -f /etc/systemd/system/systemd-logind.service
systemctl daemon-reload
systemctl start dbus.service systemd-logind.service
check "logind is running" loginctl list-seats

install_programs "$project" "$built"
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/Probe
useradd --groups intentd ann
useradd --groups intentd ben
mkdir -p /etc/intentd/apps.d
printf '[Access]\nAllowUsers=ann ben\n' >/etc/intentd/apps.d/Probe.conf
systemctl start intentd.socket

check "a user without a session is refused" is_refused ann
log_in elsewhere ann --setenv=XDG_SESSION_CLASS=user
check "the user has a session without a seat" await has_sessions ann 1
check "a user with only a remote session is refused" is_refused ann
log_in here ann --setenv=XDG_SESSION_CLASS=user --setenv=XDG_SEAT=seat0
check "the user has a session at the seat" await has_sessions ann 2
check "the user with the active session at the seat may run the intent" test "$(ask ann)" = present
check "that does not permit another user" is_refused ben
log_in next ben --setenv=XDG_SESSION_CLASS=user --setenv=XDG_SEAT=seat0
check "two users have sessions at the seat" await has_sessions ben 1
check "the user of the foreground session may run the intent" test "$(ask ben)" = present
check "the user of a background session is refused" is_refused ann
loginctl terminate-user ben
check "the session has ended" await has_sessions ben 0
check "a user who has logged out is refused" is_refused ben

systemctl stop intentd.socket intentd.service
