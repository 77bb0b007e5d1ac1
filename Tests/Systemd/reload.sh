#!/bin/bash
# Inside a booted systemd: files read again while a run is under way, mistakes in them, a start with a broken app, a bad
# file and a state folder that cannot be written. Every line that begins with "ok" or "not ok" is one check.
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
says() { journalctl --sync; journalctl -o cat -u intentd.service | grep -qE -- "$1"; }
fails() { ! "$@" >/tmp/output 2>&1; }
fails_with() { local code=0; "${@:2}" >/tmp/output 2>&1 || code=$?; [ "$code" = "$1" ]; }

probe "[Limits]\nRuntime=20s"
systemctl start intentd.service
as_member intentctl run Probe/Slow --seconds 6 >/tmp/slow.out 2>&1 &
client=$!
check "a run is under way" timeout 20 bash -c 'until runuser -u member -- intentctl ps | grep -q running; do sleep 0.05; done'

probe "[Limits]\nRuntime=1s"
check "an edit alone changes nothing" test "$(runtime)" = 20000
check "a reload takes it" systemctl reload intentd.service
check "the new limit holds" test "$(runtime)" = 1000
check "it ends runs that begin now" fails_with 124 as_member intentctl run Probe/Slow --seconds 6

daemon "[Limits]\nRuntime=3s\nMaxRuns=many"
check "intentd --check finds a mistake" fails_with 78 /usr/lib/intentd/intentd --check
check "and says where" grep -q '^/etc/intentd/intentd.conf:3: ' /tmp/output
check "a reload with a mistake fails" fails systemctl reload intentd.service
check "the journal says where" says '^/etc/intentd/intentd.conf:3: '
check "systemctl status shows it" bash -c 'systemctl status intentd.service | grep -q "intentd.conf:3: "'
check "the service serves on" test "$(systemctl is-active intentd.service)" = active
check "the old configuration holds" test "$(runtime)" = 1000
daemon "nonsense"
check "a file of nonsense is refused by hand too" fails_with 78 intentctl reload
check "apps run on under what held before" as_member intentctl run Probe/Echo --text fine
check "a member of the group may not reload" fails_with 77 as_member intentctl reload
check "nor may the user of intentd" fails_with 77 runuser -u intentd -- intentctl reload
useradd --groups intentd,intentd-operators overseer
check "an operator may" fails_with 78 runuser -u overseer -- intentctl reload
daemon ""
check "a corrected file is taken" systemctl reload intentd.service
check "the journal says so" says '^configuration and apps were read again$'
code=0
wait "$client" || code=$?
check "the run kept the rules it began with" test "$code" = 0

# A new start finds all of it broken, and serves what can be served.
install -m 755 /bin/false /usr/local/lib/intentd/apps/Broken
printf '#!/bin/sh\nexec sleep 1000\n' >/usr/local/lib/intentd/apps/Mute
install -m 755 /bin/true /usr/local/lib/intentd/apps/Loose
chmod o+w /usr/local/lib/intentd/apps/Loose
chmod 755 /usr/local/lib/intentd/apps/Mute
daemon "[Limits]\nRuntime=3s\nMaxRuns=many"
probe "[Limits]\nGrace=never"
check "it starts with broken apps and bad files" systemctl restart intentd.service
status=$(systemctl show -P StatusText intentd.service)
check "READY=1 came when the failures were known" grep -q 'cannot be used: Broken, Loose, Mute' <<<"$status"
check "the status names the bad file" grep -q '/etc/intentd/intentd.conf:3: .* and 1 more' <<<"$status"
check "the journal says why an app cannot be used" says '^Broken cannot be used: .*code 1'
check "the journal names the others" says 'Loose.*others than its owner can write'
check "the journal has the app's bad line" says '^/etc/intentd/apps.d/Probe.conf:2: '
check "the good app runs" as_member intentctl run Probe/Echo --text fine
check "what was right in a bad file holds" test "$(runtime)" = 3000
rm /usr/local/lib/intentd/apps/{Broken,Mute,Loose}
daemon ""
probe ""
check "a reload heals it" systemctl reload intentd.service
check "and the status" timeout 20 bash -c \
    'while systemctl show -P StatusText intentd.service | grep -qE "cannot be used|configuration:"; do sleep 0.05; done'

printf '[Service]\nReadOnlyPaths=/var/lib/intentd\n' >/etc/systemd/system/intentd.service.d/readonly.conf
systemctl daemon-reload
check "it starts when its state cannot be written" systemctl restart intentd.service
check "the status says so" timeout 20 bash -c \
    'until systemctl show -P StatusText intentd.service | grep -q "no new runs, the history cannot be kept"; do sleep 0.05; done'
check "the journal says where" says 'no new runs: .*/var/lib/intentd'
check "apps are listed all the same" bash -c 'intentctl list | grep -q Probe/Echo'
check "a run is refused with the reason" fails_with 75 as_member intentctl run Probe/Echo --text x
rm /etc/systemd/system/intentd.service.d/readonly.conf
systemctl daemon-reload
systemctl restart intentd.service
check "with its state back, runs are served" as_member intentctl run Probe/Echo --text fine

systemctl stop intentd.socket intentd.service
exit $((failures > 0))
