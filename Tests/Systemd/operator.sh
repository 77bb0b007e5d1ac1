#!/bin/bash
# Inside a booted systemd: what an operator does beside running intents. Installing and removing, the units' own quality,
# sockets by their names, schedules with new tries. Every line that begins with "ok" or "not ok" is one check.
#
#   operator.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

contents() { (cd "$1" && find . -type f -o -type d | sort && find . -type f -exec sha256sum {} + | sort); }
says() { journalctl --sync; journalctl -o cat -u "$1" | grep -qE -- "$2"; }
fails() { ! "$@" >/tmp/output 2>&1; }

# Below a folder, as a package is made.
stage=/tmp/stage
mkdir -p $stage/usr/lib/intentd/apps $stage/etc/intentd $stage/var/lib/intentd
touch $stage/usr/lib/intentd/apps/Own $stage/etc/intentd/intentd.conf $stage/var/lib/intentd/history.sqlite
before=$(contents $stage)
check "it installs below a folder" env DESTDIR=$stage "$project/units/install" --from "$built"
once=$(contents $stage)
for file in usr/lib/intentd/{intentd,intentd-launcher,intentd-starter,apps/Soup} usr/bin/intentctl \
    usr/lib/systemd/system/{intentd.socket,intentd.service,intentd-workers.socket,intentd-workers.service,intent-run@.service,intent-run@.timer} \
    usr/lib/systemd/user/{intentd.socket,intentd.service,intentd-workers.service} usr/lib/sysusers.d/intentd.conf \
    usr/lib/tmpfiles.d/intentd.conf usr/lib/systemd/catalog/intentd.catalog \
    usr/share/bash-completion/completions/intentctl usr/share/zsh/vendor-completions/_intentctl \
    usr/share/fish/vendor_completions.d/intentctl.fish; do
    check "there is /$file" test -s "$stage/$file"
done
check "a second time changes nothing" bash -c "DESTDIR=$stage '$project/units/install' --from '$built' >/dev/null"
check "really nothing" test "$(contents $stage)" = "$once"
check "it removes what it installed" "$project/units/uninstall" --destdir $stage
check "and keeps what is not its own" test "$(find $stage -type f | sort)" = "$(printf '%s\n' \
    $stage/etc/intentd/intentd.conf $stage/usr/lib/intentd/apps/Own $stage/var/lib/intentd/history.sqlite)"
check "a second removal finds nothing to do" "$project/units/uninstall" --destdir $stage
check "another prefix is in the units" bash -c "
    '$project/units/install' --from '$built' --destdir $stage --prefix /usr/local >/dev/null &&
    grep -q '^ExecStart=/usr/local/lib/intentd/intentd ' $stage/usr/local/lib/systemd/system/intentd.service &&
    grep -q '^ExecReload=+/usr/local/bin/intentctl ' $stage/usr/local/lib/systemd/system/intentd.service"
check "a prefix that is no path is refused" fails "$project/units/install" --from "$built" --prefix 'a|b'

install_programs "$project" "$built"
"$project/units/install" --from "$built" >/dev/null
check "all units are clean" systemd-analyze verify --man=no \
    /usr/lib/systemd/system/{intentd.socket,intentd.service,intentd-workers.socket,intentd-workers.service,intentd-metrics.socket} \
    /usr/lib/systemd/system/intent-run@.timer
cp /usr/lib/systemd/system/intent-run@.service /tmp/intent-run@Soup-Menu.service
check "the example of a schedule is clean" systemd-analyze verify --man=no /tmp/intent-run@Soup-Menu.service
check "intentd is exposed to at most 1.0" systemd-analyze security --offline=true --threshold=10 \
    /usr/lib/systemd/system/intentd.service
check "the launcher is exposed to at most 4.4" systemd-analyze security --offline=true --threshold=44 \
    /usr/lib/systemd/system/intentd-workers.service
