extension Attempt {
    /// System calls that runs may not make, called by number to bypass the C library's wrappers.
    static let calls = refused("EPERM|ENOSYS", "call", callNames)

    private static let callNames: [String] = {
        var names = [
            "setns", "process_madvise", "process_mrelease", "pidfd_getfd", "fanotify_init", "fanotify_mark", "fsconfig",
            "fsmount", "open_tree_attr", "quotactl_fd", "setdomainname", "adjtimex", "clock_adjtime", "kexec_file_load",
            "set_mempolicy", "get_mempolicy", "mbind", "move_pages", "mlock", "mlock2", "munlockall", "swapon",
            "get_robust_list", "sched_setparam", "io_setup", "io_submit", "io_uring_enter", "io_uring_register",
            "lookup_dcookie", "vmsplice", "remap_file_pages", "semget", "semop", "shmat", "msgget", "msgsnd",
            "mq_unlink", "mq_notify", "setxattr", "lsetxattr", "lremovexattr", "fremovexattr", "sync", "syncfs",
            "openat2", "cachestat", "map_shadow_stack", "futex_requeue", "lsm_set_self_attr", "mseal",
            "pidfd_open",
        ]
        #if arch(x86_64)
            names += ["ioperm", "uselib", "_sysctl", "ustat", "sysfs", "create_module", "nfsservctl"]
        #endif
        return names
    }()

    /// ioctl(2) requests for terminals, consoles, file systems, disks, networks and graphics cards, on the descriptors
    /// and the devices that a run has.
    static let requests =
        ["0", "1", "3"].flatMap { file in refused("EPERM|ENOTTY", "request", terminalRequests.map { "\(file) \($0)" }) }
        + refused("EPERM|ENOTTY", "request", otherRequests.map { "3 \($0)" })
        + refused(
            "EPERM|ENOTTY",
            "device request",
            // RNDADDENTROPY, RNDCLEARPOOL, RNDRESEEDCRNG; TIOCSTI and TIOCSCTTY.
            ["40085203", "5206", "5207", "5412", "540E"].map { "/dev/urandom \($0)" }
        )

    private static let terminalRequests = [
        // TIOCSTI and TIOCLINUX type into a terminal; TIOCSCTTY and TIOCCONS acquire one.
        "5412", "541C", "540E", "541D",
        // TIOCNOTTY, TIOCSETD, TIOCEXCL, TIOCSPGRP, TIOCSWINSZ, TCSETS, TCSETSF, TCXONC, TCFLSH, TIOCVHANGUP,
        // TIOCGPTPEER
        "5422", "5423", "540C", "5410", "5414", "5402", "5404", "540A", "540B", "5437", "5441",
    ]

    private static let otherRequests = [
        // TIOCSPTLCK, TIOCPKT; KDSETMODE, KDSKBMODE, KDSKBENT, KDADDIO, PIO_UNIMAP; VT_ACTIVATE, VT_LOCKSWITCH
        "40045431", "5420", "4B3A", "4B45", "4B47", "4B34", "4B67", "5606", "560B",
        // FIOASYNC, FIOSETOWN, SIOCSPGRP: which process receives a descriptor's signals
        "5452", "8901", "8902",
        // FICLONE, FICLONERANGE, FIDEDUPERANGE, FS_IOC_SETFLAGS, FIFREEZE, FITRIM, FS_IOC_FSSETXATTR
        "40049409", "4020940D", "C0189436", "40086602", "C0045877", "C0185879", "401C5820",
        // BLKFLSBUF, BLKDISCARD, SG_IO, LOOP_SET_FD
        "1261", "1277", "2285", "4C00",
        // SIOCSIFFLAGS, SIOCGIFCONF, SIOCADDRT, SIOCGSKNS, TUNSETIFF
        "8914", "8912", "890B", "894C", "400454CA",
        // NS_GET_USERNS, NS_GET_PARENT; SECCOMP_IOCTL_NOTIF_RECV
        "B701", "B702", "C0502100",
        // DRM_IOCTL_GEM_OPEN, DRM_IOCTL_SET_MASTER, KVM_CREATE_VM, UI_DEV_CREATE
        "C010640B", "641E", "AE01", "5501",
    ]

