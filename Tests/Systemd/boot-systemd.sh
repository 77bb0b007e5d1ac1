#!/bin/bash
# Boots a real systemd and runs one command under it: PID 1 of its own PID, mount, cgroup, UTS, IPC and network
# namespaces, on a temporary overlay over the host's root or another system's. Passes on the command's output and exit code, shuts everything
# down and leaves nothing behind.
#
#   boot-systemd.sh [options] COMMAND [ARGUMENT...]
#     -b FOLDER    bind-mount FOLDER of the host at the same path (repeatable): for files that change during the run, or are
#                  on another file system than the root
#     -c MODE      cgroups: hybrid (v1 controllers, v2 for tracking) or unified (v2 only); default: as on the host
#     -r FOLDER    the root of another system, instead of the host's
#     -o FOLDER    write journal.txt and boot.log to FOLDER
#     -t SECONDS   limit for COMMAND (default 120); booting has a minute, stopping 20 s
#
# Exit code: COMMAND's; 124 COMMAND took too long; 125 no boot. Needs root, systemd, dbus, util-linux and iproute2.
#
# The script calls itself twice: "enter" as PID 1 of the new PID namespace with the host's mounts, then "boot" in its own
# mount and cgroup namespaces, which executes systemd.
set -euo pipefail

program=$(readlink -f "$0")

# The path, inside the booted system, of the folder shared with the host.
shared=/run/boot-systemd

enter() {
    local work=$1 cgroup
    # Done inside the PID namespace, because an outside process would appear as "PID 0" in cgroup.procs.
    while read -r cgroup; do
        echo 0 >"$cgroup/cgroup.procs"
    done <"$work/cgroups"
    # The cgroup namespace created now has these cgroups as its roots.
    exec unshare --mount --cgroup -- /bin/bash "$program" --boot "$@"
}

