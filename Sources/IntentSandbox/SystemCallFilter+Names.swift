/// Calls by name, group by group.
extension SystemCallFilter {
    /// The address space; mmap and mprotect have rules of their own.
    static let memory = [
        "brk", "madvise", "membarrier", "mincore", "mremap", "msync", "munmap", "pkey_alloc", "pkey_free",
    ]

    /// Calls of pthreads(7), and of the start of programs and threads. clone has its own rule.
    static let threads = [
        "arch_prctl", "exit", "exit_group", "futex", "futex_waitv", "getcpu", "gettid", "rseq",
        "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getattr", "sched_getparam",
        "sched_getscheduler", "sched_rr_get_interval", "sched_yield", "set_robust_list", "set_tid_address",
    ]

    /// What a process learns about itself and its children. Executing is here because the app itself is executed
    /// behind this filter.
    static let processes = [
        "capget", "execve", "execveat", "getegid", "geteuid", "getgid", "getgroups", "getpgid", "getpgrp", "getpid",
        "getppid", "getpriority", "getrandom", "getresgid", "getresuid", "getrlimit", "getrusage", "getsid", "getuid",
        "ioprio_get", "setpgid", "setrlimit", "setsid", "sysinfo", "times", "umask", "uname", "wait4", "waitid",
    ]

    /// Signals to oneself, to children, and to others of the app; the second filter narrows whom.
    static let signals = [
        "kill", "pause", "restart_syscall", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn",
        "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack", "signalfd", "signalfd4", "tgkill", "tkill",
    ]

    /// Reading clocks, and timers. Where the vDSO cannot answer, clock_gettime is a call too.
    static let time = [
        "alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "gettimeofday", "nanosleep",
        "setitimer", "time", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime", "timer_settime",
        "timerfd_create", "timerfd_gettime", "timerfd_settime",
    ]

    /// Waiting for descriptors: what Dispatch and run loops do.
    static let waiting = [
        "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait", "eventfd",
        "eventfd2", "poll", "ppoll", "pselect6", "select",
    ]

    /// Open files of any kind; fcntl and ioctl have rules of their own.
    ///
    /// Without flock: a run could lock a file that a client passed read-only, against the file's owner and for longer than
    /// the run lasts, as the lock is the open file's. It answers ENOSYS, and libraries fall back to locks of fcntl(2).
    static let descriptors = [
        "close", "close_range", "copy_file_range", "dup", "dup2", "dup3", "fadvise64", "fallocate", "fdatasync",
        "fsync", "ftruncate", "lseek", "pipe", "pipe2", "pread64", "preadv", "preadv2",
        "pwrite64", "pwritev", "pwritev2", "read", "readahead", "readv", "sendfile", "splice", "sync_file_range",
        "tee", "write", "writev",
    ]

    /// Files by path; which ones, mounts and Landlock say. Extended attributes are read and not written, as on a file
    /// system without them.
    static let files = [
        "access", "chdir", "faccessat", "faccessat2", "fchdir", "fgetxattr", "flistxattr", "fstat", "fstatfs",
        "getcwd", "getdents", "getdents64", "getxattr", "lgetxattr", "link", "linkat", "listxattr", "llistxattr",
        "lstat", "mkdir", "mkdirat", "newfstatat", "readlink", "readlinkat", "rename", "renameat", "renameat2", "rmdir",
        "stat", "statfs", "statx", "symlink", "symlinkat", "unlink", "unlinkat",
    ]

    /// Calls that change owner and times of files, which the file's owner may always make. chmod, fchmod, fchmodat and
    /// fchmodat2 have rules of their own.
    static let metadata = [
        "chown", "fchown", "fchownat", "futimesat", "lchown", "utime", "utimensat", "utimes",
    ]

    /// Sockets that exist: each was given to the app, or made under the rules for socket and socketpair.
    static let sockets = [
        "accept", "accept4", "bind", "connect", "getpeername", "getsockname", "getsockopt", "recvfrom",
        "recvmmsg", "recvmsg", "setsockopt", "shutdown",
    ]

    /// With these calls a worker restricts itself further: by a Landlock layer and the second filter.
    static let tightening = [
        "landlock_add_rule", "landlock_create_ruleset", "landlock_restrict_self", "seccomp",
    ]

    /// Looking into, steering or impersonating other processes, for which the app's own have no use. A pidfd of an
    /// unknown process would outlive every check by number; signals with a payload would pass the second filter's rule for
    /// kill.
    static let otherProcesses = [
        "get_robust_list", "kcmp", "migrate_pages", "move_pages", "perf_event_open", "pidfd_getfd", "pidfd_open",
        "pidfd_send_signal", "process_madvise", "process_mrelease", "process_vm_readv", "process_vm_writev", "ptrace",
        "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sched_setattr", "sched_setparam", "sched_setscheduler",
    ]

    /// The app's view of files is complete before it starts. File handles reach past mounts (open_by_handle_at(2)).
    static let mounts = [
        "chroot", "fanotify_init", "fanotify_mark", "fsconfig", "fsmount", "fsopen", "fspick", "listmount", "mount",
        "mount_setattr", "move_mount", "name_to_handle_at", "open_by_handle_at", "open_tree", "open_tree_attr",
        "pivot_root", "quotactl", "quotactl_fd", "setns", "statmount", "umount", "umount2",
    ]

    /// Users, groups and capabilities are what the launcher made them (credentials(7)).
    static let identity = [
        "capset", "setdomainname", "setfsgid", "setfsuid", "setgid", "setgroups", "sethostname", "setregid",
        "setresgid", "setresuid", "setreuid", "setuid",
    ]

    /// The machine and its clock belong to the administrator. Locked memory and its placement take from everybody;
    /// without privilege the kernel answers mlock with EPERM as well.
    static let machine = [
        "acct", "adjtimex", "clock_adjtime", "clock_settime", "create_module", "delete_module", "finit_module",
        "get_mempolicy", "init_module", "ioperm", "iopl", "kexec_file_load", "kexec_load", "mbind", "mlock", "mlock2",
        "mlockall", "munlock", "munlockall", "reboot", "set_mempolicy", "set_mempolicy_home_node", "settimeofday",
        "stime", "swapoff", "swapon", "syslog", "vhangup",
    ]

    /// Large parts of the kernel that no app needs and that exploits start from. io_uring also makes calls that no
    /// filter sees; keyrings are not divided by namespaces (keyrings(7)).
    static let kernelInterfaces = [
        "add_key", "bpf", "inotify_add_watch", "inotify_init", "inotify_init1", "inotify_rm_watch", "io_uring_enter",
        "io_uring_register", "io_uring_setup", "keyctl", "lookup_dcookie",
        "memfd_secret", "modify_ldt", "request_key", "userfaultfd",
    ]
}
