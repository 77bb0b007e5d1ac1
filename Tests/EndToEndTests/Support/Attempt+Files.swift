extension Attempt {
    /// Host files: the app sees those that it was granted, and no others.
    static let hostFiles =
        refused(
            "ENOENT",
            "read",
            [
                "/etc/shadow", "/etc/hostname", "/etc/machine-id", "/proc/kcore", "/proc/kmsg", "/proc/kallsyms",
                "/proc/keys",
                "/proc/self/root/../etc/shadow", "/proc/self/cwd/../../etc/shadow",
                "/proc/sys/kernel/core_pattern", "/proc/version", "/proc/modules", "/dev/mem", "/dev/kmsg",
                "/dev/sda", "/dev/tty", "/dev/ptmx", "/run/systemd/notify", "/sys/kernel/uevent_helper",
                "{folder}/host-secret", "{folder}/apps/Probe", "{folder}/units/Probe.conf",
                "{folder}/cache/state/Probe", "/var/lib/intentd/state/Probe",
            ]
        )
        + refused(
            "ENOENT",
            "list",
            ["/sys", "/home", "/root", "/var", "/boot", "/srv", "/sys/fs/cgroup"]
        )
        + refused("EACCES", "list", ["/runs", "/proc/self/fd/4/.."])
        + refused("ENOENT|EPERM", "list", ["/proc/1", "/proc/2"])
        + refused("ENOENT|EPERM", "read", ["/proc/1/root/etc/shadow"])
        + done("done", "list", ".")
        + done("done", "processes")
        + refused(
            "ENOENT",
            "write",
            [
                "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/user/max_user_namespaces",
                "/sys/fs/cgroup/cgroup.procs", "/proc/sys/vm/drop_caches", "/dev/kmsg",
            ]
        )
        + refused("EPERM|EACCES", "write", ["/proc/self/uid_map", "/proc/self/gid_map", "/proc/self/setgroups"])
        + refused(
            "EACCES|EROFS|ETXTBSY",
            "write",
            ["{executable}", "/proc/self/exe", "/etc/passwd", "/etc/group"]
        )
        + refused(
            "EACCES|EROFS|ENOENT",
            "create",
            ["/new", "/etc/new", "/dev/new", "/runs/new", "/usr/new", "/run/new", "/proc/new", "/proc/self/new"]
        )
        + refused("EACCES|EROFS|EEXIST", "make folder", ["/new", "/etc/new", "/runs/new", "/tmp/../new"])
        + refused(
            "EACCES|EROFS|EBUSY|EPERM",
            "remove",
            ["{executable}", "/etc/passwd", "/tmp", "/dev/null"]
        )
        + refused("EACCES|EROFS|EXDEV|EBUSY|EPERM", "rename", ["{executable}", "/etc/passwd", "/dev/null"])
        + refused("EACCES|EROFS|ETXTBSY|EPERM", "truncate", ["{executable}", "/etc/passwd"])
        + refused("EPERM|EROFS", "chmod", ["/", "/etc", "/etc/passwd", "{executable}", "/runs"])
        + refused("EPERM|EROFS|EACCES", "touch", ["{executable}", "/etc/passwd", "/runs"])
        + refused("EACCES|EXDEV|EPERM", "hard link", ["{executable}", "/etc/passwd"])

    /// Files of a neighbour: another run of the same app, in the same sandbox.
    static let neighbourFiles =
        refused("EACCES|ENOENT", "list", ["{neighbour}"])
        + refused("EACCES|ENOENT", "read", ["{neighbour}/secret"])
        + refused("EACCES|ENOENT", "list above", ["..", "../{name}", "../.."])
        + refused("EACCES|ENOENT", "read above", ["../{name}/secret", "../../etc/shadow"])
        + refused("EACCES|ENOENT", "every descriptor", ["..", "../..", "../{name}"])
        + refused("EACCES|ENOENT", "write", ["{neighbour}/secret"])
        + refused("EACCES|ENOENT", "create", ["{neighbour}/new"])
        + refused("EACCES|ENOENT", "remove", ["{neighbour}/secret"])
        + refused("EACCES|ENOENT|EXDEV", "rename", ["{neighbour}/secret"])
        + refused("EACCES|ENOENT|EPERM", "truncate", ["{neighbour}/secret"])
        + refused("EACCES|ENOENT|EXDEV", "hard link", ["{neighbour}/secret"])
        + refused("EACCES|ENOENT|EPERM", "watch", ["{neighbour}", "/runs"])
        // No Landlock rule covers the mode, times and size of a path that a process can name, so the neighbour's name
        // must stay secret.
        + refused("ENOENT", "find a neighbour")
        + refused("ENOENT", in: .subprocesses, "find a neighbour")
        + done("done in memory", "find a neighbour", "0123456789abcdef01234567")
        + refused(
            "ENOENT|EPERM",
            "read",
            ["environ", "mem", "maps", "stat", "root/etc/passwd", "cwd/secret", "fd/3"].map { "/proc/{process}/\($0)" }
        )
        + refused("ENOENT|EPERM", "list", ["/proc/{process}", "/proc/{process}/fd", "/proc/{process}/task"])

    /// Files that would give a host user or a program more privileges than it has.
    static let escalatingFiles =
        refused("EPERM", "setuid by chmod", ["program"])
        + refused("EPERM", "setgid by fchmod", ["program"])
        + refused("EPERM", "setuid at birth", ["program"])
        + refused("EPERM|ENOSYS", "setuid by openat2", ["program"])
        + refused("EPERM", "make a device")
        + refused("EPERM", "make a disk")
        + done("done nosuid nodev noexec", "mount flags", ".")
        + done("done nosuid nodev exec", in: .subprocesses, "mount flags", ".")
        + done("done nosuid nodev noexec", "mount flags", "/proc")
}