boot() {
    local work=$1 mode=$2 hierarchies=$3 base=$4 root units device name major minor hierarchy unit folder

    mount --make-rprivate /
    mount -t tmpfs -o mode=755,size=4g boot-systemd "$work/overlay"
    mkdir "$work"/overlay/{upper,work,root}
    root=$work/overlay/root
    mount -t overlay -o "lowerdir=$base,upperdir=$work/overlay/upper,workdir=$work/overlay/work" boot-systemd "$root"

    mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
    # PID 1 and systemd-sysctl would change the host's settings (fs.file-max, fs.protected_*).
    mount --bind "$root/proc/sys" "$root/proc/sys"
    mount -o remount,bind,ro "$root/proc/sys"
    # Read-only, so that the conditions of udev and similar units skip them.
    mount -t sysfs -o nosuid,nodev,noexec,ro sysfs "$root/sys"

    mount -t tmpfs -o mode=755,nosuid dev "$root/dev"
    for device in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
        IFS=: read -r name major minor <<<"$device"
        mknod -m 666 "$root/dev/$name" c "$major" "$minor"
    done
    ln -s /proc/self/fd "$root/dev/fd"
    ln -s fd/0 "$root/dev/stdin"
    ln -s fd/1 "$root/dev/stdout"
    ln -s fd/2 "$root/dev/stderr"
    ln -s pts/ptmx "$root/dev/ptmx"
    mkdir "$root"/dev/{pts,shm,mqueue}
    # The terminal that script(1) has opened. Without a console, PID 1 does not log.
    touch "$root/dev/console"
    mount --bind "$(tty <&2)" "$root/dev/console"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
    mount -t tmpfs -o mode=1777 shm "$root/dev/shm"

    mount -t tmpfs -o mode=755,nosuid,nodev run "$root/run"
    mkdir -p "$root"/run/{lock,log,systemd/system,host/proc} "$root$shared"
    # /proc/sys is covered, and the kernel lets an unprivileged user namespace mount a /proc only if a complete one is visible.
    mount -t proc -o nosuid,nodev,noexec proc "$root/run/host/proc"
    mount --bind "$work/shared" "$root$shared"

    # A mount created here shows the roots of this cgroup namespace.
    if [ "$mode" = unified ]; then
        mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 "$root/sys/fs/cgroup"
    else
        mount -t tmpfs -o mode=755 cgroup "$root/sys/fs/cgroup"
        for hierarchy in $hierarchies; do
            mkdir "$root/sys/fs/cgroup/$hierarchy"
            case $hierarchy in
            unified) set -- cgroup2 nosuid,nodev,noexec ;;
            systemd) set -- cgroup nosuid,nodev,noexec,none,name=systemd ;;
            *) set -- cgroup "nosuid,nodev,noexec,$hierarchy" ;;
            esac
            mount -t "$1" -o "$2" "$1" "$root/sys/fs/cgroup/$hierarchy"
        done
    fi

    while read -r folder; do
        mkdir -p "$root$folder"
        mount --rbind "$folder" "$root$folder"
    done <"$work/binds"

    # A minimal system, identical on every host: no services of the host, no clock, no hardware, no terminals.
    units=$root/etc/systemd/system
    rm -rf "$units"/*.wants "$units"/*.requires "$units/default.target" "$root/etc/fstab" "$root/var/log/journal"
    touch "$root/etc/fstab" "$root/etc/.updated" "$root/var/.updated"
    rm -f "$root/etc/machine-id"
    tr -d - </proc/sys/kernel/random/uuid >"$root/etc/machine-id"
    # tmp.mount, enabled in Debian 13, would hide a checkout below /tmp.
    for unit in systemd-{update-utmp,hwdb-update,journal-flush,logind,firstboot,pstore,random-seed,sysusers}.service \
        systemd-{timesyncd,journal-catalog-update,binfmt,ask-password-console,sysctl,modules-load}.service \
        systemd-{remount-fs,tmpfiles-setup-dev}.service systemd-ask-password-{console,wall}.path \
        {ldconfig,e2scrub_reap,apparmor,keyboard-setup,console-setup,modprobe@,kmod-static-nodes}.service \
        {tmp,dev-hugepages}.mount sys-{kernel-debug,kernel-tracing,fs-fuse-connections,kernel-config}.mount \
        proc-sys-fs-binfmt_misc.automount {getty,swap,cryptsetup,integritysetup,veritysetup,timers}.target \
        systemd-journald-audit.socket systemd-initctl.socket; do
        ln -sfn /dev/null "$units/$unit"
    done
    mkdir -p "$root"/etc/systemd/{journald,system}.conf.d "$units/systemd-tmpfiles-setup.service.d"
    cat >"$root/etc/systemd/journald.conf.d/boot-systemd.conf" <<-END
		[Journal]
		Storage=volatile
		Audit=
		RateLimitBurst=0
		RateLimitIntervalSec=0
	END
    cat >"$root/etc/systemd/system.conf.d/boot-systemd.conf" <<-END
		[Manager]
		DefaultTimeoutStopSec=10s
		DefaultTimeoutStartSec=30s
	END
    # The stock unit also removes files: it empties /tmp, and would follow bind mounts to the host.
    cat >"$units/systemd-tmpfiles-setup.service.d/boot-systemd.conf" <<-END
		[Service]
		ExecStart=
		ExecStart=systemd-tmpfiles --create --boot --prefix=/run --prefix=/var/lib --prefix=/var/log
	END
    cat >"$units/boot-systemd.target" <<-END
		[Unit]
		Description=A throw-away system
		Requires=basic.target dbus.socket boot-systemd.service
		After=basic.target dbus.socket
		AllowIsolate=yes
	END
    cat >"$units/boot-systemd.service" <<-END
		[Unit]
		Description=The command
		After=basic.target dbus.socket
		SuccessAction=exit
		FailureAction=exit

		[Service]
		Type=exec
		ExecStart=/bin/bash $shared/command
		StandardInput=null
		StandardOutput=append:$shared/stdout
		StandardError=append:$shared/stderr
		TimeoutStopSec=5s
	END

    ip link set lo up
    hostname boot-systemd
    cd "$root"
    mkdir run/machine
    pivot_root . run/machine
    umount -l /run/machine
    rmdir /run/machine
    # In a container, systemd expects this mount to exist. Without it, credentials of services stay empty.
    mount --make-rshared /
    # "container" makes systemd ignore the kernel's command line, pass on its exit code, and not halt the host.
    exec env -i container=boot-systemd PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
        /lib/systemd/systemd --system --unit=boot-systemd.target --log-target=journal-or-kmsg \
        </dev/null >/dev/console 2>&1
}

case ${1:-} in
--enter | --boot)
    stage=${1#--}
    shift
    "$stage" "$@"
    ;;
esac

# From here on, the script runs on the host.

fail() {
    echo "boot-systemd.sh: $*" >&2
    if [ -s "${work:-}/shared/boot.log" ]; then
        tail -n 30 "$work/shared/boot.log" >&2
    fi
    exit 125
}

binds=()
mode=
logs=
base=/
limit=120
while getopts b:c:o:r:t: option; do
    case $option in
    b) binds+=("$(readlink -f "$OPTARG")") ;;
    c) mode=$OPTARG ;;
    o) logs=$OPTARG ;;
    r) base=$(readlink -f "$OPTARG") ;;
    t) limit=$OPTARG ;;
    *) fail "unknown option; the head of this file lists the options" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || fail "expected a command to run"
[ "$(id -u)" = 0 ] || fail "booting a systemd needs root"

# The mount point of cgroup2: the top on a host with v2 only, or a folder beside the v1 hierarchies.
cgroup2=$(awk '{ for (i = 7; i < NF; i++) if ($i == "-" && $(i + 1) == "cgroup2") { print $5; exit } }' \
    /proc/self/mountinfo)
[ -n "$cgroup2" ] || fail "cgroup2 is not mounted"
v1=()
for hierarchy in systemd cpu cpuacct cpuset memory pids devices blkio freezer; do
    if [ -d "/sys/fs/cgroup/$hierarchy" ] && [ "$cgroup2" != /sys/fs/cgroup ]; then
        v1+=("$hierarchy")
    fi
done
if [ -z "$mode" ]; then
    mode=unified
    [ ${#v1[@]} = 0 ] || mode=hybrid
fi
case $mode in
unified) hierarchies=unified ;;
hybrid)
    [ ${#v1[@]} -gt 0 ] || fail "this host has no v1 cgroups"
    hierarchies="${v1[*]} unified"
    ;;
*) fail "-c: expected hybrid or unified, got '$mode'" ;;
esac

work=$(mktemp -d /tmp/boot-systemd.XXXXXXXX)
cgroups=()
namespace=
copiers=()

remove_cgroup() {
    # The kernel empties a cgroup a moment after its last process has exited.
    local tries
    for ((tries = 0; tries < 40; tries++)); do
        find "$1" -depth -type d -exec rmdir {} + 2>/dev/null || true
        [ -d "$1" ] || return 0
        sleep 0.05
    done
    echo "boot-systemd.sh: cannot remove the cgroup '$1'" >&2
}

clean_up() {
    trap '' INT TERM HUP
    if [ -n "$namespace" ]; then
        # --kill-child kills PID 1 of the namespace, and the kernel then kills all its processes.
        kill -KILL "$namespace" 2>/dev/null || true
        wait "$namespace" 2>/dev/null || true
    fi
    local process cgroup
    for process in ${copiers[@]+"${copiers[@]}"}; do
        kill "$process" 2>/dev/null || true
    done
    for cgroup in ${cgroups[@]+"${cgroups[@]}"}; do
        remove_cgroup "$cgroup"
    done
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

mkdir "$work/overlay" "$work/shared"
chmod 755 "$work" "$work/shared"
mkfifo "$work/shared/stdout" "$work/shared/stderr"
touch "$work/shared/boot.log" "$work/binds"
if [ ${#binds[@]} -gt 0 ]; then
    printf '%s\n' "${binds[@]}" >"$work/binds"
fi

# Removes what earlier instances could not remove because of SIGKILL.
for folder in /tmp/boot-systemd.*; do
    [ -f "$folder/owner" ] || continue
    [ ! -d "/proc/$(cat "$folder/owner")" ] || continue
    while read -r cgroup; do
        [ ! -d "$cgroup" ] || remove_cgroup "$cgroup"
    done <"$folder/cgroups"
    rm -rf --one-file-system "$folder"
done
touch "$work/cgroups"
echo $$ >"$work/owner"

{
    echo "touch $shared/up"
    echo 'code=0'
    printf 'timeout -k 3 %q' "$limit"
    printf ' %q' "$@"
    echo ' || code=$?'
    if [ -n "$logs" ]; then
        echo "journalctl --sync"
        echo "journalctl --no-pager -o short-monotonic >$shared/journal.txt 2>&1"
    fi
    echo "echo \$code >$shared/code"
    echo 'exit $code'
} >"$work/shared/command"

for hierarchy in $hierarchies; do
    case $hierarchy in
    unified)
        # On a host with v2 only, the top has the controllers, and only the top may have processes beside them.
        parent=$cgroup2
        if [ "$cgroup2" != /sys/fs/cgroup ]; then
            parent+=$(sed -n 's/^0:://p' /proc/self/cgroup)
        fi
        ;;
    systemd) parent=/sys/fs/cgroup/systemd$(sed -n 's/^[0-9]*:name=systemd://p' /proc/self/cgroup) ;;
    *) parent=/sys/fs/cgroup/$hierarchy$(sed -nE "s/^[0-9]+:([^:]*,)?$hierarchy(,[^:]*)?://p" /proc/self/cgroup) ;;
    esac
    cgroup=${parent%/}/${work##*/}
    mkdir "$cgroup" || fail "cannot create the cgroup '$cgroup'"
    cgroups+=("$cgroup")
    echo "$cgroup" >>"$work/cgroups"
    if [ "$hierarchy" = cpuset ]; then
        for file in cpuset.cpus cpuset.mems; do
            cat "${cgroup%/*}/$file" >"$cgroup/$file"
        done
    fi
