#!/bin/bash
# Boots a real systemd with a distribution's own kernel in a virtual machine (QEMU) and runs one command under it. The machine
# has one processor, the loopback interface, and a disk that is made from a folder and removed afterwards. It is emulated where
# the processor cannot run it (KVM): it takes about ten times as long, and no time while all its processes wait.
#
#   boot-vm.sh -k KERNEL -r ROOT [options] COMMAND [ARGUMENT...]
#     -a WORDS     more words for the kernel's command line
#     -b FOLDER    copy FOLDER to the same path of the disk (repeatable)
#     -k KERNEL    the folder that fetch-kernel.sh has printed
#     -m MEMORY    its memory (default 1G)
#     -o FILE      write the messages of the kernel and of systemd to FILE
#     -r ROOT      the folder with the root, which build-root.sh has printed
#     -t SECONDS   limit for COMMAND on the clock of the machine (default 1200)
#
# Exit code: COMMAND's; 124 COMMAND took too long; 125 no boot. Needs root, and what `Tests/install-packages kernels` installs.
#
# The script calls itself: "image" in a mount namespace of its own, to make the disk, and "init" as the first program of ROOT.
set -euo pipefail

image() { # WORK KERNEL ROOT [FOLDER...]: makes the file WORK/disk
    local work=$1 kernel=$2 root=$3 tree=$1/tree folder size
    shift 3
    mount -t tmpfs boot-vm "$work/layers"
    mkdir "$work"/layers/{upper,work}
    mount -t overlay -o "lowerdir=$root,upperdir=$work/layers/upper,workdir=$work/layers/work" boot-vm "$tree"
    for folder in "$@"; do
        mkdir -p "$tree$folder"
        mount --bind "$folder" "$tree$folder"
    done
    mkdir -p "$tree/usr/lib/modules"
    mount --bind "$kernel/lib/modules" "$tree/usr/lib/modules"
    cp -r "$work/boot-vm" "$tree/"
    size=$(($(du -s --apparent-size --block-size=1M "$tree" | cut -f1) * 5 / 4 + 1024))
    mkfs.ext4 -q -F -d "$tree" -m 0 -O ^has_journal "$work/disk" "${size}M" >/dev/null
}

init() { # LIMIT
    # shellcheck source=lean-system.sh
    . /boot-vm/lean-system.sh
    lean_system "" "$1" /boot-vm/command /dev/ttyS1 /dev/ttyS2
    # On its own kernel, systemd applies settings and mounts cgroups as on any host.
    rm /etc/systemd/system/systemd-sysctl.service
    umount /sys/fs/cgroup
    stty -F /dev/ttyS1 raw -echo
    stty -F /dev/ttyS2 raw -echo
    echo boot-vm >/proc/sys/kernel/hostname
    ip link set lo up 2>/dev/null || true
    exec env -i PATH="$PATH" /lib/systemd/systemd --system --unit=own-kernel.target
}

case ${1:-} in
--image | --init)
    stage=${1#--}
    shift
    export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    "$stage" "$@"
    exit
    ;;
esac

# From here on, the script runs on the host.

here=$(dirname "$(readlink -f "$0")")
words=
folders=()
kernel=
memory=1G
console=
root=
limit=1200
while getopts a:b:k:m:o:r:t: option; do
    case $option in
    a) words+=" $OPTARG" ;;
    b) folders+=("$(readlink -f "$OPTARG")") ;;
    k) kernel=$(readlink -f "$OPTARG") ;;
    m) memory=$OPTARG ;;
    o) console=$OPTARG ;;
    r) root=$(readlink -f "$OPTARG") ;;
    t) limit=$OPTARG ;;
    *) exit 125 ;;
    esac
done
shift $((OPTIND - 1))
if [ $# = 0 ] || [ -z "$kernel" ] || [ -z "$root" ]; then
    echo "boot-vm.sh: expected a kernel, a root and a command; the head of the file lists the options" >&2
    exit 125
fi

# The disk is in memory.
work=$(mktemp -d -p /dev/shm)
machine=
stop() {
    [ -z "$machine" ] || kill -KILL "$machine" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
mkdir "$work"/{boot-vm,first,layers,tree}
chmod 755 "$work/boot-vm"
printf '%q ' "$@" >"$work/boot-vm/command"
cp "$0" "$work/boot-vm/boot-vm.sh"
cp "$here/lean-system.sh" "$work/boot-vm/"

# The first file system has busybox and the modules for the disk, each after those that it depends on.
modules=$(echo "$kernel"/lib/modules/*)
mkdir "$work"/first/{dev,modules,root}
cp "$(command -v busybox)" "$work/first/busybox"
number=100
for name in virtio_pci virtio_blk crc32c_generic ext4; do
    for module in $(sed -n "s|^\(kernel/.*/$name\.ko\):\(.*\)|\1\2|p" "$modules/modules.dep" | tr ' ' '\n' | tac); do
        number=$((number + 1))
        cp "$modules/$module" "$work/first/modules/$number-${module##*/}"
    done
done
cat >"$work/first/init" <<INIT
#!/busybox sh
/busybox mount -t devtmpfs dev /dev
for module in /modules/*; do /busybox insmod \$module 2>/dev/null; done
/busybox mount -t ext4 -o noatime /dev/vda /root || exec /busybox sh -c 'echo boot-vm.sh: no disk; /busybox poweroff -f'
/busybox umount /dev
exec /busybox switch_root /root /bin/bash /boot-vm/boot-vm.sh --init $limit
INIT
chmod 755 "$work/first/init"
(cd "$work/first" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initrd"
unshare --mount -- /bin/bash "$0" --image "$work" "$kernel" "$root" ${folders[@]+"${folders[@]}"} >&2 || exit 125

# The clock of an emulated machine counts instructions, so that its timeouts do not depend on the load of this one.
accelerator=(-accel tcg -cpu max -icount "shift=0,sleep=off")
# A virtual machine may have /dev/kvm without them, for kernels that were built for it only.
if grep -qwE 'svm|vmx' /proc/cpuinfo && [ -w /dev/kvm ]; then accelerator=(-accel kvm -cpu host); fi
setpriv --pdeathsig KILL timeout -k 2 $((limit * 3 + 300)) setpriv --pdeathsig KILL qemu-system-x86_64 "${accelerator[@]}" -m "$memory" -smp 1 \
    -nodefaults -no-reboot -display none -kernel "$kernel/vmlinuz" -initrd "$work/initrd" \
    -append "console=ttyS0 quiet panic=-1 random.trust_cpu=on$words" \
    -drive "file=$work/disk,format=raw,if=virtio,cache=unsafe" -serial "file:$work/console" \
    -chardev stdio,id=output,signal=off -serial chardev:output -serial "file:$work/code" </dev/null &
machine=$!
wait "$machine" || true
machine=
[ -z "$console" ] || cp "$work/console" "$console"
code=$(tr -dc 0-9 <"$work/code")
if [ -n "$code" ]; then exit "$code"; fi
tail -20 "$work/console" >&2
exit 125
