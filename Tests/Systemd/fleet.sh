#!/bin/bash
# Inside a booted systemd: the service of a fleet with a PostgreSQL server of its own serves users, is killed, restarted and
# frozen with a run in flight.
#
#   fleet.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built"
ldd "$built/intentd-fleet" | awk '$3 ~ "^/" && $3 !~ "^(/usr)?/lib/" { print $3 }' | xargs -r cp -L -t /usr/local/lib
ldconfig
install -m 755 "$built/Probe" /usr/local/lib/intentd/apps/Probe
useradd --groups intentd member
as_member() { timeout 60 runuser -u member -- "$@"; }
until_true() { timeout 60 bash -c "until $1; do sleep 0.05; done"; }
property() { systemctl show -P "$1" intentd-fleet.service; }

# A server with a socket below /run, because the service has a /tmp of its own.
tools=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -t/ -k5n | tail -n 1)
install -d -o postgres /run/fleet-db /var/lib/fleet-db
as_postgres() { (cd / && runuser -u postgres -- "$@"); }
as_postgres "$tools/initdb" -D /var/lib/fleet-db/data -A trust -U postgres --no-sync >/dev/null
as_postgres "$tools/pg_ctl" -D /var/lib/fleet-db/data -w -l /var/lib/fleet-db/log \
    -o "-k /run/fleet-db -c listen_addresses=" start >/dev/null
database() { psql -XqAt -h /run/fleet-db -U postgres -d fleet -c "$1"; }
as_postgres createdb -h /run/fleet-db fleet
export INTENTD_FLEET_DATABASE="host=/run/fleet-db dbname=fleet user=postgres"
check "a fleet is made" intentctl fleet init
check "a host is added" intentctl fleet add-host web1

mkdir -p /etc/intentd/apps.d /etc/intentd/intentd.conf.d
printf '[Fleet]\nUser=intentd-fleet\n' >/etc/intentd/intentd.conf.d/fleet.conf
printf '[App]\nState=no\n[Fleet]\nFleet=once\n' >/etc/intentd/apps.d/Probe.conf
settings() { printf '[Fleet]\nName=web1\nDatabase=host=/run/fleet-db dbname=fleet user=%s\n' "$1" >/etc/intentd/fleet.conf; }
settings postgres
systemctl start intentd.service
systemctl start intentd-fleet.socket
systemctl start intentd-fleet.service || true
check "a service with another role than its name is not restarted" until_true \
    '[ "$(systemctl show -P ActiveState intentd-fleet.service)" = failed ]'
check "its exit code says why" test "$(property ExecMainStatus)" = 78
check "the journal names the role" says intentd-fleet.service "the role 'postgres'"
settings web1
systemctl reset-failed intentd-fleet.service
check "the service starts" systemctl start intentd-fleet.service
check "the host offers its intents" until_true \
    '[ "$(psql -XqAt -h /run/fleet-db -U postgres -d fleet -c "select count(*) from fleet.node where cardinality(intents) > 0")" = 1 ]'
check "a user's run is performed" test "$(as_member intentctl run --fleet Probe/Echo --text hello)" = hello
run=$(as_member intentctl run --fleet --detach Probe/Prints --text printed)
as_member intentctl wait --fleet "$run" || true
check "a user reads the output of a run" test "$(as_member intentctl logs --fleet "$run")" = printed
check "an upgrade of a current schema changes nothing" intentctl fleet upgrade

# in_flight COMMAND...: a run is in flight while the command is performed, and its caller has the result.
in_flight() {
    local client code=0
    as_member intentctl run --fleet Probe/AwaitFile --file go >/tmp/flight.out 2>&1 &
    client=$!
    until_true '[ -n "$(find /var/cache/intentd -name go.awaited)" ]'
    "$@"
    until_true '[ "$(systemctl show -P ActiveState intentd-fleet.service)" = active ]'
    find /var/cache/intentd -name go.awaited -execdir touch go \;
    wait $client || code=$?
    cat /tmp/flight.out
    [ $code = 0 ] && grep -qx waited /tmp/flight.out
}
frozen() {
    local process
    process=$(property MainPID)
    kill -STOP "$process"
    until_true "[ \"\$(systemctl show -P MainPID intentd-fleet.service)\" != $process ]"
}
check "a run survives the kill of the service" in_flight systemctl kill -s KILL intentd-fleet.service
check "a run survives a restart of the service" in_flight systemctl restart intentd-fleet.service
check "a run survives a restart of intentd" in_flight systemctl restart intentd.service
check "a run survives a service that stops responding" in_flight frozen
check "each run was performed once" test "$(database "select count(*), max(attempt), count(distinct id) from fleet.history \
    where intent = 'Probe/AwaitFile' and state = 'done'")" = "4|1|4"
as_postgres "$tools/pg_ctl" -D /var/lib/fleet-db/data -m immediate -w stop >/dev/null
check "without the database the service stays active" test "$(property ActiveState)" = active
check "without the database intentd serves its users" test "$(as_member intentctl run Probe/Echo --text here)" = here
as_postgres "$tools/pg_ctl" -D /var/lib/fleet-db/data -w -l /var/lib/fleet-db/log \
    -o "-k /run/fleet-db -c listen_addresses=" start >/dev/null
check "the host offers its intents again" until_true \
    '[ "$(psql -XqAt -h /run/fleet-db -U postgres -d fleet -c "select count(*) from fleet.node where cardinality(intents) > 0")" = 1 ]'
check "the service finds the database again" test "$(as_member intentctl run --fleet Probe/Echo --text again)" = again
check "a reload asks intentd again" systemctl reload intentd-fleet.service
systemctl stop intentd-fleet.service intentd-fleet.socket
check "no process of the service is left" bash -c '! pgrep -u intentd-fleet'