done

printf -v inner '%q ' unshare --fork --kill-child=KILL --pid --uts --ipc --net \
    /bin/bash "$program" --enter "$work" "$mode" "$hierarchies" "$base"
# script(1) opens the terminal that becomes /dev/console. Each process of the chain ends with its parent.
setpriv --pdeathsig KILL script -qefc "exec setpriv --pdeathsig KILL $inner" "$work/shared/boot.log" \
    </dev/null >/dev/null 2>&1 &
namespace=$!
cat "$work/shared/stdout" &
copiers+=($!)
cat "$work/shared/stderr" >&2 &
copiers+=($!)

# Waits until a file exists; fails when the limit has passed or systemd has exited.
wait_for() {
    local file=$1 end=$((SECONDS + $2))
    until [ -e "$file" ]; do
        kill -0 "$namespace" 2>/dev/null && [ $SECONDS -le $end ] || return 1
        sleep 0.03
    done
}

wait_for "$work/shared/up" 60 || [ -e "$work/shared/up" ] || fail "systemd did not start the command within 60 s"
wait_for "$work/shared/code" $((limit + 10)) || true
# The orderly shutdown.
end=$((SECONDS + 20))
while kill -0 "$namespace" 2>/dev/null && [ $SECONDS -le $end ]; do
    sleep 0.03
done
if ! kill -0 "$namespace" 2>/dev/null; then
    wait "$namespace" || true
    namespace=
    # Every writer has exited: the copiers copy the rest of the pipes, then exit.
    wait "${copiers[@]}" || true
    copiers=()
fi
if [ -n "$logs" ]; then
    mkdir -p "$logs"
    for file in journal.txt boot.log; do
        [ ! -e "$work/shared/$file" ] || cp "$work/shared/$file" "$logs/"
    done
fi
[ -s "$work/shared/code" ] || fail "the exit code of the command is missing"
exit "$(cat "$work/shared/code")"
