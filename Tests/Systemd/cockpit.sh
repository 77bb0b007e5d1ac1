#!/bin/bash
# Inside a booted systemd: the page as a module of Cockpit, in a real browser, after a real login of an ordinary user and of
# one with administrative access. Every line that begins with "ok" or "not ok" is one check.
#
#   cockpit.sh PROJECT BUILT PYTHON
#
# PYTHON has the packages of Tests/Web/chromium.txt.
set -euo pipefail

project=$1
built=$2
python=$3
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built"
mkdir -m 777 /tmp/work && cd /tmp/work
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/
printf '[Sandbox]\nSubprocesses=yes\n' >/etc/intentd/apps.d/Probe.conf
for user in alice bob carol; do
    useradd --create-home --shell /bin/bash --groups intentd "$user"
    echo "$user:a password of $user" | chpasswd
done
usermod -aG sudo carol
systemctl start intentd.socket
# The connection between browser and Cockpit is one within this system.
mkdir -p /etc/cockpit
printf '[WebService]\nAllowUnencrypted=true\n' >/etc/cockpit/cockpit.conf
# Users may log in when the boot has come this far.
systemctl start systemd-user-sessions.service
systemctl start cockpit.socket

run=$(runuser -u bob -- intentctl run --detach Probe/TickUntilFile)

# page USER OWNER TEXT: a login as USER. Runs belong to OWNER then, and the page shows TEXT for bob's run.
page() {
    local out
    out=$(mktemp -d /tmp/work/page.XXXXXX)
    HOME=$out PYTHONDONTWRITEBYTECODE=1 COCKPIT_USER=$1 COCKPIT_OWNER=$2 COCKPIT_PASSWORD="a password of $1" \
        COCKPIT_ADMIN="${4:-}" FOREIGN_RUN=$run FOREIGN_TEXT=$3 INTENTD_TESTS_PATIENCE=${INTENTD_TESTS_PATIENCE:-1} \
        timeout 150 "$python" "$project/Tests/Web/page.py" cockpit http://127.0.0.1:9090/ "$out" ||
        { journalctl --no-pager -n 20 -o cat; false; }
}

check "an ordinary user runs intents as that user, and sees nothing of another user's" page alice alice "another user's"
check "with administrative access, the page is an operator's" page carol root Probe/TickUntilFile yes
check "the runs belong to their users" test \
    "$(runuser -u alice -- intentctl --output json history | grep -c '"app" : "Probe"')" = 1
