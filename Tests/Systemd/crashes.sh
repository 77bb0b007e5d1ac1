#!/bin/bash
# Inside a booted systemd: intentd is killed, and its binary is replaced under it, again and again under load. Every line
# that begins with "ok" or "not ok" is one check.
#
#   crashes.sh PROJECT BUILT [FACTOR]     FACTOR times as many rounds
set -euo pipefail

project=$1
built=$2
factor=${3:-1}
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built"
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/Probe
mkdir -p /etc/intentd/apps.d /etc/systemd/system/intentd.service.d
printf '[App]\nState=yes\n[Limits]\nSpare=2\n' >/etc/intentd/apps.d/Probe.conf
printf '[Limits]\nMaxRuns=6\nMaxRunsPerUser=6\n' >/etc/intentd/intentd.conf
printf '[Service]\nEnvironmentFile=-/run/intentd-fault.env\nEnvironment=SWIFT_BACKTRACE=enable=no\n' >/etc/systemd/system/intentd.service.d/fault.conf
systemctl daemon-reload
systemctl start intentd.socket

loses_nothing() { timeout 200 "$project/Tests/Systemd/$@" | tee /dev/stderr | tail -n 1 | grep -q 'lost 0 doubled 0 orphaned 0 leaked 0'; }

check "no run is lost when intentd is killed under load" loses_nothing crash-loop $((20 * factor)) --booted
systemctl start intentd.socket
check "no run is lost when intentd crashes" loses_nothing crash-loop $((10 * factor)) --booted --signal SEGV
systemctl start intentd.socket
check "every run ends once with an accurate outcome when the launcher is killed" loses_nothing crash-loop $((5 * factor)) --booted --launcher
systemctl start intentd.socket
check "no run is lost when intentd is upgraded under load" loses_nothing upgrade-loop $((13 * factor))
systemctl stop intentd.socket intentd.service
check "no process is left after the stop" test -z "$(pgrep -u intentd,intentd-workers)"
