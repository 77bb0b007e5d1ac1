/// Groups of calls, by name.
extension SystemCallFilter {
    /// The address space. mmap and mprotect have separate rules.
    static let memory = [
        "brk", "madvise", "membarrier", "mincore", "mremap", "msync", "munmap", "pkey_alloc", "pkey_free",
    ]

    /// Calls of pthreads(7), and calls that start programs and threads. clone has a separate rule.
    static let threads = [
        "arch_prctl", "exit", "exit_group", "futex", "futex_waitv", "getcpu", "gettid", "rseq",
        "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getattr", "sched_getparam",
        "sched_getscheduler", "sched_rr_get_interval", "sched_yield", "set_robust_list", "set_tid_address",
    ]

    /// Calls with which a process learns about itself and its children. Includes execve, because the app itself is
    /// executed under this filter.
    static let processes = [
        "capget", "execve", "execveat", "getegid", "geteuid", "getgid", "getgroups", "getpgid", "getpgrp", "getpid",
        "getppid", "getpriority", "getrandom", "getresgid", "getresuid", "getrlimit", "getrusage", "getsid", "getuid",
        "ioprio_get", "setpgid", "setrlimit", "setsid", "sysinfo", "times", "umask", "uname", "wait4", "waitid",
    ]

    /// Signals to the process itself, its children, and other processes of the app. The second filter restricts the
    /// recipients.
    static let signals = [
        "kill", "pause", "restart_syscall", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn",
        "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack", "signalfd", "signalfd4", "tgkill", "tkill",
    ]

    /// Reading clocks, and timers. If the vDSO cannot answer, clock_gettime is a system call too.
    static let time = [
        "alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "gettimeofday", "nanosleep",
        "setitimer", "time", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime", "timer_settime",
        "timerfd_create", "timerfd_gettime", "timerfd_settime",
    ]

    /// Waiting for descriptors, as Dispatch and run loops do.
    static let polling = [
        "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait", "eventfd",
        "eventfd2", "poll", "ppoll", "pselect6", "select",
    ]

    /// Operations on open files of any type. fcntl and ioctl have separate rules.
    ///
    /// flock is not included: a run could lock a file that a client passed read-only, against the file's owner and
    /// beyond the end of the run, because the lock belongs to the open file. flock fails with ENOSYS, and libraries
    /// fall back to fcntl(2) locks.
    static let descriptors = [
        "close", "close_range", "copy_file_range", "dup", "dup2", "dup3", "fadvise64", "fallocate", "fdatasync",
        "fsync", "ftruncate", "lseek", "pipe", "pipe2", "pread64", "preadv", "preadv2",
        "pwrite64", "pwritev", "pwritev2", "read", "readahead", "readv", "sendfile", "splice", "sync_file_range",
        "tee", "write", "writev",
    ]

    /// Operations on files by path. Mounts and Landlock decide which files. Extended attributes can be read but not
    /// written, as on a file system without them.
    static let files = [
        "access", "chdir", "faccessat", "faccessat2", "fchdir", "fgetxattr", "flistxattr", "fstat", "fstatfs",
        "getcwd", "getdents", "getdents64", "getxattr", "lgetxattr", "link", "linkat", "listxattr", "llistxattr",
        "lstat", "mkdir", "mkdirat", "newfstatat", "readlink", "readlinkat", "rename", "renameat", "renameat2", "rmdir",
        "stat", "statfs", "statx", "symlink", "symlinkat", "unlink", "unlinkat",
    ]

    /// Calls that change the owner and times of files, which the file's owner may always make. chmod, fchmod, fchmodat
    /// and fchmodat2 have separate rules.
    static let metadata = [
        "chown", "fchown", "fchownat", "futimesat", "lchown", "utime", "utimensat", "utimes",
    ]

    /// Calls on existing sockets, which were passed to the app or created under the rules for socket and socketpair.
    static let sockets = [
        "accept", "accept4", "bind", "connect", "getpeername", "getsockname", "getsockopt", "recvfrom",
        "recvmmsg", "recvmsg", "setsockopt", "shutdown",
    ]

    /// Calls with which a worker restricts itself further: a Landlock layer and the second filter.
    static let selfRestriction = [
        "landlock_add_rule", "landlock_create_ruleset", "landlock_restrict_self", "seccomp",
    ]

    /// Inspecting, controlling or impersonating other processes, which no app needs. A pidfd of an unknown process
    /// would bypass every check by number, and signals with a payload would bypass the second filter's rule for kill.
    static let otherProcesses = [
        "get_robust_list", "kcmp", "migrate_pages", "move_pages", "perf_event_open", "pidfd_getfd", "pidfd_open",
        "pidfd_send_signal", "process_madvise", "process_mrelease", "process_vm_readv", "process_vm_writev", "ptrace",
        "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sched_setattr", "sched_setparam", "sched_setscheduler",
    ]

    /// The app's view of files is complete before it starts. File handles would bypass mounts (open_by_handle_at(2)).
    static let mounts = [
        "chroot", "fanotify_init", "fanotify_mark", "fsconfig", "fsmount", "fsopen", "fspick", "listmount", "mount",
        "mount_setattr", "move_mount", "name_to_handle_at", "open_by_handle_at", "open_tree", "open_tree_attr",
        "pivot_root", "quotactl", "quotactl_fd", "setns", "statmount", "umount", "umount2",
    ]

    /// Users, groups and capabilities, which only the launcher sets (credentials(7)).
    static let identity = [
        "capset", "setdomainname", "setfsgid", "setfsuid", "setgid", "setgroups", "sethostname", "setregid",
        "setresgid", "setresuid", "setreuid", "setuid",
    ]

    /// The machine and its clock, which belong to the administrator. Locking memory and placing it on nodes take it
    /// from all processes; without privilege the kernel fails mlock with EPERM as well.
    static let machine = [
        "acct", "adjtimex", "clock_adjtime", "clock_settime", "create_module", "delete_module", "finit_module",
        "get_mempolicy", "init_module", "ioperm", "iopl", "kexec_file_load", "kexec_load", "mbind", "mlock", "mlock2",
        "mlockall", "munlock", "munlockall", "reboot", "set_mempolicy", "set_mempolicy_home_node", "settimeofday",
        "stime", "swapoff", "swapon", "syslog", "vhangup",
    ]

    /// Large parts of the kernel that no app needs and in which exploits begin. io_uring also makes calls that no
    /// filter sees, and namespaces do not separate keyrings (keyrings(7)).
    static let kernelInterfaces = [
        "add_key", "bpf", "inotify_add_watch", "inotify_init", "inotify_init1", "inotify_rm_watch", "io_uring_enter",
        "io_uring_register", "io_uring_setup", "keyctl", "lookup_dcookie",
        "memfd_secret", "modify_ldt", "request_key", "userfaultfd",
    ]
}
