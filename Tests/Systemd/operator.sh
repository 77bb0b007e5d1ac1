#!/bin/bash
# Inside a booted systemd: the operator's tasks. Installing and removing, the quality of the units, additional sockets,
# schedules with retries. Every line that begins with "ok" or "not ok" is one check.
#
#   operator.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

contents() { (cd "$1" && find . -type f -o -type d | sort && find . -type f -exec sha256sum {} + | sort); }
fails() { ! "$@" >/tmp/output 2>&1; }

# Below a folder, as for a package.
stage=/tmp/stage
mkdir -p $stage/usr/lib/intentd/apps $stage/etc/intentd $stage/var/lib/intentd
touch $stage/usr/lib/intentd/apps/Own $stage/etc/intentd/intentd.conf $stage/var/lib/intentd/history.sqlite
before=$(contents $stage)
check "units/install installs below a folder" env DESTDIR=$stage "$project/units/install" --from "$built"
once=$(contents $stage)
for file in usr/lib/intentd/{intentd,intentd-launcher,intentd-starter,intentd-egress,intentd-command,intent-ask,intent-progress,apps/Soup} usr/bin/intentctl \
    usr/lib/systemd/system/{intentd.socket,intentd.service,intentd-workers.socket,intentd-workers.service,intentd-egress.socket,intentd-egress.service,intent-run@.service,intent-run@.timer} \
    usr/lib/systemd/user/{intentd.socket,intentd.service,intentd-workers.service} usr/lib/sysusers.d/intentd.conf \
    usr/lib/tmpfiles.d/intentd.conf usr/lib/systemd/catalog/intentd.catalog \
    usr/share/bash-completion/completions/intentctl usr/share/zsh/vendor-completions/_intentctl \
    usr/share/fish/vendor_completions.d/intentctl.fish; do
    check "/$file is installed" test -s "$stage/$file"
done
check "a second installation succeeds" bash -c "DESTDIR=$stage '$project/units/install' --from '$built' >/dev/null"
check "the second installation changes nothing" test "$(contents $stage)" = "$once"
check "units/uninstall succeeds" "$project/units/uninstall" --destdir $stage
check "units/uninstall removes only installed files" test "$(find $stage -type f | sort)" = "$(printf '%s\n' \
    $stage/etc/intentd/intentd.conf $stage/usr/lib/intentd/apps/Own $stage/var/lib/intentd/history.sqlite)"
check "a second removal succeeds" "$project/units/uninstall" --destdir $stage
check "the units use another prefix" bash -c "
    '$project/units/install' --from '$built' --destdir $stage --prefix /usr/local >/dev/null &&
    grep -q '^ExecStart=/usr/local/lib/intentd/intentd ' $stage/usr/local/lib/systemd/system/intentd.service &&
    grep -q '^ExecReload=+/usr/local/bin/intentctl ' $stage/usr/local/lib/systemd/system/intentd.service"
check "a prefix that is not a path is refused" fails "$project/units/install" --from "$built" --prefix 'a|b'

install_programs "$project" "$built"
"$project/units/install" --from "$built" >/dev/null
check "systemd-analyze accepts all units" systemd-analyze verify --man=no \
    /usr/lib/systemd/system/{intentd.socket,intentd.service,intentd-workers.socket,intentd-workers.service,intentd-egress.socket,intentd-egress.service,intentd-metrics.socket} \
    /usr/lib/systemd/system/intent-run@.timer
cp /usr/lib/systemd/system/intent-run@.service /tmp/intent-run@Soup-Menu.service
check "systemd-analyze accepts an instance of the schedule" systemd-analyze verify --man=no /tmp/intent-run@Soup-Menu.service
check "the exposure level of intentd is at most 1.0" systemd-analyze security --offline=true --threshold=10 \
    /usr/lib/systemd/system/intentd.service
check "the exposure level of the launcher is at most 4.4" systemd-analyze security --offline=true --threshold=44 \
    /usr/lib/systemd/system/intentd-workers.service
check "the exposure level of the process with connections is at most 1.7" systemd-analyze security --offline=true --threshold=17 \
    /usr/lib/systemd/system/intentd-egress.service
