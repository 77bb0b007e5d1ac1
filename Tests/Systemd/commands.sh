#!/bin/bash
# Inside a booted systemd: programs as intents (intentd.command(5)) in the installed service. A file is put into place, used by a
# member of the group, changed, broken and removed. Every line that begins with "ok" or "not ok" is one check.
#
#   commands.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built"
useradd --groups intentd member
as_member() { timeout 60 runuser -u member -- "$@"; }
fails_with() { local code=0; "${@:2}" >/tmp/output 2>&1 || code=$?; [ "$code" = "$1" ]; }
prints() { "${@:2}" 2>&1 | grep -q -e "$1"; }

check "the folder of command files exists" test -d /etc/intentd/commands.d
check "its manual page is installed" test -s /usr/share/man/man5/intentd.command.5
check "the pages of its tools are installed" test -s /usr/share/man/man1/intent-ask.1 -a -s /usr/share/man/man1/intent-progress.1
systemctl start intentd.service
install -d -o member /tmp/results

# The commands of the operator guide: the check of a file, its installation, a run.
cd "$project"
mapfile -t commands < <("$project/Tests/documents" commands Tests/Systemd/commands.sh)
check "the guide has three commands" test ${#commands[@]} = 3
check "the file is verified" prints 'ready to be installed' bash -c "${commands[0]}"
check "the file is installed" bash -c "${commands[1]#sudo }"
check "it is listed as an app without a reload" prints archive/Create as_member intentctl list
check "a member runs a program with progress and receives its file" \
    as_member bash -c "cd /tmp/results && ${commands[2]}"
cd /tmp
check "the file is complete" bash -c 'tar --list --gzip --file /tmp/results/archive.tar.gz | grep -q Europe/Berlin'
check "the run is in the history" prints archive/Create as_member intentctl history

tools() { printf '%b' "$1" >/etc/intentd/commands.d/tools.intents.new; mv /etc/intentd/commands.d/tools.intents{.new,}; }
tools '[Intent Who]\nExec=/usr/bin/id -u\nResult=integer\n'
check "a new file is used at once" fails_with 0 as_member intentctl run tools/Who
check "the program does not run as root, as the member or as the service" \
    bash -c '! grep -qx -e 0 -e "$(id -u member)" -e "$(id -u intentd)" -e "$(id -u intentd-workers)" /tmp/output'
tools '[Intent Who]\nExec=/bin/echo changed\nResult=text\n'
check "a changed file is used at once" prints '^changed$' as_member intentctl run tools/Who
tools '[Intent Who]\nExec=echo\n'
check "a mistake is reported with its line" prints 'tools.intents:2: Exec=' as_member intentctl run tools/Who
check "another file is not affected" as_member intentctl run archive/Create --folder /usr/share/zoneinfo --out /tmp/results
check "the status names the app" prints 'tools' intentctl status
tools '[Intent Who]\nExec=/bin/echo mended\nResult=text\n'
check "a corrected file is used at once" prints '^mended$' as_member intentctl run tools/Who
chmod g+w /etc/intentd/commands.d/tools.intents
check "a file that others can write is refused" prints 'chmod go-w' as_member intentctl run tools/Who
rm /etc/intentd/commands.d/tools.intents
check "a removed file is no app" fails_with 66 as_member intentctl run tools/Who
check "the service stops without a failure" systemctl stop intentd.service
