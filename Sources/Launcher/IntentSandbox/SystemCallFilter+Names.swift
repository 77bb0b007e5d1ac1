/// Groups of system calls, by name.
extension SystemCallFilter {
    /// Calls that manage the address space. mmap and mprotect have separate rules.
    static let memory = [
        "brk", "madvise", "membarrier", "mincore", "mremap", "msync", "munmap", "pkey_alloc", "pkey_free",
    ]

    /// Calls for threads. pthreads(7) and program startup need them. clone has a separate rule.
    static let threads = [
        "arch_prctl", "exit", "exit_group", "futex", "futex_waitv", "getcpu", "gettid", "rseq",
        "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getattr", "sched_getparam",
        "sched_getscheduler", "sched_rr_get_interval", "sched_yield", "set_robust_list", "set_tid_address",
    ]

    /// Calls that inspect or change the calling process and its children. execve is included because the filter is
    /// loaded before the app is executed.
    static let processes = [
        "capget", "execve", "execveat", "getegid", "geteuid", "getgid", "getgroups", "getpgid", "getpgrp", "getpid",
        "getppid", "getpriority", "getrandom", "getresgid", "getresuid", "getrlimit", "getrusage", "getsid", "getuid",
        "ioprio_get", "setpgid", "setrlimit", "setsid", "sysinfo", "times", "umask", "uname", "wait4", "waitid",
    ]

    /// Calls that send and receive signals. The second filter restricts the recipients.
    static let signals = [
        "kill", "pause", "restart_syscall", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn",
        "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack", "signalfd", "signalfd4", "tgkill", "tkill",
    ]

    /// Calls for clocks and timers. clock_gettime is needed because the vDSO makes the system call for some clocks.
    static let time = [
        "alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "gettimeofday", "nanosleep",
        "setitimer", "time", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime", "timer_settime",
        "timerfd_create", "timerfd_gettime", "timerfd_settime",
    ]

    /// Calls that wait for events on descriptors. Dispatch and run loops use them.
    static let polling = [
        "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait", "eventfd",
        "eventfd2", "poll", "ppoll", "pselect6", "select",
    ]

    /// Calls on open files of any type. fcntl and ioctl have separate rules.
    ///
    /// flock is not included. With it, a run could lock a file that a client passed read-only, and block the file's
    /// owner even after the run has ended, because the lock belongs to the open file. flock therefore fails with
    /// ENOSYS, and libraries fall back to fcntl(2) locks.
    static let descriptors = [
        "close", "close_range", "copy_file_range", "dup", "dup2", "dup3", "fadvise64", "fallocate", "fdatasync",
        "fsync", "ftruncate", "lseek", "pipe", "pipe2", "pread64", "preadv", "preadv2",
        "pwrite64", "pwritev", "pwritev2", "read", "readahead", "readv", "sendfile", "splice", "sync_file_range",
        "tee", "write", "writev",
    ]

    /// Calls on files by path. Mounts and Landlock determine which files are accessible. Extended attributes can be
    /// read but not written, as on a file system that does not support them.
    static let files = [
        "access", "chdir", "faccessat", "faccessat2", "fchdir", "fgetxattr", "flistxattr", "fstat", "fstatfs",
        "getcwd", "getdents", "getdents64", "getxattr", "lgetxattr", "link", "linkat", "listxattr", "llistxattr",
        "lstat", "mkdir", "mkdirat", "newfstatat", "readlink", "readlinkat", "rename", "renameat", "renameat2", "rmdir",
        "stat", "statfs", "statx", "symlink", "symlinkat", "unlink", "unlinkat",
    ]

    /// Calls that change the owner or times of a file. Landlock cannot restrict them, so they have a separate
    /// permission. chmod, fchmod, fchmodat and fchmodat2 have separate rules, which also check the mode.
    static let metadata = [
        "chown", "fchown", "fchownat", "futimesat", "lchown", "utime", "utimensat", "utimes",
    ]

    /// Calls on existing sockets. The sockets were passed to the app, or created according to the rules for socket and
    /// socketpair.
    static let sockets = [
        "accept", "accept4", "bind", "connect", "getpeername", "getsockname", "getsockopt", "recvfrom",
        "recvmmsg", "recvmsg", "setsockopt", "shutdown",
    ]

    /// Calls with which a worker restricts itself further, by a Landlock layer and the second filter.
    static let selfRestriction = [
        "landlock_add_rule", "landlock_create_ruleset", "landlock_restrict_self", "seccomp",
    ]

    /// Calls that inspect, control or impersonate other processes, which no app needs. A pidfd would bypass all checks
    /// of process ids, and signals with a payload would bypass the second filter's rule for kill.
    static let otherProcesses = [
        "get_robust_list", "kcmp", "migrate_pages", "move_pages", "perf_event_open", "pidfd_getfd", "pidfd_open",
        "pidfd_send_signal", "process_madvise", "process_mrelease", "process_vm_readv", "process_vm_writev", "ptrace",
        "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sched_setattr", "sched_setparam", "sched_setscheduler",
    ]

    /// Calls that change mounts and namespaces, which no app needs because its root is complete before it starts. File
    /// handles are included because they would bypass mounts (open_by_handle_at(2)).
    static let mounts = [
        "chroot", "fanotify_init", "fanotify_mark", "fsconfig", "fsmount", "fsopen", "fspick", "listmount", "mount",
        "mount_setattr", "move_mount", "name_to_handle_at", "open_by_handle_at", "open_tree", "open_tree_attr",
        "pivot_root", "quotactl", "quotactl_fd", "setns", "statmount", "umount", "umount2",
    ]

    /// Calls that change users, groups, capabilities and host names, which only the launcher sets (credentials(7)).
    static let identity = [
        "capset", "setdomainname", "setfsgid", "setfsuid", "setgid", "setgroups", "sethostname", "setregid",
        "setresgid", "setresuid", "setreuid", "setuid",
    ]

    /// Calls that affect the whole machine, such as its clock, and are reserved for its administrator. They include
    /// calls that lock memory or bind it to NUMA nodes, because these reduce the memory available to other processes.
    /// mlock fails with EPERM, as it does in the kernel for a process without the privilege.
    static let machine = [
        "acct", "adjtimex", "clock_adjtime", "clock_settime", "create_module", "delete_module", "finit_module",
        "get_mempolicy", "init_module", "ioperm", "iopl", "kexec_file_load", "kexec_load", "mbind", "mlock", "mlock2",
        "mlockall", "munlock", "munlockall", "reboot", "set_mempolicy", "set_mempolicy_home_node", "settimeofday",
        "stime", "swapoff", "swapon", "syslog", "vhangup",
    ]

    /// Calls from large kernel interfaces that no app needs and that are frequent targets of exploits. In addition,
    /// io_uring performs operations that filters do not see, and keyrings are not separated by namespaces
    /// (keyrings(7)).
    static let kernelInterfaces = [
        "add_key", "bpf", "inotify_add_watch", "inotify_init", "inotify_init1", "inotify_rm_watch", "io_uring_enter",
        "io_uring_register", "io_uring_setup", "keyctl", "lookup_dcookie",
        "memfd_secret", "modify_ldt", "request_key", "userfaultfd",
    ]
}
