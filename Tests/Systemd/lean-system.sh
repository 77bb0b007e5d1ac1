# Sourced by the first program of a kernel of our own (boot-uml.sh), as root and before systemd.

# lean_system ROOT LIMIT COMMAND OUTPUT CODE: prepares the root file system ROOT, on a throw-away overlay, for a
# systemd that runs the script COMMAND and powers off. COMMAND has LIMIT seconds. Its output goes to the file OUTPUT, and
# its exit code to the file CODE.
lean_system() {
    local root=$1 limit=$2 command=$3 output=$4 code=$5 units=$1/etc/systemd/system unit
    mount -t devtmpfs dev "$root/dev"
    mount -t proc proc "$root/proc"
    mount -t sysfs sys "$root/sys"
    mount -t tmpfs -o mode=755 run "$root/run"
    mount -t cgroup2 -o nsdelegate cgroup "$root/sys/fs/cgroup"
    rm -rf "$units"/*.wants "$root/var/log/journal"
    : >"$root/etc/fstab"
    # None of the machine's services: no clock, no hardware, no terminals.
    for unit in systemd-{udevd,udev-trigger,sysctl,hwdb-update,timesyncd,logind,modules-load,remount-fs,random-seed} \
        systemd-{update-utmp,sysusers,tmpfiles-setup,tmpfiles-setup-dev,journal-flush,journal-catalog-update} \
        ldconfig kmod-static-nodes modprobe@; do
        ln -sfn /dev/null "$units/$unit.service"
    done
    # Enabled in Debian 13, it would hide a checkout and an installation below /tmp.
    ln -sfn /dev/null "$units/tmp.mount"
    cat >"$units/own-kernel.service" <<-UNIT
		[Unit]
		Requires=basic.target
		After=basic.target
		SuccessAction=poweroff-force
		FailureAction=poweroff-force
		[Service]
		Type=oneshot
		ExecStart=/bin/bash -c "timeout -k 3 $limit /bin/bash $command >$output 2>&1; echo \$\$? >$code; sync"
	UNIT
    printf '[Unit]\nRequires=own-kernel.service dbus.socket\n' >"$units/own-kernel.target"
}
