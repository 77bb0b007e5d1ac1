#!/bin/bash
# Boots a real systemd in a User-Mode Linux kernel and runs one command under it, for tests that need cgroup controllers
# which the host does not provide. The kernel of Debian's package user-mode-linux has cgroup2 with the controllers cpu, io,
# memory and pids, one processor, and no Landlock; build-kernel.sh makes one that has it. The host's root is read-only, below
# a temporary overlay.
#
#   boot-uml.sh [-k KERNEL] [-m MEMORY] [-t SECONDS] COMMAND [ARGUMENT...]
#     -k KERNEL    the program to boot (default: linux.uml)
#     -m MEMORY    its memory (default 1500M)
#     -t SECONDS   limit for COMMAND (default 480)
#
#   boot-uml.sh --check
#     exits with 77 if the kernel cannot run a process on this processor, which may have more registers than it can restore
#
# Exit code: COMMAND's; 124 COMMAND took too long; 125 no boot. Needs user-mode-linux and busybox (for insmod), or KERNEL.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

if [ "${1:-}" = --check ]; then
    # Without more processes, a kernel panics when its first process exits, which is success here.
    home=$(mktemp -d)
    trap 'rm -rf "$home"' EXIT
    HOME=$home setsid timeout -k 2 30 linux.uml mem=128M "umid=check-$$" root=/dev/root rootfstype=hostfs rootflags=/ ro init=/bin/true \
        con=null con0=null,fd:1 ssl=null quiet panic=-1 </dev/null >"$home/console" 2>&1 &
    wait "$!" || true
    # A kernel that has crashed leaves processes, for which this script's parent would wait.
    pkill -KILL -f "umid=check-$$" || true
    if grep -q put_fp_registers "$home/console"; then exit 77; fi
    exit 0
fi

limit=480
program=linux.uml
memory=1500M
while getopts k:m:t: option; do
    case $option in
    k) program=$OPTARG ;;
    m) memory=$OPTARG ;;
    t) limit=$OPTARG ;;
    *) exit 125 ;;
    esac
done
shift $((OPTIND - 1))

# Of Debian's kernel, which has it as a module.
overlay=
if [ "$program" = linux.uml ]; then
    overlay=$(find /usr/lib/uml/modules -name overlay.ko 2>/dev/null | head -1)
    [ -n "$overlay" ] || { echo "boot-uml.sh: overlay.ko for User-Mode Linux is not installed" >&2; exit 125; }
fi
work=$(mktemp -d)
kernel=
stop() {
    [ -z "$kernel" ] || kill -9 -- "-$kernel" 2>/dev/null || true
    rm -rf "$work"
}
trap stop EXIT
[ -z "$overlay" ] || cp "$overlay" "$work/overlay.ko"
printf '%q ' "$@" >"$work/command"

cat >"$work/init" <<INIT
#!/bin/bash
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
leave() { echo "boot-uml.sh: \$*"; echo o >/proc/sysrq-trigger; sleep 9; }
mount -t proc proc /proc
[ ! -e $work/overlay.ko ] || busybox insmod $work/overlay.ko || leave "no overlay"
# All writes go to memory, never to the host's files.
mount -t tmpfs overlay /mnt && mkdir /mnt/{upper,work,root} || leave "cannot create the overlay's folders"
mount -t overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work overlay /mnt/root || leave "no root"
root=/mnt/root
. $here/lean-system.sh
lean_system \$root $limit /run/boot-uml/command /run/boot-uml/output /run/boot-uml/code
mkdir \$root/run/boot-uml
mount -t hostfs -o $work none \$root/run/boot-uml || leave "cannot mount the host's folder"
cd \$root
mkdir -p run/old
pivot_root . run/old && umount -l /run/old && mount --make-rshared / || leave "no other root"
ip link set lo up || true
exec env -i PATH=\$PATH container=uml /lib/systemd/systemd --system --unit=own-kernel.target --show-status=0
INIT
chmod 755 "$work" "$work/init"

HOME=$work setsid timeout -k 2 $((limit + 60)) "$program" "mem=$memory" root=/dev/root rootfstype=hostfs rootflags=/ ro \
    init="$work/init" con=null con0=null,fd:1 ssl=null quiet panic=-1 </dev/null >"$work/console" 2>&1 &
kernel=$!
wait "$kernel" || true
kernel=
# A kernel that has crashed leaves processes.
pkill -KILL -f "init=$work/init" || true
cat "$work/output" 2>/dev/null || true
if [ -s "$work/code" ]; then exit "$(cat "$work/code")"; fi
tail -20 "$work/console" >&2
exit 125