complete() { # LINE: what bash offers for the last word of it
    bash -c 'source /usr/share/bash-completion/completions/intentctl
        read -ra COMP_WORDS <<<"$1"; [[ $1 != *" " ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _intentctl; printf "%s\n" "${COMPREPLY[@]}"' - "$1"
}
systemctl start intentd.socket
check "bash completes commands" test "$(complete "intentctl rel")" = reload
check "bash completes intents of the live catalogue" test "$(complete "intentctl run Soup/OrderS")" = Soup/OrderSoupIntent
check "the example app runs" timeout 60 intentctl describe Soup
systemctl stop intentd.socket intentd.service

# Several sockets, by their names.
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/
socket() { # UNIT LINES
    printf '[Socket]\nService=intentd.service\n%b\n' "$2" >"/etc/systemd/system/$1"
}
socket named.socket "ListenStream=/run/named.sock\nFileDescriptorName=clients"
socket nameless.socket "ListenStream=/run/nameless.sock"
socket other.socket "ListenStream=/run/other.sock\nFileDescriptorName=admin"
socket net.socket "ListenStream=127.0.0.1:7777\nFileDescriptorName=clients"
ip link set lo up
systemctl daemon-reload
systemctl start {intentd,named,nameless,other,net}.socket
for path in /run/named.sock /run/nameless.sock /run/intentd/intentd.sock; do
    check "clients are served on $path" timeout 60 intentctl --socket $path run Probe/Echo --text x
done
check "a socket of another name is told" says intentd.service "not used: it is called 'admin'"
check "a socket of the network is told" says intentd.service "not used: it is no Unix socket"
systemctl stop {intentd,named,nameless,other,net}.socket intentd.service

# By hand, with no systemd around it.
mkdir -p /tmp/hand
INTENTD_SOCKET=/tmp/hand/intentd.sock
export INTENTD_SOCKET
env -i PATH="$PATH" /usr/lib/intentd/intentd --socket $INTENTD_SOCKET --cache /tmp/hand/cache --state /tmp/hand/state \
    --apps /usr/local/lib/intentd/apps 2>/tmp/hand/errors &
hand=$!
check "it serves by hand" timeout 60 bash -c 'until intentctl run Probe/Echo --text x; do sleep 0.1; done'
kill $hand
code=0
wait $hand || code=$?
check "it ends by hand" test "$code" = 0
systemd-socket-activate -l /tmp/hand/handed.sock /usr/lib/intentd/intentd --cache /tmp/hand/cache \
    --state /tmp/hand/state --apps /usr/local/lib/intentd/apps 2>/tmp/hand/errors &
hand=$!
# The file exists a moment before a process listens (__SO_ACCEPTCON of the kernel).
timeout 20 bash -c 'until grep -q " 00010000 .* /tmp/hand/handed.sock$" /proc/net/unix; do sleep 0.05; done'
check "it serves on a socket that another program made" timeout 60 intentctl --socket /tmp/hand/handed.sock run \
    Probe/Echo --text x
kill $hand
wait $hand || code=$?
check "it ends there too" test "$code" = 0
unset INTENTD_SOCKET

# Schedules.
mkdir -p /etc/intentd/runs /etc/systemd/system/intent-run@.service.d
printf '[Service]\nRestartSec=100ms\n' >/etc/systemd/system/intent-run@.service.d/soon.conf
printf 'INTENT_ARGUMENTS=--text scheduled\n' >/etc/intentd/runs/Probe-Echo.conf
systemctl daemon-reload
systemctl start intentd.socket
history() { intentctl --output json history --by all --app "Probe/$1" | python3 -c '
import json, sys
for run in json.load(sys.stdin)["runs"]: print(run["run"])'; }
keys() { local run; for run in $(history "$1"); do intentctl --output json show "$run" | grep '"key"'; done; }
runs() { systemctl show -P "$2" "intent-run@Probe-$1.service"; }
check "a unit runs an intent" systemctl start intent-run@Probe-Echo.service
check "its value is in the journal" says intent-run@Probe-Echo.service '^scheduled$'
check "its key says which unit and which start of it" bash -c "grep -q 'intent-run@Probe-Echo.service:[0-9a-f]' <<<'$(keys Echo)'"
mkdir /etc/systemd/system/intent-run@Probe-Echo.timer.d
printf '[Timer]\nOnCalendar=\nOnActiveSec=500ms\nAccuracySec=10ms\nRandomizedDelaySec=0\n' \
    >/etc/systemd/system/intent-run@Probe-Echo.timer.d/soon.conf
systemctl daemon-reload
before=$(history Echo | wc -l)
systemctl start intent-run@Probe-Echo.timer
check "a timer runs it" timeout 30 bash -c "
    until [ \"\$(intentctl --output json history --by all --app Probe/Echo | grep -c '\"run\"')\" -gt $before ]; do sleep 0.1; done"
printf 'INTENT_ARGUMENTS=--message no\n' >/etc/intentd/runs/Probe-Throws.conf
check "an intent that throws fails its unit" fails systemctl start intent-run@Probe-Throws.service
check "and is not tried again" test "$(runs Throws NRestarts) $(runs Throws ExecMainStatus)" = "0 1"
check "an unknown intent is not tried again" fails systemctl start intent-run@Probe-Nothing.service
check "nor does it look like anything else" test "$(runs Nothing NRestarts) $(runs Nothing ExecMainStatus)" = "0 66"
systemctl start --no-block intent-run@Probe-Crash.service
check "a crash is tried again, until it is too often" timeout 60 bash -c '
    until [ "$(systemctl show -P ActiveState intent-run@Probe-Crash.service)" = failed ]; do sleep 0.1; done'
check "each try was a run of its own" test "$(keys Crash | sort -u | wc -l) $(history Crash | wc -l)" = "5 5"
systemctl start --no-block intent-run@Probe-Cleanup.service
check "a scheduled run is under way" timeout 30 bash -c 'until intentctl --output json history --by all --app Probe/Cleanup | grep -q running; do sleep 0.1; done'
check "a stop of its unit" systemctl stop intent-run@Probe-Cleanup.service
check "cancels the run and waits for its clean-up" says intent-run@Probe-Cleanup.service 'cleaned up: userCancelled'

systemctl stop intentd.socket intentd.service
exit $((failures > 0))
