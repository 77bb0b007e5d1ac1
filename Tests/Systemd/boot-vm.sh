#!/bin/bash
# Boots a real systemd in a virtual machine and runs one command under it: for a kernel that has cgroup controllers,
# Landlock and a filter of system calls together, of a version of one's choice. The kernel is one of Debian's, which
# `Tests/install-packages booted` brings. This machine's root is below a throw-away overlay, read-only.
#
#   boot-vm.sh [options] COMMAND [ARGUMENT...]
#     -b FOLDER    bind FOLDER of this machine at the same path, read-only (repeatable): for what is not on the root's
#                  file system
#     -k KERNEL    a folder of /var/cache/intentd-tests/kernels (default: linux-image-cloud-amd64)
#     -t SECONDS   limit for COMMAND (default 480)
#
# Exit code: COMMAND's; 124 COMMAND took too long; 125 no boot. Needs root and an x86-64 machine. Without virtualization
# by the processor everything in the machine takes 10 to 30 times as long.
set -euo pipefail
program=$(readlink -f "$0")
here=$(dirname "$program")
kernels=/var/cache/intentd-tests/kernels

# This machine's files as the virtual machine may read them. The script calls itself for it, in a mount namespace.
if [ "${1:-}" = --share ]; then
    work=$2
    shift 2
    mount --bind / "$work/root"
    for folder; do
        mount --bind "$folder" "$work/root$folder"
        mount -o remount,bind,ro "$work/root$folder"
    done
    mount -o remount,bind,ro "$work/root"
    exec setpriv --pdeathsig KILL /usr/lib/qemu/virtiofsd --socket-path="$work/files.sock" -o "source=$work/root" \
        -o cache=always
fi

fail() {
    echo "boot-vm.sh: $*" >&2
    exit 125
}

binds=()
kernel=linux-image-cloud-amd64
limit=480
while getopts b:k:t: option; do
    case $option in
    b) binds+=("$(readlink -f "$OPTARG")") ;;
    k) kernel=$OPTARG ;;
    t) limit=$OPTARG ;;
    *) fail "see the head of this file for the options" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || fail "expected a command to run"
[ "$(id -u)" = 0 ] || fail "only root can share this machine's files with a virtual machine"
[ "$(uname -m)" = x86_64 ] || fail "expected an x86-64 machine, got $(uname -m)"
for file in /usr/bin/qemu-system-x86_64 /usr/lib/qemu/virtiofsd /usr/bin/busybox; do
    [ -x "$file" ] || fail "cannot find '$file'. Run 'Tests/install-packages booted'."
done
kernel=$kernels/$kernel
[ -f "$kernel/vmlinuz" ] || fail "cannot find a kernel in '$kernel'. Run 'Tests/install-packages booted'."

# /dev/kvm alone says little: where the processor does not virtualize, it serves prepared kernels only.
processor=(-accel "tcg,thread=multi" -cpu "max,la57=off,tsc=off")
if [ -w /dev/kvm ] && grep -qwE 'vmx|svm' /proc/cpuinfo; then processor=(-accel kvm -cpu host); fi

work=$(mktemp -d /tmp/boot-vm.XXXXXXXX)
processes=()
stop() {
    [ ${#processes[@]} = 0 ] || kill -KILL "${processes[@]}" 2>/dev/null || true
    wait
    rm -rf --one-file-system "$work"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$work"
mkdir -p "$work/root" "$work"/first/{bin,files,modules,proc,memory}
touch "$work"/{console,output,code}
printf '%q ' "$@" >"$work/command"

# What the kernel starts with: busybox, the modules for this machine's files, and a script that changes over to them.
cp /usr/bin/busybox "$work/first/bin/busybox"
ln -s busybox "$work/first/bin/sh"
cp "$kernel"/*.ko "$work/first/modules/"
cat >"$work/first/init" <<INIT
#!/bin/sh
leave() { echo "boot-vm.sh: \$*"; busybox poweroff -f; }
export PATH=/bin
busybox mount -t proc proc /proc
# Each after those that it needs. A kernel has some of them built in.
for module in virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci fuse virtiofs overlay; do
    [ ! -f /modules/\$module.ko ] || busybox insmod /modules/\$module.ko || leave "cannot load \$module"
done
busybox mount -t virtiofs -o ro machine /files || leave "cannot mount the machine's files"
# All writes go to memory, never to the host's files.
busybox mount -t tmpfs -o size=80% memory /memory
busybox mkdir /memory/upper /memory/work /memory/root
busybox mount -t overlay -o lowerdir=/files,upperdir=/memory/upper,workdir=/memory/work overlay /memory/root ||
    leave "cannot mount the overlay"
exec busybox switch_root /memory/root /bin/bash $work/second
INIT
chmod 755 "$work/first/init"
cat >"$work/second" <<SECOND
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
. $here/lean-system.sh
lean_system "" $limit $work/command /dev/ttyS1 /dev/ttyS2
# Bytes as they are.
stty -F /dev/ttyS1 raw
mount --make-rshared /
ip link set lo up
exec env -i PATH=\$PATH container=vm /lib/systemd/systemd --system --unit=own-kernel.target --show-status=0
SECOND
(cd "$work/first" && find . | busybox cpio -o -H newc 2>/dev/null) >"$work/first.img"

unshare --mount --propagation private -- /bin/bash "$program" --share "$work" ${binds[@]+"${binds[@]}"} \
    >"$work/sharing" 2>&1 &
processes+=($!)
for ((tries = 0; tries < 200; tries++)); do
    [ ! -S "$work/files.sock" ] || break
    sleep 0.05
done
[ -S "$work/files.sock" ] || { cat "$work/sharing" >&2; fail "cannot share this machine's files"; }

# The kernel's own precautions against processors that leak are not the subject, and cost much where one is emulated.
setpriv --pdeathsig KILL timeout -k 2 $((limit + 180)) qemu-system-x86_64 "${processor[@]}" -smp 2 -m 6G \
    -nodefaults -no-user-config -display none -no-reboot \
    -object memory-backend-memfd,id=memory,size=6G,share=on -numa node,memdev=memory \
    -chardev "socket,id=files,path=$work/files.sock" -device vhost-user-fs-pci,chardev=files,tag=machine \
    -serial "file:$work/console" -serial "file:$work/output" -serial "file:$work/code" \
    -kernel "$kernel/vmlinuz" -initrd "$work/first.img" \
    -append "console=ttyS0 quiet panic=-1 no_timer_check mitigations=off lsm=landlock" </dev/null >"$work/machine" 2>&1 &
machine=$!
processes+=($machine)
tail -c +1 -f --pid=$machine "$work/output" &
copier=$!
wait $machine || true
wait $copier || true
code=$(tr -cd 0-9 <"$work/code")
if [ -z "$code" ]; then
    tail -n 20 "$work/machine" "$work/console" >&2
    fail "the command left no exit code"
fi
exit "$code"
