#!/bin/bash
# Inside a booted systemd: the Debian packages with the built programs are installed, upgraded and downgraded with a run in
# flight, removed, installed again and purged.
#
#   packages.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

provide_libraries "$built"
# Images of containers forbid that packages start services (invoke-rc.d(8)).
rm -f /usr/sbin/policy-rc.d
# The index of manual pages would be built again at each of six installations and removals.
rm -f /var/lib/man-db/auto-update
export HOME=/root
# Smaller packages without debug information, and documents without the libraries' reference, which DocumentTests builds.
mkdir /tmp/programs
for program in intentd intentd-{launcher,starter,egress,command,fleet,web} intentctl intent-ask; do
    strip --strip-debug -o /tmp/programs/$program "$built/$program"
done
"$project/units/package" --from /tmp/programs --version 1.0.0~one /tmp/packages >/tmp/package.log 2>&1 || { cat /tmp/package.log; false; }
# The programs of a debug build use the toolchain's libraries, and no older symbols than a release build.
check "the packages fit every distribution of units/distributions" "$project/Tests/distributions" /tmp/packages/*.deb
# has PACKAGE PATH...: the package contains the files.
has() {
    local package=$1 path
    shift
    for path in "$@"; do
        dpkg-deb --fsys-tarfile /tmp/packages/"$package"_1.0.0~one_*.deb | tar -t | grep -x "./usr/share/$path" >/dev/null || return 1
    done
}
check "the service's package has its manual pages" has intentd man/man1/intent-{ask,progress}.1.gz \
    man/man5/intentd.{app,command,conf}.5.gz \
    man/man7/intentd-{protocol,sandbox,security}.7.gz man/man8/intentd{,-launcher}.8.gz
check "the client's package has its manual pages" has intentctl man/man1/intentctl{,-run}.1.gz
check "the documentation's package has guides and manual pages" has intentd-doc \
    doc/intentd-doc/html/{index,operators,protocol,intentd.8,intentd.app.5,intentctl-run.1}.html
check "the fleet's package has its manual pages" has intentd-fleet man/man5/intentd.fleet.5.gz man/man8/intentd-fleet.8.gz
check "the page's package has the page" has intentd-web intentd/web/{index.html,app.css,js/main.js}
check "Cockpit's module has the page and its manifest" has cockpit-intentd cockpit/intentd/{index.html,manifest.json,js/main.js}
# The next version: other bytes in a program, as of every release.
for package in intentd intentctl; do
    dpkg-deb -R /tmp/packages/${package}_1.0.0~one_*.deb /tmp/next
    sed -i 's/1\.0\.0~one/1.0.0~two/' /tmp/next/DEBIAN/control
    [ $package != intentd ] || for program in intentd intentd-launcher; do echo >>/tmp/next/usr/lib/intentd/$program; done
    dpkg-deb -Znone -b /tmp/next "/tmp/packages/${package}_1.0.0~two_$(dpkg --print-architecture).deb" >/dev/null
    rm -r /tmp/next
done
packages() { echo /tmp/packages/{intentd,intentctl}_1.0.0~"$1"_*.deb; }
as_member() { runuser -u member -- "$@"; }
property() { systemctl show -P "$2" "$1"; }
# in_flight VERSION: a run of a client outlives the installation of the other version, and its caller has the result.
in_flight() {
    local client code=0
    as_member intentctl run Probe/AwaitFile --file go >/tmp/flight.out 2>&1 &
    client=$!
    timeout 30 bash -c 'until runuser -u member -- intentctl ps 2>/dev/null | grep -q running; do sleep 0.05; done'
    # shellcheck disable=SC2046
    dpkg -i $(packages "$1") || return 1
    find /var/cache/intentd -name go.awaited -execdir touch go \;
    wait $client || code=$?
    cat /tmp/flight.out
    [ $code = 0 ] && grep -qx waited /tmp/flight.out
}

# The app's folder and the group's member are the operator's. The tests' host may provide less isolation than the default.
mkdir -p /usr/local/lib/intentd/apps
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/Probe
asks_for_less /etc/intentd
# shellcheck disable=SC2046
check "the packages are installed" dpkg -i $(packages one)
useradd --groups intentd member
check "the socket is enabled" test "$(systemctl is-enabled intentd.socket)" = enabled
check "the service is enabled, for runs that wait at a boot" test "$(systemctl is-enabled intentd.service)" = enabled
check "the socket listens" test "$(systemctl is-active intentd.socket)" = active
check "the first client starts the service" as_member intentctl run Probe/Echo --text first
check "the server of the HTTP API is installed" dpkg -i /tmp/packages/intentd-web_1.0.0~one_*.deb
check "the export of traces is the operator's decision" test "$(systemctl is-enabled intentd-traces.service)" = disabled
check "the server of the HTTP API is purged" dpkg --purge intentd-web
check "the metrics' socket is the operator's decision" test "$(systemctl is-enabled intentd-metrics.socket)" = disabled
check "completion is installed" test -e /usr/share/bash-completion/completions/intentctl
before=$(property intentd.service MainPID)
workers=$(property intentd-workers.service MainPID)
check "a run in flight outlives an upgrade" in_flight two
check "the upgrade restarted intentd" test "$(property intentd.service MainPID)" != "$before"
check "the launcher's process outlives the upgrade" test "$(property intentd-workers.service MainPID)" = "$workers"
check "a run in flight outlives a downgrade" in_flight one
check "the configuration of the operator is kept" test -e /etc/intentd/intentd.conf.d/tests.conf
# A run that waits for the only slot when the host goes down.
printf '[Limits]\nMaxRunsPerApp=1\n' >/etc/intentd/apps.d/Probe.conf
systemctl reload intentd.service
as_member intentctl run --detach Probe/Slow --seconds 60 >/dev/null
waiting=$(as_member intentctl run --detach Probe/Echo --text waited)
systemctl stop intentd.socket intentd.service intentd-workers.service intentd-workers.socket
mark=$(date +%s)
systemctl start intentd.service
check "a start without a client performs the runs that waited" timeout 30 bash -c \
    "until journalctl -o json --output-fields=INTENT_OUTCOME --since @$mark INTENT_RUN_ID=$waiting | grep -q '\"INTENT_OUTCOME\":\"done\"'; do sleep 0.1; done"
rm /etc/intentd/apps.d/Probe.conf
systemctl enable --quiet intent-run@Probe-Echo.timer
intentctl schedule add nightly 02:30 Probe/Echo --text scheduled >/dev/null
check "the packages are removed" dpkg -r intentd intentctl
check "no schedule is left" test -z "$(find /etc/systemd/system -path '*.wants/intent-*')"
check "no schedule is active" test "$(systemctl is-active intent-schedule-nightly.timer)" = inactive
check "no unit is left" test -z "$(systemctl list-units --all --plain --no-legend 'intentd*' | grep -v not-found)"
check "no process is left" bash -c '! pgrep -a intentd'
check "the history is kept" test -e /var/lib/intentd/history.sqlite
# shellcheck disable=SC2046
check "the packages are installed again" dpkg -i $(packages two)
check "the history has the runs of before" bash -c "runuser -u member -- intentctl history | grep -q Echo"
check "the packages are purged" dpkg --purge intentd intentctl
check "no file of a schedule is left" test -z "$(ls -d /etc/systemd/system/intent-schedule-* 2>/dev/null)"
check "nothing of it is left" test -z "$(ls -d /etc/intentd /var/lib/intentd* /var/cache/intentd /usr/lib/intentd 2>/dev/null)"

# The archive for other distributions.
tar -C /tmp --extract --file /tmp/packages/intentd-1.0.0~one-*.tar.xz
check "the archive is installed" bash -c '/tmp/intentd-1.0.0~one-*/units/install --no-example'
asks_for_less /etc/intentd
systemctl start intentd.socket
check "its service answers" timeout 60 intentctl status
printf '[Intent Say]\nExec=/bin/sh -c "intent-progress 1/1 && echo said"\nProgress=notify\nResult=text\n' >/etc/intentd/commands.d/say.intents
check "its service performs a program" bash -c 'timeout 60 intentctl run say/Say | grep -qx said'
check "the archive is uninstalled" bash -c '/tmp/intentd-1.0.0~one-*/units/uninstall'
