#!/bin/bash
# Inside a booted systemd: installs the units and the built programs, runs an intent as a user through the socket, and
# stops everything. Every line that begins with "ok" or "not ok" is one check.
#
#   serve-one-run.sh PROJECT BUILT
#
#   PROJECT  the checkout
#   BUILT    the folder with the built programs and examples
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

contains() { grep -qE -- "$2" <<<"$1"; }
# True when a user has no process, not even a zombie.
no_process_of() { [ -z "$(ps -o pid=,stat=,args= -u "$1" | tee /dev/stderr)" ]; }

install_programs "$project" "$built"
check "systemd-analyze accepts the units" systemd-analyze verify --man=no \
    /usr/lib/systemd/system/{intentd.socket,intentd.service,intentd-workers.socket,intentd-workers.service}
check "systemd-analyze accepts the user units" env XDG_RUNTIME_DIR=/run systemd-analyze verify --man=no --user \
    /usr/lib/systemd/user/{intentd.socket,intentd.service,intentd-workers.service}
check "the user intentd exists" getent passwd intentd
install -m 755 "$built/Archive" /usr/local/lib/intentd/apps/Archive

useradd --groups intentd member
useradd --groups intentd guest
useradd outsider
mkdir -p /etc/intentd/apps.d
printf '[Access]\nAllowUsers=member\n' >/etc/intentd/apps.d/Archive.conf
head -c 300000 /dev/urandom | base64 >/tmp/letter.txt
chmod 644 /tmp/letter.txt
mkdir -m 777 /tmp/results

systemctl start intentd.socket
check "the service is inactive before the first client connects" test "$(systemctl is-active intentd.service)" = inactive
check "the socket belongs to root and the group intentd" test \
    "$(stat -c '%U %G %a' /run/intentd/intentd.sock)" = "root intentd 660"

cd /tmp/results
check "a member of the group runs an intent" timeout 60 \
    runuser -u member -- intentctl run --out /tmp/results Archive/Compress --file /tmp/letter.txt
check "the result is a valid gzip file" gunzip -t /tmp/results/letter.txt.gz
check "the result has the content of the input file" cmp /tmp/letter.txt <(gunzip -c /tmp/results/letter.txt.gz)
check "the service is active" systemctl is-active intentd.service
check "the workers' unit is active" systemctl is-active intentd-workers.service
user_of() { stat -c %U "/proc/$(systemctl show -P MainPID "$1")"; }
check "the two services run as different users" test "$(user_of intentd) $(user_of intentd-workers)" = "intentd intentd-workers"
check "systemctl status shows the number of live runs" contains "$(systemctl status intentd.service)" 'Status: ".*[0-9]+ running'
check "the status line counts the run" timeout 15 bash -c \
    'until systemctl show -P StatusText intentd.service | grep -q "1 done"; do sleep 0.05; done'
check "intentctl status succeeds" runuser -u member -- intentctl status
check "systemd-analyze accepts the units of the metrics" systemd-analyze verify --man=no \
    /usr/lib/systemd/system/intentd-metrics.socket
systemctl start intentd-metrics.socket
scrape() { timeout 20 curl -s --unix-socket /run/intentd-metrics.sock http://localhost/metrics; }
check "the metrics socket is for root and operators" test \
    "$(stat -c '%U %G %a' /run/intentd-metrics.sock)" = "root intentd-operators 660"
useradd --groups intentd-operators overseer
check "an operator can read the metrics" runuser -u overseer -- curl -sf --unix-socket /run/intentd-metrics.sock http://localhost/metrics
check "a user with permission to run intents cannot read the metrics" bash -c \
    "! runuser -u member -- curl -sf --unix-socket /run/intentd-metrics.sock http://localhost/metrics"
check "no TCP port listens" bash -c "! grep -q ' 0100007F:24F8 ' /proc/net/tcp"
check "a scrape counts the run" contains "$(scrape)" 'intentd_runs_total\{app="Archive",intent="Compress[A-Za-z]*",outcome="done"\} 1'
systemctl stop intentd-metrics.socket
code=0
runuser -u guest -- intentctl run Archive/Checksum --file /tmp/letter.txt >/tmp/guest.out 2>&1 || code=$?
check "a user not listed in the app's [Access] is refused, and the error names the file" grep -q 'Archive.conf' /tmp/guest.out
check "the refusal has exit code 77" test "$code" = 77
check "an app is not listed for a user without permission" bash -c "! runuser -u guest -- intentctl list | grep -q Archive"
check "a user outside the group cannot connect" bash -c "! runuser -u outsider -- intentctl status"

systemctl stop intentd.socket intentd.service
check "the service stopped without a failure" test "$(systemctl show -P Result intentd.service)" = success
# The workers' unit is no longer needed and stops by itself.
check "the workers' unit stops with it" timeout 15 bash -c \
    'while [ "$(systemctl is-active intentd-workers.service)" != inactive ]; do sleep 0.05; done'
check "the workers' unit stopped without a failure" test \
    "$(systemctl show -P Result intentd-workers.service)" = success
check "no process of the user intentd is left" no_process_of intentd
check "no process of the user intentd-workers is left" no_process_of intentd-workers
check "no run folder is left" test -z "$(ls -A /var/cache/intentd/runs 2>/dev/null)"
check "no unit failed" test -z "$(systemctl --failed --no-legend)"

"$project/units/install" --uninstall >/dev/null
check "nothing of intentd is left after uninstalling" test -z \
    "$(find /usr/bin /usr/lib/systemd /usr/lib/sysusers.d /usr/lib/tmpfiles.d -name 'intent*'; ls -d /usr/lib/intentd 2>/dev/null)"
