#!/bin/bash
# Inside a booted systemd: the keys of [Sandbox] and [App] work under the shipped units, despite the units' own hardening.
#
#   sandbox-keys.sh PROJECT BUILT
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

# Performs an intent of an app with LINES in its settings, and prints the value.
#   with "LINES" APP/INTENT [--NAME VALUE]...
with() {
    local app=${2%%/*}
    printf '%b\n' "$1" >"/etc/intentd/apps.d/$app.conf"
    timeout 60 intentctl reload >/dev/null
    shift
    timeout 60 intentctl run "$@"
}
gives() { [ "$("${@:2}" 2>/tmp/errors)" = "$1" ] || { cat /tmp/errors; false; }; }
gives_soon() { # VALUE COMMAND...: a later run gives the value
    for _ in {1..100}; do gives "$@" >/dev/null && return; done
    gives "$@"
}
fails() { ! "$@" >/tmp/output 2>&1; }
fails_for() { fails "${@:2}" && grep -qE -- "$1" /tmp/output || { cat /tmp/output; false; }; }
says() { "${@:2}" >/tmp/output 2>&1; grep -qF -- "$1" /tmp/output || { cat /tmp/output; false; }; }
serve() { # PORT-FILE PYTHON-LINES: a server on the loopback address
    python3 - "$1" <<<"$2" &
    timeout 10 bash -c "until [ -s '$1' ]; do sleep 0.05; done"
}

install_programs "$project" "$built"
mkdir -p /etc/intentd/apps.d
install -m 755 "$built/Probe" "$built/Fetcher" "$built/Attacker" /usr/local/lib/intentd/apps/
systemctl start intentd.socket
ip link set lo up

status=$(timeout 60 intentctl --output json status)
echo "isolation here: $status"

check "host files are hidden by default" fails with "" Probe/ReadText --path /etc/shadow
check "a run is not root" fails with "" Probe/WriteText --path /x --text x
mkdir -p /srv/given && echo given >/srv/given/file && chown -R root:intentd-workers /srv/given && chmod -R g+rwX,o= /srv/given
check "ReadPaths=" gives "given" with "[Sandbox]\nReadPaths=/srv/given" Probe/ReadText --path /srv/given/file
check "ReadPaths= does not permit writing" fails with "[Sandbox]\nReadPaths=/srv/given" \
    Probe/WriteText --path /srv/given/new --text x
check "WritePaths=" with "[Sandbox]\nWritePaths=/srv/given" Probe/WriteText --path /srv/given/new --text x
check "the written file is on the host" test -s /srv/given/new
mkdir -p /home/member && echo home >/home/member/file && chmod -R a+rX /home/member
check "ReadPaths= below /home" gives "home" with "[Sandbox]\nReadPaths=/home/member" \
    Probe/ReadText --path /home/member/file
echo passed >/srv/passed && chmod 644 /srv/passed
check "a run can change mode and times of its own files" gives "done " with "" Attacker/Attack --attempt "change its own" --detail .
check "a run can change mode and times in WritePaths=" gives "done " with "[Sandbox]\nWritePaths=/srv/given" \
    Attacker/Attack --attempt "change its own" --detail /srv/given
check "a run cannot change the folder of all runs" gives "EPERM" with "" Attacker/Attack --attempt change --detail /runs
check "a run cannot change a file that is passed read-only" gives "EPERM" with "" \
    Attacker/AttackWithFile --file /srv/passed --way "every change of a passed file"
mknod -m 666 /dev/given c 1 5
check "Devices=" with "[Sandbox]\nDevices=/dev/given" Probe/ReadText --path /dev/given
check "GPU= on a host without one" fails_for "this host has none" with "[Sandbox]\nGPU=yes" Probe/NeedsGPU
check "the error of a run that needs a GPU names GPU=" fails_for "GPU=yes" with "" Probe/NeedsGPU

check "State= provides a folder" gives "/state" with "" Probe/Variable --name STATE_DIRECTORY
with "" Probe/WriteText --path /state/kept --text kept
check "State= is kept from run to run" gives "kept" with "" Probe/ReadText --path /state/kept
check "the state folder has the documented path" test "$(cat /var/lib/intentd-workers/apps/.users/Probe/0-root/kept)" = kept
check "State=no" gives "-" with "[App]\nState=no" Probe/Variable --name STATE_DIRECTORY
check "Environment=" gives "blue" with "[App]\nEnvironment=COLOR=blue" Probe/Variable --name COLOR
echo secret >/srv/secret && chown intentd-workers /srv/secret && chmod 400 /srv/secret
check "LoadCredential=" gives "secret" with "[App]\nLoadCredential=token:/srv/secret" \
    Probe/ReadText --path /run/credentials/token
check "only root can read the folder of credentials" test "$(stat -c '%U %a' /etc/intentd/credentials)" = "root 700"
echo key >/etc/intentd/credentials/soup && chmod 600 /etc/intentd/credentials/soup
echo hidden >/srv/hidden && chmod 600 /srv/hidden
printf '[App]\nLoadCredential=token:/etc/intentd/credentials/soup\n' >/etc/intentd/apps.d/Probe.conf
check "--check accepts a credential that systemd can pass" /usr/lib/intentd/intentd --check
secret() { with "[App]\nLoadCredential=token:/etc/intentd/credentials/soup" Probe/ReadText --path /run/credentials/token; }
check "LoadCredential= of a file that only root can read" gives_soon "key" secret
workers=$(systemctl show --value --property MainPID intentd-workers.service)
reads_secret() { timeout 60 intentctl run Probe/ReadText --path /run/credentials/token; }
echo rotated >/etc/intentd/credentials/soup && systemctl reload intentd.service
check "a run after a reload reads a secret that was changed" gives "rotated" reads_secret
install -m 600 /dev/stdin /etc/intentd/credentials/soup.new <<<"replaced" && mv /etc/intentd/credentials/soup{.new,}
check "a secret that was replaced is used without a reload" gives_soon "replaced" reads_secret
rm /etc/intentd/credentials/soup && systemctl reload intentd.service
check "the error of a run without its secret says where to look" fails_for "journalctl -u intentd-credentials" reads_secret
install -m 600 /dev/stdin /etc/intentd/credentials/soup <<<"again"
check "a secret that exists again is used" gives_soon "again" reads_secret
check "the launcher was not restarted for it" test "$(systemctl show --value --property MainPID intentd-workers.service)" = "$workers"
check "only the launcher can read the copies" test "$(stat -c '%U %a' /run/intentd-credentials /run/intentd-credentials/* | tr '\n' ' ')" = \
    "intentd-workers 700 intentd-workers 400 "
check "no app sees other credentials of the unit" fails with \
    "[App]\nLoadCredential=token:/etc/intentd/credentials/soup" \
    Probe/ReadText --path /run/credentials/intentd-workers.service/intentd_soup
check "another file that only root can read fails" fails_for "'token' cannot be read by user [1-9]" with \
    "[App]\nLoadCredential=token:/srv/hidden" Probe/ReadText --path /run/credentials/token
check "--check as root reports it" fails_for "'token' cannot be read by user [1-9]" /usr/lib/intentd/intentd --check
printf '[Sandbox]\nReadPaths=/srv/nothing\n' >/etc/intentd/apps.d/Probe.conf
check "--check reports a missing granted path" fails_for "ReadPaths=: '/srv/nothing'" /usr/lib/intentd/intentd --check

# Grants of paths that the file permissions deny to apps.
mkdir -m 700 /srv/closed && echo closed >/srv/closed/file && chmod 600 /srv/closed/file
useradd --groups intentd neighbour
for key in ReadPaths WritePaths; do
    use=(Probe/ReadText --path /srv/closed/file)
    [ $key = ReadPaths ] || use=(Probe/WriteText --path /srv/closed/new --text new)
    check "$key= of an inaccessible folder has no effect" fails with "[Sandbox]\n$key=/srv/closed" "${use[@]}"
    check "--check reports it, with the command that permits access" fails_for \
        "Probe: $key=: '/srv/closed' cannot be (read|written) by apps.*'intentd-workers'; to permit it: setfacl" \
        /usr/lib/intentd/intentd --check
    # Runs the reported command.
    sh -c "$(sed -n 's/.*to permit it: //p' /tmp/output)"
    check "--check accepts the folder with that ACL" /usr/lib/intentd/intentd --check
    check "the app can use the folder with that ACL" with "[Sandbox]\n$key=/srv/closed" "${use[@]}"
done
check "files created by the app belong to its id" test "$(stat -c %u /srv/closed/new)" -ge 2080374784
check "the default ACL entry lets another user's run read them" gives new timeout 60 runuser -u neighbour -- \
    intentctl run Probe/ReadText --path /srv/closed/new
check "the ACL permits no other user" fails runuser -u neighbour -- cat /srv/closed/file
mkdir -m 2770 /srv/grouped && chgrp intentd-workers /srv/grouped && chmod 2770 /srv/grouped
check "an app can write to a folder of the group intentd-workers" with "[Sandbox]\nWritePaths=/srv/grouped" \
    Probe/WriteText --path /srv/grouped/new --text x
check "files created there have the folder's group" test "$(stat -c %G /srv/grouped/new)" = intentd-workers
check "--check accepts that folder" /usr/lib/intentd/intentd --check
echo one >"/srv/it's" && chmod 600 "/srv/it's"
printf '[Sandbox]\nReadPaths="%s"\n' "/srv/it's" >/etc/intentd/apps.d/Probe.conf
check "--check reports an inaccessible file" fails_for "it's' cannot be read by apps" /usr/lib/intentd/intentd --check
sh -c "$(sed -n 's/.*to permit it: //p' /tmp/output)"
check "the reported command quotes the file's name" test "$(getfacl -cp "/srv/it's" | grep -c '^group:intentd-workers:r')" = 1
rm -r /etc/intentd/credentials /etc/intentd/apps.d/Probe.conf
systemctl stop intentd.socket intentd.service intentd-workers.service
systemctl start intentd.socket
check "the service starts without the folder of credentials" with "" Probe/Variable --name HOME
check "a credential is in no log" bash -c "! journalctl --no-pager | grep -q 'secret\$'"

cat >/tmp/welcome.py <<'PYTHON'
import socket, sys
listener = socket.create_server(("127.0.0.1", 0))
open(sys.argv[1], "w").write(str(listener.getsockname()[1]))
while True:
    client, _ = listener.accept()
    client.sendall(b"welcome")
    client.close()
PYTHON
serve /tmp/port "$(cat /tmp/welcome.py)"
serve /tmp/other "$(cat /tmp/welcome.py)"
port=$(cat /tmp/port)
check "no network by default" fails with "" Probe/ConnectTo --port "$port"
check "Network=yes" gives "welcome" with "[Sandbox]\nNetwork=yes" Probe/ConnectTo --port "$port"
check "AllowHosts=" gives "welcome" with "[Sandbox]\nAllowHosts=127.0.0.1:$port" Probe/ConnectTo --port "$port"
check "AllowHosts= permits no other port" fails with "[Sandbox]\nAllowHosts=127.0.0.1:$port" \
    Probe/ConnectTo --port "$(cat /tmp/other)"

# HTTPS with a certificate that the host trusts.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,DNS:host.test \
    -keyout /tmp/key.pem -out /tmp/certificate.pem 2>/dev/null
mkdir -p /etc/ssl/certs
cat /tmp/certificate.pem >>/etc/ssl/certs/ca-certificates.crt
grep -q localhost /etc/hosts || echo "127.0.0.1 localhost" >>/etc/hosts
echo "127.0.0.1 host.test" >>/etc/hosts
serve /tmp/tls '
import http.server, ssl, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        known = self.headers.get("Authorization") == "Bearer booted-secret"
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"known" if known else b"hello")
server = http.server.HTTPServer(("127.0.0.1", 0), Page)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("/tmp/certificate.pem", "/tmp/key.pem")
server.socket = context.wrap_socket(server.socket, server_side=True)
open(sys.argv[1], "w").write(str(server.server_address[1]))
server.serve_forever()
'
check "URLSession works over TLS" gives "hello" with "[Sandbox]\nNetwork=yes" \
    Fetcher/Fetch --url "https://localhost:$(cat /tmp/tls)/"
page=https://host.test:$(cat /tmp/tls)/
granted="[Sandbox]\nAllowHosts=host.test:$(cat /tmp/tls),private"
check "a granted name is reached over TLS" gives "hello" with "$granted" Fetcher/Fetch --url "$page"
check "the process that connects has a user of its own" test "$(ps -o user= -C intentd-egress)" = intentd-egress
check "only the launcher may connect to it" test "$(stat -c '%U %G %a' /run/intentd-egress/egress.sock)" = "intentd-workers root 600"
check "a name with a private address needs the operator's consent" \
    fails_for "set AllowHosts=host.test:$(cat /tmp/tls),private in \[Sandbox\]" with "${granted%,private}" Fetcher/Fetch --url "$page"
# systemd-resolved looks names up by a server of its own, of which only it knows the address.
resolved=/usr/local/lib/intentd-tests/resolved
if [ -e "$resolved" ]; then
    cat >/tmp/names.py <<'PYTHON'
import socket, struct, sys
names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind(("127.0.0.1", 0))
open(sys.argv[1], "w").write(str(names.getsockname()[1]))
while True:
    query, client = names.recvfrom(512)
    end = query.index(0, 12) + 5
    answers = int(query[12:end - 4] == b"\x04only\x08resolved\x04test\0" and query[end - 3] == 1)
    record = struct.pack(">HHHIH4s", 0xC00C, 1, 1, 60, 4, bytes([127, 0, 0, 1])) * answers
    names.sendto(query[:2] + struct.pack(">HHHHH", 0x8580 if answers else 0x8583, 1, answers, 0, 0) + query[12:end] + record, client)
PYTHON
    serve /tmp/names "$(cat /tmp/names.py)"
    serve /tmp/plain '
import http.server, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"plain")
server = http.server.HTTPServer(("127.0.0.1", 0), Page)
open(sys.argv[1], "w").write(str(server.server_address[1]))
server.serve_forever()
'
    tar -C "$resolved" -c . | tar -C / -x --keep-directory-symlink
    systemd-sysusers
    mkdir -p /etc/systemd/resolved.conf.d
    printf '[Resolve]\nDNS=127.0.0.1:%s\nDomains=~.\nDNSSEC=no\n' "$(cat /tmp/names)" >/etc/systemd/resolved.conf.d/tests.conf
    # It sends no query while only the loopback interface is up.
    ip link add tests0 type veth peer name tests1
    ip address add 192.0.2.9/24 dev tests0
    ip link set tests0 up
    ip link set tests1 up
    systemctl daemon-reload
    systemctl start systemd-resolved.service
    sed -i 's/^hosts:.*/hosts: resolve [!UNAVAIL=return] files/' /etc/nsswitch.conf
    systemctl restart intentd-egress.service
    plain=$(cat /tmp/plain)
    check "a granted name is looked up by systemd-resolved" gives "plain" \
        with "[Sandbox]\nAllowHosts=only.resolved.test:$plain,private" Fetcher/Fetch --url "http://only.resolved.test:$plain/"
    check "a name of /etc/hosts is found beside it" gives "hello" with "$granted" Fetcher/Fetch --url "$page"
    check "a name that it does not know is not found" \
        fails with "[Sandbox]\nAllowHosts=not.resolved.test:$plain,private" Fetcher/Fetch --url "http://not.resolved.test:$plain/"
else
    echo "skipped: systemd-resolved is not unpacked"
fi
timeout 60 intentctl reload
workers=$(systemctl show -P MainPID intentd-workers.service)
check "a granted name is reached before a restart" gives "hello" with "$granted" Fetcher/Fetch --url "$page"
systemctl restart intentd-egress.service
check "and after it, by the same launcher" gives "hello" timeout 60 intentctl run Fetcher/Fetch --url "$page"
credential="[Sandbox]\nCredential=token host=host.test:$(cat /tmp/tls),private"
check "a credential that the unit lacks is named" says "write the secret to /etc/intentd/egress/token" \
    with "$credential" Fetcher/Fetch --url http://host.test/
mkdir -pm 700 /etc/intentd/egress
(umask 077 && echo booted-secret >/etc/intentd/egress/token)
systemctl restart intentd-egress.service
check "after a restart, the secret is inserted" gives "known" timeout 60 intentctl run Fetcher/Fetch --url http://host.test/
check "no worker ended" test "$(systemctl show -P MainPID intentd-workers.service)" = "$workers"

postgres=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1 || true)
if [ -n "$postgres" ]; then
    useradd --system database
    mkdir -p /run/database /var/database && chown database /run/database /var/database
    runuser -u database -- "$postgres/initdb" -D /var/database/data --auth=trust >/dev/null
    runuser -u database -- "$postgres/pg_ctl" -D /var/database/data -w -l /var/database/log \
        -o "-k /run/database -c listen_addresses=" start >/dev/null
    check "Sockets= permits a connection to PostgreSQL" gives "1" with \
        "[Sandbox]\nSubprocesses=yes\nReadPaths=/usr/bin /usr/share /usr/lib /lib /lib64 /usr/local /etc/postgresql-common\nSockets=/run/database/.s.PGSQL.5432" \
        Probe/RunProgram --path "$(ls /usr/lib/postgresql/*/bin/psql | tail -1)" \
        --words=-h --words=/run/database --words=-U --words=database --words=-d --words=postgres --words=-Atc --words="select 1"
    runuser -u database -- "$postgres/pg_ctl" -D /var/database/data -m fast stop >/dev/null
else
    echo "skipped: Sockets= with PostgreSQL needs PostgreSQL"
fi

check "no programs by default" fails with "[Sandbox]\nReadPaths=/usr/bin" Probe/RunProgram --path /usr/bin/id
check "Subprocesses=yes" with "[Sandbox]\nSubprocesses=yes\nReadPaths=/usr/bin /usr/lib /lib /lib64" \
    Probe/RunProgram --path /usr/bin/id
below() { local count; count=$("${@:2}" 2>/dev/null || echo 0); [ "${count:-0}" -lt "$1" ]; }
check "MemoryMax=" below 300 with "[Sandbox]\nMemoryMax=300M" Probe/UseUp --what memory --count 1000
check "OpenFiles=" below 50 with "[Sandbox]\nOpenFiles=50" Probe/UseUp --what descriptors --count 1000
code=0
with "[Sandbox]\nDiskMax=20M" Probe/UseUp --what files --count 100 2>/tmp/errors || code=$?
check "DiskMax= limits the total, and the error names the key" test "$code $(grep -m 1 -c DiskMax /tmp/errors)" = "71 1"
if grep -qw cpu /sys/fs/cgroup/system.slice/cgroup.controllers 2>/dev/null; then
    check "CPUQuota=" with "[Sandbox]\nCPUQuota=50%" Probe/Echo --text x
else
    check "CPUQuota= without a controller is refused" fails_for "enforcement of CPUQuota=" \
        with "[Sandbox]\nRequire=full\nMemoryMax=infinity\nCPUQuota=50%" Probe/Echo --text x
fi
# The tests' configuration requires less isolation.
rm /etc/intentd/intentd.conf.d/tests.conf
if grep -qw memory /sys/fs/cgroup/system.slice/cgroup.controllers 2>/dev/null; then
    check "the units require full isolation" gives "x" with "" Probe/Echo --text x
else
    check "the units require full isolation, for which MemoryMax= needs a controller" fails_for "enforcement of MemoryMax=" \
        with "" Probe/Echo --text x
    check "MemoryMax=infinity needs no controller" gives "x" with "[Sandbox]\nMemoryMax=infinity" Probe/Echo --text x
fi
asks_for_less /etc/intentd
timeout 60 intentctl reload
printf '[Sandbox]\nReadPath=/x\n' >/etc/intentd/apps.d/Probe.conf
check "a reload reports an unknown key with its line" fails_for "Probe.conf:2" timeout 60 intentctl reload
systemctl restart intentd.service
check "an app with an unknown key does not run" fails_for "Probe.conf:2" timeout 60 intentctl run Probe/Echo --text x
check "an app with IdleStop= runs" with "[App]\nIdleStop=1s" Probe/Echo --text x
check "IdleStop= stops the app's processes" timeout 20 bash -c \
    'while pgrep -f ^/usr/local/lib/intentd/apps/Probe >/dev/null; do sleep 0.1; done'

jobs -p | xargs -r kill
systemctl stop intentd.socket intentd.service
check "no process of the user intentd is left" timeout 15 bash -c 'while pgrep -u intentd,intentd-workers,intentd-egress >/dev/null; do sleep 0.1; done'