complete() { # LINE: prints bash's completions of the last word
    bash -c 'source /usr/share/bash-completion/completions/intentctl
        read -ra COMP_WORDS <<<"$1"; [[ $1 != *" " ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$1; _intentctl; printf "%s\n" "${COMPREPLY[@]}"' - "$1"
}
systemctl start intentd.socket
check "bash completes commands" test "$(complete "intentctl rel")" = reload
check "bash completes intents of the live catalogue" test "$(complete "intentctl run Soup/OrderS")" = Soup/OrderSoupIntent
check "the example app runs" timeout 60 intentctl describe Soup
systemctl stop intentd.socket intentd.service

# Additional sockets, recognized by their names.
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
check "a socket with another name is reported" says intentd.service "ignored a socket from systemd: its name is 'admin'"
check "a network socket is reported" says intentd.service "ignored a socket from systemd: expected a listening Unix stream socket"
systemctl stop {intentd,named,nameless,other,net}.socket intentd.service

# Started by hand, without systemd.
mkdir -p /tmp/hand
INTENTD_SOCKET=/tmp/hand/intentd.sock
export INTENTD_SOCKET
env -i PATH="$PATH" /usr/lib/intentd/intentd --socket $INTENTD_SOCKET --cache /tmp/hand/cache --state /tmp/hand/state \
    --apps /usr/local/lib/intentd/apps 2>/tmp/hand/errors &
hand=$!
check "intentd started by hand serves clients" timeout 60 bash -c 'until intentctl run Probe/Echo --text x; do sleep 0.1; done'
kill $hand
code=0
wait $hand || code=$?
check "intentd started by hand exits with 0" test "$code" = 0
systemd-socket-activate -l /tmp/hand/handed.sock /usr/lib/intentd/intentd --cache /tmp/hand/cache \
    --state /tmp/hand/state --apps /usr/local/lib/intentd/apps 2>/tmp/hand/errors &
hand=$!
# The file exists a moment before a process listens (__SO_ACCEPTCON of the kernel).
timeout 20 bash -c 'until grep -q " 00010000 .* /tmp/hand/handed.sock$" /proc/net/unix; do sleep 0.05; done'
check "intentd serves clients on an inherited socket" timeout 60 intentctl --socket /tmp/hand/handed.sock run \
    Probe/Echo --text x
kill $hand
wait $hand || code=$?
check "intentd with an inherited socket exits with 0" test "$code" = 0
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
check "the run's key names the unit and the invocation" bash -c "grep -q 'intent-run@Probe-Echo.service:[0-9a-f]' <<<'$(keys Echo)'"
mkdir /etc/systemd/system/intent-run@Probe-Echo.timer.d
printf '[Timer]\nOnCalendar=\nOnActiveSec=500ms\nAccuracySec=10ms\nRandomizedDelaySec=0\n' \
    >/etc/systemd/system/intent-run@Probe-Echo.timer.d/soon.conf
systemctl daemon-reload
before=$(history Echo | wc -l)
systemctl start intent-run@Probe-Echo.timer
check "a timer performs the intent" timeout 30 bash -c "
    until [ \"\$(intentctl --output json history --by all --app Probe/Echo | grep -c '\"run\"')\" -gt $before ]; do sleep 0.1; done"
printf 'INTENT_ARGUMENTS=--message no\n' >/etc/intentd/runs/Probe-Throws.conf
check "an intent that throws fails its unit" fails systemctl start intent-run@Probe-Throws.service
check "an intent that throws is not retried" test "$(runs Throws NRestarts) $(runs Throws ExecMainStatus)" = "0 1"
check "an unknown intent fails its unit" fails systemctl start intent-run@Probe-Nothing.service
check "an unknown intent is not retried" test "$(runs Nothing NRestarts) $(runs Nothing ExecMainStatus)" = "0 66"
mkdir -p /etc/intentd/apps.d
printf '[Intent Crash]\nRetry=2\nBackoff=1s..1s\n' >>/etc/intentd/apps.d/Probe.conf
intentctl reload
check "a crash fails its unit" fails systemctl start intent-run@Probe-Crash.service
check "Retry= repeats it" timeout 60 bash -c '
    until [ "$(intentctl history --by all --app Probe/Crash | grep -c crashed)" = 3 ]; do sleep 0.1; done'
check "each repetition was a separate run" test "$(keys Crash | sort -u | wc -l) $(history Crash | wc -l)" = "3 3"
check "the last failure is in the journal" says intentd.service 'gave up: the last of 2 repetitions has failed'
systemctl start --no-block intent-run@Probe-Cleanup.service
check "a scheduled run is running" timeout 30 bash -c 'until intentctl --output json history --by all --app Probe/Cleanup | grep -q running; do sleep 0.1; done'
check "its unit can be stopped" systemctl stop intent-run@Probe-Cleanup.service
check "the stop cancels the run and waits for its clean-up" says intent-run@Probe-Cleanup.service 'cleaned up: userCancelled'

# Removal.
systemctl enable --quiet intent-run@Probe-Later.timer
intentctl run --detach Probe/Slow --seconds 60 >/dev/null
check "units/uninstall ends no runs unasked" bash -c "'$project/units/uninstall' 2>&1 | grep -q '^units/install: runs in progress: 1'"
check "the service still runs" test "$(systemctl is-active intentd.service)" = active
check "units/uninstall ends them on request" "$project/units/uninstall" --end-runs
check "no process is left" bash -c '! pgrep -a intentd'
check "no schedule is left" test -z "$(find /etc/systemd/system -path '*.wants/intent-run@*')"
check "no socket is left" test ! -e /run/intentd/intentd.sock