    /// prctl(2) options that expose a process to others, or change what the launcher configured for it.
    static let options = refused(
        "EPERM",
        "option",
        [
            // DUMPABLE, UNALIGN, KEEPCAPS, TIMING, ENDIAN, CAPBSET_DROP, TSC, SECUREBITS
            4, 6, 8, 14, 20, 24, 26, 28,
            // TASK_PERF_EVENTS_DISABLE, MCE_KILL, MM, CHILD_SUBREAPER, THP_DISABLE, CAP_AMBIENT, SPECULATION_CTRL
            31, 33, 35, 36, 41, 47, 53,
            // IO_FLUSHER, SYSCALL_USER_DISPATCH, SCHED_CORE, MDWE, MEMORY_MERGE, PTRACER
            57, 59, 62, 65, 67, 0x5961_6D61,
        ]
        .map { "\($0)" }
    )

    /// Devices that no setting grants.
    static let devices = refused(
        "ENOENT",
        "read",
        [
            "dri/card0", "dri/renderD128", "kfd", "nvidia0", "nvidiactl", "nvidia-uvm", "kvm", "vhost-net",
            "vhost-vsock", "fuse", "uinput", "input/event0", "net/tun", "loop-control", "loop0", "tty0", "tty1",
            "console", "ttyS0", "pts/ptmx", "pts/0", "vcs", "vcsa1", "snd/controlC0", "video0", "nvme0", "nvram",
            "cpu/0/msr", "port", "vsock", "userfaultfd", "hwrng", "rtc0", "watchdog", "mapper/control",
            "bus/usb/001/001", "mqueue/x",
        ]
        .map { "/dev/\($0)" }
    )

    /// Namespaces and other flags of clone3(2). The filter hides the call from workers; the fork server needs it, and
    /// the kernel refuses these flags there.
    static let clone3 =
        refused(
            "ENOSYS",
            "clone3 flags",
            [
                // mounts, cgroups, UTS, IPC, users, pids, network, time; then users together with each of the others
                "20000", "2000000", "4000000", "8000000", "10000000", "20000000", "40000000", "80", "10020000",
                "12000000", "14000000", "18000000", "30000000", "50000000", "10000080", "7E020000",
            ]
        )
        + refused("ENOSYS", "own number", ["77"])

    /// Kernel memory that no limit on a process's own memory covers.
    static let growth =
        refused("EPERM", "filter", ["seccomp", "prctl", "prctl with high bits"])
        + refused("EPERM", "ruleset", ["0", "65536"])
        + refused("EPERM", "inotify")
        + refused("EPERM", "raise", ["files", "core", "signals", "queues", "locked", "file size"])
        + refused("EAGAIN", "timers", ["300"])
        + refused("EPERM", in: .subprocesses, "raise", ["files", "signals", "queues", "locked"])
        + refused("EAGAIN", in: .subprocesses, "timers", ["300"])
        + done("done 1024 256 0 65536 0", "limits")
        + done("done 64 256 0 65536 0", in: .fewest, "limits")
        + done("done 128 256 0 65536 0", in: .small, "limits")
        // Half of the descriptors watch the other half.
        + done("done within the limit", in: .fewest, "watches", "1024")

    /// Path walks that the sandbox init performs for a run: as long as the kernel's longest path allows, and no longer.
    static let longWalks =
        refused("ELOOP", "long walk", ["39 2000", "40 2000", "2 1500", "3 1000", "39 60"])
        + refused("ENAMETOOLONG", "long path", ["2050"])
        + done("done", "long walk", "39 3")
        + done("done", "long walk", "40 50")
        + done("done", "long walk", "1 2000")
        + done("done", "long path", "2040")
}
