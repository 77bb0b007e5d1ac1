#!/bin/bash
# Inside a booted systemd: reloads beside a live run, mistakes in files, a start with broken apps, bad files and a read-only
# state folder. Every line that begins with "ok" or "not ok" is one check.
#
#   reload.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built"
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/Probe
useradd --groups intentd member
mkdir -p /etc/intentd/apps.d /etc/systemd/system/intentd.service.d
as_member() { timeout 60 runuser -u member -- "$@"; }
probe() { printf '%b\n' "$1" >/etc/intentd/apps.d/Probe.conf; }
daemon() { printf '%b\n' "$1" >/etc/intentd/intentd.conf; }
runtime() { intentctl --output json describe Probe | grep -o '"runtimeMilliseconds" *: *[0-9]*' | grep -o '[0-9]*$'; }
fails() { ! "$@" >/tmp/output 2>&1; }
fails_with() { local code=0; "${@:2}" >/tmp/output 2>&1 || code=$?; [ "$code" = "$1" ]; }

probe "[Limits]\nRuntime=20s"
systemctl start intentd.service
as_member intentctl run Probe/Slow --seconds 6 >/tmp/slow.out 2>&1 &
client=$!
check "a run is running" timeout 20 bash -c 'until runuser -u member -- intentctl ps | grep -q running; do sleep 0.05; done'

probe "[Limits]\nRuntime=1s"
check "an edit without a reload has no effect" test "$(runtime)" = 20000
check "a reload succeeds" systemctl reload intentd.service
check "the new limit is in effect" test "$(runtime)" = 1000
check "the new limit applies to new runs" fails_with 124 as_member intentctl run Probe/Slow --seconds 6

daemon "[Limits]\nRuntime=3s\nMaxRuns=many"
check "intentd --check fails for a mistake" fails_with 78 /usr/lib/intentd/intentd --check
check "intentd --check names the line" grep -q '^/etc/intentd/intentd.conf:3: ' /tmp/output
check "a reload with a mistake fails" fails systemctl reload intentd.service
check "the journal names the line" says intentd.service '^/etc/intentd/intentd.conf:3: '
check "systemctl status shows it" bash -c 'systemctl status intentd.service | grep -q "intentd.conf:3: "'
check "the service stays active" test "$(systemctl is-active intentd.service)" = active
check "the old configuration stays in effect" test "$(runtime)" = 1000
daemon "nonsense"
check "intentctl reload refuses an invalid file" fails_with 78 intentctl reload
check "runs are served with the old configuration" as_member intentctl run Probe/Echo --text fine
check "a member of the group may not reload" fails_with 77 as_member intentctl reload
check "the user intentd may not reload" fails_with 77 runuser -u intentd -- intentctl reload
useradd --groups intentd,intentd-operators overseer
check "an operator may reload" fails_with 78 runuser -u overseer -- intentctl reload
daemon ""
check "a reload of a corrected file succeeds" systemctl reload intentd.service
check "the journal reports the reload" says intentd.service '^reloaded configuration and apps$'
code=0
wait "$client" || code=$?
check "the live run kept its settings" test "$code" = 0

# A start with broken apps and files serves the apps that work.
install -m 755 /bin/false /usr/local/lib/intentd/apps/Broken
printf '#!/bin/sh\nexec sleep 1000\n' >/usr/local/lib/intentd/apps/Mute
install -m 755 /bin/true /usr/local/lib/intentd/apps/Loose
chmod o+w /usr/local/lib/intentd/apps/Loose
chmod 755 /usr/local/lib/intentd/apps/Mute
daemon "[Limits]\nRuntime=3s\nMaxRuns=many"
probe "[Limits]\nGrace=never"
check "intentd starts with broken apps and bad files" systemctl restart intentd.service
status=$(systemctl show -P StatusText intentd.service)
check "READY=1 is sent after the failures are known" grep -q 'cannot be used: Broken, Loose, Mute' <<<"$status"
check "the status names the bad file" grep -q '/etc/intentd/intentd.conf:3: .* and 1 more' <<<"$status"
check "the journal says why an app cannot be used" says intentd.service '^Broken cannot be used: .*code 1'
check "the journal names the other apps" says intentd.service 'Loose.*users other than its owner can write to'
check "the journal names the bad line of an app's file" says intentd.service '^/etc/intentd/apps.d/Probe.conf:2: '
check "an app that works runs" as_member intentctl run Probe/Echo --text fine
check "correct lines of a bad file are in effect" test "$(runtime)" = 3000
rm /usr/local/lib/intentd/apps/{Broken,Mute,Loose}
daemon ""
probe ""
check "a reload after the repair succeeds" systemctl reload intentd.service
check "the status reports no problem after the repair" timeout 20 bash -c \
    'while systemctl show -P StatusText intentd.service | grep -qE "cannot be used|configuration:"; do sleep 0.05; done'

printf '[Service]\nReadOnlyPaths=/var/lib/intentd\n' >/etc/systemd/system/intentd.service.d/readonly.conf
systemctl daemon-reload
check "intentd starts with a read-only state folder" systemctl restart intentd.service
check "the status reports it" timeout 20 bash -c \
    'until systemctl show -P StatusText intentd.service | grep -q "no new runs because the history cannot be written"; do sleep 0.05; done'
check "the journal names the folder" says intentd.service 'no new runs: .*/var/lib/intentd'
check "apps are still listed" bash -c 'intentctl list | grep -q Probe/Echo'
check "a run is refused with the reason" fails_with 75 as_member intentctl run Probe/Echo --text x
rm /etc/systemd/system/intentd.service.d/readonly.conf
systemctl daemon-reload
systemctl restart intentd.service
check "runs are served when the state folder is writable again" as_member intentctl run Probe/Echo --text fine

systemctl stop intentd.socket intentd.service
