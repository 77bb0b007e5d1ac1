import IntentSandbox
import Testing

/// What becomes of calls that have no rule for their arguments.
extension SystemCallFilterTests {
    /// The calls that every app may make. A change of the filter's own lists must appear here as well.
    private static let allowed = """
        accept accept4 access alarm arch_prctl bind brk capget chdir clock_getres clock_gettime clock_nanosleep
        close close_range connect copy_file_range dup dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait
        epoll_pwait2 epoll_wait eventfd eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64
        fallocate fchdir fdatasync fgetxattr flistxattr fstat fstatfs fsync ftruncate futex futex_waitv getcpu
        getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid
        getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid
        gettimeofday getuid getxattr ioprio_get kill landlock_add_rule landlock_create_ruleset
        landlock_restrict_self lgetxattr link linkat listxattr llistxattr lseek lstat madvise membarrier mincore
        mkdir mkdirat mremap msync munmap nanosleep newfstatat pause pipe pipe2 pkey_alloc pkey_free poll ppoll
        pread64 preadv preadv2 pselect6 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv
        recvfrom recvmmsg recvmsg rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending
        rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait sched_get_priority_max sched_get_priority_min
        sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_yield
        seccomp select sendfile set_robust_list set_tid_address setitimer setpgid setrlimit setsid setsockopt
        shutdown sigaltstack signalfd signalfd4 splice stat statfs statx symlink symlinkat sync_file_range sysinfo
        tee tgkill time timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
        timerfd_gettime timerfd_settime times tkill umask uname unlink unlinkat wait4 waitid write writev
        """

    @Test(arguments: [[], all])
    func `every call that ordinary programs make is allowed, whatever its arguments`(_ permissions: Permissions) throws
    {
        let machine = FilterMachine(try Self.filter(permissions).program)
        for name in Self.allowed.split(whereSeparator: \.isWhitespace).map(String.init) {
            // Another architecture lacks some calls of the list.
            guard let number = FilterMachine.number(of: name) else { continue }
            #expect(machine.answer(number, []) == .allow, "\(name)")
            #expect(machine.answer(number, Array(repeating: .max, count: 6)) == .allow, "\(name)")
        }
    }
}
