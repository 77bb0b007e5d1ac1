extension Attempt {
    static let mounts = refused(
        "EPERM|ENOSYS",
        "mounts",
        [
            "mount", "bind mount", "remount", "umount", "umount of etc", "pivot_root", "chroot", "open_tree",
            "move_mount", "fsopen", "fspick", "mount_setattr", "statmount", "listmount", "open_by_handle_at",
            "name_to_handle_at", "fanotify_init", "quotactl",
        ]
    )

    static let identity =
        refused(
            "EPERM",
            "identity",
            [
                "setuid", "setresuid", "setreuid", "setfsuid", "setgid", "setgroups", "capset", "keep capabilities",
                "ambient capabilities", "secure bits", "dumpable", "any tracer", "subreaper", "personality",
                "sethostname", "own filter",
            ]
        )
        + refused("EINVAL|EPERM", "identity", ["new privileges"])

    static let kernel =
        refused(
            "EPERM",
            "kernel",
            [
                "init_module", "finit_module", "delete_module", "kexec_load", "bpf", "perf_event_open", "userfaultfd",
                "io_uring_setup", "add_key", "keyctl", "request_key", "memfd_secret", "reboot", "swapoff", "acct",
                "syslog", "settimeofday", "clock_settime", "vhangup", "mlockall", "writable code", "mapped null",
                "TIOCSTI", "TIOCLINUX",
            ]
        )
        + refused("ENOSYS", "kernel", ["shmget", "mq_open"])
        + refused("EPERM|ENOTTY", "kernel", ["TIOCSTI with high bits", "TIOCSCTTY"])

    /// Calls of another instruction set, on architectures that have them.
    static let otherInstructionSets =
        refused("EPERM", "kernel", ["iopl", "modify_ldt"])
        + ends("signal 31", "other calls", "x32")
        + ends("signal 31", "other calls", "int 80")
}
