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
lists_updates() {
    as_member intentctl --output json run updates/List | python3 -c 'import json, sys; print(*json.load(sys.stdin)["value"], sep="\n")' \
        >/tmp/listed
    apt -qq list --upgradable 2>/dev/null | diff - /tmp/listed
}
as_postgres() { runuser -u postgres -- "$@"; }
# starts_database: a server with the socket and the rules of Debian's package, and the user of the example.
starts_database() {
    local programs data=/var/tmp/database
    programs=$(dirname "$1")
    # A server that the system started has the same socket.
    systemctl stop 'postgresql@*' postgresql.service
    install -d -o postgres -g postgres /run/postgresql $data &&
        as_postgres "$programs/initdb" -D $data --auth=peer >/dev/null &&
        sed -i '1i local all backup scram-sha-256' $data/pg_hba.conf &&
        as_postgres "$programs/pg_ctl" -D $data -w -l $data/log -o "-k /run/postgresql -c listen_addresses=" start >/dev/null &&
        printf '%s' "hush-$RANDOM$RANDOM" >/tmp/password &&
        as_postgres psql -q -c 'create role backup login in role pg_read_all_data' \
            -c "alter role backup password '$(cat /tmp/password)'" \
            -c 'create table soup (name text)' -c "insert into soup values ('tomato')"
}
dumps_database() {
    printf '{"database":"postgres","password":"%s"}' "$(cat /tmp/password)" |
        as_member intentctl run --out /tmp/results --json - database/Dump
}
# reports PATTERN COMMAND...: the command fails as it does for a configuration that is not valid, with a line that matches.
reports() { fails_with 78 "${@:2}" && grep -e "$1" /tmp/output; }
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
check "a mistake is reported with its line" reports 'tools.intents:2: Exec=' as_member intentctl run tools/Who
check "another file is not affected" as_member intentctl run --out /tmp/results archive/Create --folder /usr/share/zoneinfo
check "the status names the app" reports 'tools.intents:2: Exec=' intentctl status
tools '[Intent Who]\nExec=/bin/echo mended\nResult=text\n'
check "a corrected file is used at once" prints '^mended$' as_member intentctl run tools/Who
chmod g+w /etc/intentd/commands.d/tools.intents
check "a file that others can write is refused" reports 'chmod go-w' as_member intentctl run tools/Who
rm /etc/intentd/commands.d/tools.intents
check "a removed file is no app" fails_with 66 as_member intentctl run tools/Who
# A package installs its files below /usr.
install -D -m 644 "$project/examples/commands/updates.intents" /usr/lib/intentd/commands.d/updates.intents
check "a file of a package is used at once" as_member intentctl --output json run updates/List
check "apt prints the same as outside of the sandbox" lists_updates

# The other examples, prepared by the commands in their comments.
mkdir -p /srv/www/pages /srv/mirror
echo page >/srv/www/pages/index
install -m 644 "$project"/examples/commands/{mirror,database}.intents /etc/intentd/commands.d/
check "a folder that apps may not write is an error" fails_with 1 as_member intentctl run --yes=destructive mirror/Update
check "the error is the program's" grep -q rsync /tmp/output
mapfile -t grants < <(sed -n 's/^# *\(setfacl .*\)/\1/p' "$project/examples/commands/mirror.intents")
check "the example has a grant for each folder" test ${#grants[@]} = 2
for grant in "${grants[@]}"; do check "the grant is valid: $grant" bash -c "$grant"; done
check "a member updates the mirror" as_member intentctl run --yes=destructive mirror/Update
check "the mirror is equal to its source" diff --recursive /srv/www /srv/mirror

initdb=$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -1 || true)
if [ -n "$initdb" ]; then
    check "a database server starts" starts_database "$initdb"
    check "a member dumps a database with a password" dumps_database
    check "the dump is complete" bash -c 'pg_restore --file=- /tmp/results/database.dump | grep -qx tomato'
    check "the password is in no file of the service" \
        bash -c '! grep -rqF "$(cat /tmp/password)" /var/lib/intentd /var/cache/intentd && ! journalctl | grep -qF "$(cat /tmp/password)"'
else
    echo "skipped: the example 'database' needs PostgreSQL"
fi
check "the service stops without a failure" systemctl stop intentd.service
