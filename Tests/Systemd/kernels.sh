#!/bin/bash
# Inside a virtual machine with a distribution's own kernel (boot-vm.sh): the released packages do what depends on the kernel,
# on its settings and on the clock. Every line that begins with "ok" or "not ok" is one check.
#
#   kernels.sh PROJECT PACKAGES APP GRADE [PART...]     PART: egress, surroundings, clock, suspend, processes, read-only; default: all
set -euo pipefail

project=$1
packages=$2
app=$3
grade=$4
parts=("${@:5}")
[ ${#parts[@]} != 0 ] || parts=(egress surroundings clock suspend processes read-only)
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

as_member() { timeout 100 runuser -u member -- "$@"; }
prints() { local output; output=$("${@:2}" 2>&1) || true; grep -E -- "$1" <<<"$output" || { echo "$output"; false; }; }
soon() { timeout 100 bash -c "until $1; do sleep 0.2; done"; }
# does SCRIPT: an app's program performs the script of the shell.
does() { as_member intentctl run tools/Do --script "$1"; }
begins() { as_member intentctl run --detach "$@"; }
# has RUN TEXT: the run's record, as JSON, has a line with the text.
has() { intentctl -o json show "$1" | grep -q -- "$2"; }
export -f has
is() { soon "has $1 '\"state\" : \"$2\"'"; }
# ends RUN CODE: the run ends within the time, and intentctl's exit code is CODE.
ends() {
    local code=0
    as_member intentctl wait "$1" || code=$?
    [ "$code" = "$2" ] || { as_member intentctl why "$1"; false; }
}
newest() { intentctl -o json history --by all -n 1 | sed -nE 's/^ *"run" : "(.*)",?$/\1/p'; }
# refuses WORDS SCRIPT: the script fails, and the run says why.
refuses() {
    ! does "$2" >/tmp/output 2>&1 || { cat /tmp/output; return 1; }
    prints "$1" intentctl why "$(newest)"
}

. /etc/os-release
echo "$PRETTY_NAME: Linux $(uname -r); $(cat /sys/kernel/security/lsm); $(sed -nE 's/^MemTotal: *//p' /proc/meminfo); $(cat /proc/cmdline)"
if [ -d /sys/kernel/security/apparmor ]; then
    # An older kernel than the distribution's own refuses some of its profiles, and the unit fails.
    systemctl start apparmor.service || journalctl -o cat -u apparmor.service -n 5
    check "AppArmor enforces profiles" grep -q enforce /sys/kernel/security/apparmor/profiles
    echo "AppArmor: $(grep -c enforce /sys/kernel/security/apparmor/profiles) profiles are enforced;" \
        "kernel.apparmor_restrict_unprivileged_userns=$(cat /proc/sys/kernel/apparmor_restrict_unprivileged_userns 2>/dev/null || echo none)"
fi
rm -f /usr/sbin/policy-rc.d
check "the packages are installed with umask 077" bash -c "umask 077; dpkg -i $packages/intentd_*.deb $packages/intentctl_*.deb"
install -m 755 -D "$app" /usr/local/lib/intentd/apps/Archive
useradd --create-home --groups intentd member
useradd --create-home other
: >/etc/intentd/intentd.conf
[ "$grade" = full ] || asks_for_less /etc/intentd
echo '127.0.0.1 localhost
127.0.91.1 granted.example other.example
127.0.91.2 secret.example' >/etc/hosts
cat >/etc/intentd/commands.d/tools.intents <<'END'
[App]
Description=Tools of the test
[Intent Do]
Exec=/bin/sh -c 'eval "$1"' sh %{script}
[Intent Do.Parameter script]
[Intent Ask]
Exec=/bin/sh -c 'answer=$(intent-ask "Which soup?") && echo "got $answer"'
Result=text
[Intent Wait]
Exec=/bin/sh -c 'while [ ! -e /srv/go ]; do sleep 0.2; done; echo waited'
Result=text
Runtime=10min
[Intent Scheduled]
Exec=/bin/echo scheduled
Result=text
[Sandbox]
ReadPaths=/srv
AllowHosts=granted.example:80,private granted.example:443,private
Credential=token host=secret.example,private header=Authorization value="Bearer %s"
END
systemctl start intentd.socket
said=$(intentctl status)
echo "$said" | sed 's/^/    /'
check "the grade is $grade" bash -c 'grep -qE "isolation.*$1" <<<"$2"' - "$grade" "$said"
echo "doctor:"
intentctl doctor | sed 's/^/    /' || true
echo "doctor of a user:"
as_member intentctl doctor | sed 's/^/    /' || true
compresses() {
    (
        cd ~member
        rm -f dpkg.gz
        as_member "$@" intentctl run --out . Archive/Compress --file /usr/bin/dpkg >/dev/null && gzip --decompress --stdout dpkg.gz | cmp - /usr/bin/dpkg
    )
}
check "an ordinary user runs an app" compresses
check "an ordinary user runs a program" prints '^soup$' does 'echo soup'
check "a program can neither create user namespaces nor see the host's processes" does \
    '! unshare --user true 2>/dev/null && [ "$(ls -d /proc/[0-9]* | wc -l)" -lt 8 ]'

in_egress() {
    local root=/srv/certificates
    mkdir -p $root
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=granted.example -keyout $root/key.pem -out $root/granted.pem \
        -addext subjectAltName=DNS:granted.example,DNS:secret.example 2>/dev/null
    install -m 644 $root/granted.pem /etc/ssl/certs/granted.pem
    openssl rehash /etc/ssl/certs
    openssl s_server -accept 127.0.91.1:443 -cert $root/granted.pem -key $root/key.pem -www >/dev/null 2>&1 &
    # The first connection receives the response, and its request is printed.
    { printf 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsoup\n' && sleep 1000; } |
        openssl s_server -accept 127.0.91.2:443 -cert $root/granted.pem -key $root/key.pem -quiet >/tmp/received 2>/dev/null &
    install -m 600 -D <(printf 's3cret') /etc/intentd/egress/token
    systemctl try-restart intentd-egress.service
    soon "openssl s_client -connect 127.0.91.1:443 </dev/null >/dev/null 2>&1"
    local fetch="curl -sS --cacert /srv/certificates/granted.pem"
    check "a granted host is reached over TLS" prints 'Ciphers supported' does "$fetch https://granted.example/"
    check "the sandbox's resolver has the granted name" prints '^198\.18\.' does 'getent ahostsv4 granted.example'
    check "the sandbox's resolver has no other name" does '! getent hosts other.example'
    check "a host that is not granted is refused, and the run says so" refuses 'AllowHosts=' "$fetch https://other.example/"
    check "another name in TLS is refused, and the run says so" refuses 'granted.example:443' \
        "$fetch --insecure --resolve other.example:443:\$(getent ahostsv4 granted.example | sed -n '1s/ .*//p') https://other.example/"
    check "an address that is not granted is not reached" does "! $fetch --insecure --max-time 5 https://127.0.91.1/"
    check "a credential is inserted" prints '^soup$' does 'curl -sS http://secret.example/menu'
    check "the host has received it" grep -q '^Authorization: Bearer s3cret' /tmp/received
    check "the record names the credential and not its value" bash -c 'record=$(intentctl -o json show "$1"; intentctl why "$1")
        grep -q "credential token" <<<"$record" && ! grep -q s3cret <<<"$record"' - "$(newest)"
}

in_surroundings() {
    check "intentctl lists intents with 64 descriptors" prints 'tools/Do' as_member bash -c 'ulimit -n 64; intentctl list'
    check "intentctl runs an app with 64 descriptors" compresses bash -c 'ulimit -n 64; "$@"' -
    check "intentctl runs an app with umask 077" compresses bash -c 'umask 077; "$@"' -
    check "intentctl runs an app in a locale that is not UTF-8" compresses env LC_ALL=de_DE.ISO-8859-1
    check "a private daemon with umask 077 and 64 descriptors runs an app" as_member bash -c 'umask 077; ulimit -n 64
        intentctl run --local --out ~ /usr/local/lib/intentd/apps/Archive Compress --file /usr/bin/dpkg >/dev/null'
}

in_clock() {
    local run question process due
    process=$(systemctl show -P MainPID intentd.service)
    run=$(begins tools/Wait)
    question=$(begins tools/Ask)
    check "a run is open" is "$run" running
    check "a question is open" soon "intentctl answer $question | grep -q soup"
    due=$(date -d '+30 minutes' '+%H:%M:00')
    check "a schedule is open" intentctl schedule add --as member due "$due" tools/Scheduled
    date -s '+1 hour' >/dev/null
    check "a schedule that an hour's jump has passed starts" soon 'intentctl history --by all | grep -q tools/Scheduled.*done'
    check "the run goes on after an hour's jump" has "$run" '"state" : "running"'
    check "the question is still open" prints soup intentctl answer "$question"
    date -s '-1 hour' >/dev/null
    check "a run succeeds after the jump back" prints '^soup$' does 'echo soup'
    check "the schedule started once" test "$(intentctl history --by all | grep -c tools/Scheduled)" = 1
    check "the question can be answered" as_member intentctl answer "$question" leek
    check "the run with the question succeeds" ends "$question" 0
    touch /srv/go
    check "the run succeeds" ends "$run" 0
    rm /srv/go
    date -s '-1 hour' >/dev/null
    check "a run succeeds an hour before all others" prints '^soup$' does 'echo soup'
    date -s '+1 hour' >/dev/null
    check "no recorded duration is negative or an hour" bash -c '! intentctl -o json history --by all --export jsonl |
        grep -E "\"(afterMilliseconds|runtimeMilliseconds)\" ?: ?(-|[0-9]{7})"'
    check "intentd was not restarted" test "$(systemctl show -P MainPID intentd.service)" = "$process"
    intentctl schedule remove due
}

# runs_in_full_table: another program has all process ids but N, for N from 0, while intentctl performs an intent. Prints N, its exit
# code and what it has printed.
runs_in_full_table() {
    perl - <<'END'
$| = 1;
for my $free (0 .. 9, 12, 20, 40) {
    pipe(my $go, my $start);
    my $client = fork // die;
    if (!$client) {
        close $start;
        read $go, my $byte, 1;
        open STDIN, "</dev/null";
        open STDOUT, ">/tmp/said";
        open STDERR, ">&STDOUT";
        $ENV{NO_COLOR} = 1;
        # exec needs no process id.
        exec "intentctl", "run", "--no-input", "tools/Do", "--script", "echo soup";
    }
    my @others;
    while (defined(my $other = fork)) {
        if (!$other) { close $start; close $go; sleep 600; exit }
        push @others, $other;
    }
    for (1 .. $free) { my $other = pop @others; kill 9, $other; waitpid $other, 0 }
    close $start;
    my $ends = sub { eval { local $SIG{ALRM} = sub { die }; alarm $_[0]; waitpid $client, 0; alarm 0; $? >> 8 || $? } };
    my $code = $ends->(20);
    my $waits = defined $code ? "" : "waits until there are ids, ";
    kill 9, @others;
    waitpid $_, 0 for @others;
    $code //= $ends->(60);
    if (!defined $code) { kill 9, $client; waitpid $client, 0; $code = "none" }
    open my $said, "<", "/tmp/said";
    chomp(my @lines = <$said>);
    print "$free free: ${waits}exit code $code: ", join("; ", grep !/intentctl why/, @lines), "\n";
}
END
}

in_processes() {
    local process workers limit
    process=$(systemctl show -P MainPID intentd.service)
    workers=$(systemctl show -P MainPID intentd-workers.service)
    # The smallest table that the system fits into.
    limit=$(cat /proc/sys/kernel/pid_max)
    echo 700 >/proc/sys/kernel/pid_max
    runs_in_full_table >/tmp/table 2>&1 || true
    echo "$limit" >/proc/sys/kernel/pid_max
    sed 's/^/    /' /tmp/table
    check "every client ends while the table of processes is full" bash -c '! grep -E "waits until|exit code none" /tmp/table'
    # A program that intentd-command could not start is an error of the intent.
    check "what found no process id is busy, and a schedule repeats it" bash -c \
        '! grep -vE "exit code (0|75|1: failed: cannot start)" /tmp/table && grep "exit code 75.*no process id" /tmp/table'
    check "a client with too few ids for a run says why" bash -c '! grep -E "exit code [1-9].*: $" /tmp/table'
    check "a run that is performed succeeds" bash -c '! grep "exit code 0" /tmp/table | grep -v soup && tail -n 1 /tmp/table | grep "exit code 0"'
    check "a run succeeds after it" prints '^soup$' does 'echo soup'
    check "intentd was not restarted" test "$(systemctl show -P MainPID intentd.service)" = "$process"
    check "its launcher was not restarted" test "$(systemctl show -P MainPID intentd-workers.service)" = "$workers"
    check "no run is left" soon '! intentctl ps --by all | grep -q tools/'
}

in_read-only() {
    local folder
    # As systems with images have it: only these folders can be written.
    for folder in /var /home /srv; do mount --bind $folder $folder; done
    mount -t tmpfs tmp /tmp
    # A process with a file of the root open for writing keeps the root writable: the script's servers, and services.
    jobs -p | xargs -r kill
    systemctl stop intentd.socket intentd.service intentd-workers.socket intentd-workers.service intentd-egress.service
    systemctl restart systemd-journald.service
    check "the root is mounted read-only" mount -o remount,bind,ro /
    systemctl start intentd.socket
    if findmnt -no OPTIONS / | grep -q '^rw'; then
        echo "open for writing: $(lsof -Fcan / 2>/dev/null | grep -B1 -A1 '^a[uw]' | paste -sd ' ' || true)"
        return
    fi
    check "the root cannot be written" bash -c '! touch /etc/x 2>/dev/null'
    check "the services restart with a root that is read-only" systemctl restart intentd-workers.service intentd.service intentd-egress.service
    check "the grade is still $grade" bash -c 'intentctl status | grep -qE "isolation.*$1"' - "$grade"
    check "an ordinary user runs an app with a root that is read-only" compresses
    check "a program runs with a root that is read-only" prints '^soup$' does 'echo soup'
    check "a schedule cannot be stored, and intentctl says so" prints 'Read-only file system|read-only' intentctl schedule add x daily tools/Scheduled
    mount -o remount,bind,rw /
}

in_suspend() {
    local run process
    process=$(systemctl show -P MainPID intentd.service)
    run=$(begins tools/Wait)
    check "a run is open" is "$run" running
    if ! rtcwake --mode mem --seconds 10 >/tmp/output 2>&1; then
        echo "skipped: this machine cannot be suspended: $(cat /tmp/output)"
        return
    fi
    check "the kernel has suspended the machine" bash -c "dmesg | grep 'PM: suspend exit'"
    touch /srv/go
    check "the run succeeds after the suspension" ends "$run" 0
    rm /srv/go
    check "a run succeeds after the suspension" prints '^soup$' does 'echo soup'
    check "intentd was not restarted" test "$(systemctl show -P MainPID intentd.service)" = "$process"
}

for part in "${parts[@]}"; do
    echo "$part:"
    "in_$part"
done
check "status is healthy" intentctl status
check "nothing of the programs has crashed" bash -c '! journalctl -k | grep -E "segfault|traps:|Oops|BUG:"'
echo "AppArmor's denials: $(journalctl -k | grep -c 'apparmor="DENIED".*intentd' || true)"
