import CSeccomp
import Glibc
package import IntentLinux

/// Which system calls an app may make: a seccomp(2) program, ready to be installed.
///
/// It is the first filter, loaded by the launcher right before it executes the app, so it still lets the app be
/// executed, a fork server fork and anybody signal; a worker adds a second filter that takes those away. What is not
/// named here answers ENOSYS, as an older kernel would, so that libraries fall back; what is forbidden on purpose
/// answers EPERM. Calls of another instruction set (32-bit, x32) end the process: nothing honest makes them.
///
/// A filter sees numbers, never what pointers lead to: paths and addresses are for mounts, Landlock and the network
/// namespace to restrict.
package struct SystemCallFilter: Equatable, Sendable {
    /// What an app may do beyond computing, using files and talking over sockets that it was given.
    package struct Permissions: OptionSet, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Making TCP sockets over IPv4 and IPv6; no other stream protocol, which Landlock's TCP rules would miss.
        package static let tcp = Permissions(rawValue: 1 << 0)
        /// Making UDP sockets over IPv4 and IPv6. Names are looked up in DNS by these.
        package static let udp = Permissions(rawValue: 1 << 1)
        package static let network: Permissions = [.tcp, .udp]
        /// Listening on the sockets that it may make.
        package static let listening = Permissions(rawValue: 1 << 5)
        /// Making stream sockets of unix(7).
        package static let unixSockets = Permissions(rawValue: 1 << 2)
        /// Starting programs: fork, vfork and posix_spawn(3).
        package static let subprocesses = Permissions(rawValue: 1 << 3)
        /// Forking workers: fork, clone3(2), CLONE_PARENT, and `unshare(CLONE_THREAD)`, which tells whether there are
        /// other threads.
        package static let forkServer = Permissions(rawValue: 1 << 4)
    }

    /// The `struct sock_filter` array for `sock_fprog` of seccomp(2), in this machine's byte order.
    package let program: [UInt8]

    /// Instructions in ``program``: the number for `sock_fprog.len`.
    package var instructionCount: Int { program.count / 8 }

    /// Compiles the filter, which takes milliseconds: make it once, and load it often.
    ///
    /// - Throws: ``SystemError`` by the name of a function of libseccomp, on a system call's name.
    package init(_ permissions: Permissions) throws(SystemError) {
        let rules = try RuleList.empty()
        for names in [Self.memory, Self.threads, Self.processes, Self.signals, Self.time, Self.waiting] {
            try rules.add(.allow, for: names)
        }
        for names in [Self.descriptors, Self.files, Self.sockets, Self.tightening] {
            try rules.add(.allow, for: names)
        }
        for names in [Self.otherProcesses, Self.mounts, Self.identity, Self.machine, Self.kernelInterfaces] {
            try rules.add(.fail(EPERM), for: names)
        }
        try Self.addMemoryRules(to: rules)
        try Self.addProcessRules(permissions, to: rules)
        try Self.addFileRules(to: rules)
        try Self.addSocketRules(permissions, to: rules)
        program = try rules.compiled()
    }
}

// MARK: Calls by name

extension SystemCallFilter {
    /// The address space; mmap and mprotect have rules of their own.
    private static let memory = [
        "brk", "madvise", "membarrier", "mincore", "mremap", "msync", "munmap", "pkey_alloc", "pkey_free",
    ]

    /// pthreads(7), and what the start of a program and of a thread does; clone has a rule of its own.
    private static let threads = [
        "arch_prctl", "exit", "exit_group", "futex", "futex_waitv", "getcpu", "gettid", "rseq",
        "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getattr", "sched_getparam",
        "sched_getscheduler", "sched_rr_get_interval", "sched_yield", "set_robust_list", "set_tid_address",
    ]

    /// What a process learns about itself and its children. Executing is here because the app itself is executed
    /// behind this filter.
    private static let processes = [
        "capget", "execve", "execveat", "getegid", "geteuid", "getgid", "getgroups", "getpgid", "getpgrp", "getpid",
        "getppid", "getpriority", "getrandom", "getresgid", "getresuid", "getrlimit", "getrusage", "getsid", "getuid",
        "ioprio_get", "setpgid", "setrlimit", "setsid", "sysinfo", "times", "umask", "uname", "wait4", "waitid",
    ]

    /// Signals to oneself, to children, and to others of the app; the second filter narrows whom.
    private static let signals = [
        "kill", "pause", "restart_syscall", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn",
        "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack", "signalfd", "signalfd4", "tgkill", "tkill",
    ]

    /// Reading clocks, and timers. Where the vDSO cannot answer, clock_gettime is a call too.
    private static let time = [
        "alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "gettimeofday", "nanosleep",
        "setitimer", "time", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime", "timer_settime",
        "timerfd_create", "timerfd_gettime", "timerfd_settime",
    ]

    /// Waiting for descriptors: what Dispatch and run loops do.
    private static let waiting = [
        "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait", "eventfd",
        "eventfd2", "poll", "ppoll", "pselect6", "select",
    ]

    /// Open files of any kind; fcntl and ioctl have rules of their own.
    private static let descriptors = [
        "close", "close_range", "copy_file_range", "dup", "dup2", "dup3", "fadvise64", "fallocate", "fdatasync",
        "flock", "fsync", "ftruncate", "lseek", "memfd_create", "pipe", "pipe2", "pread64", "preadv", "preadv2",
        "pwrite64", "pwritev", "pwritev2", "read", "readahead", "readv", "sendfile", "splice", "sync_file_range",
        "tee", "write", "writev",
    ]

    /// Files by path; which ones, mounts and Landlock say. Extended attributes are read and not written, as on a file
    /// system without them.
    private static let files = [
        "access", "chdir", "chown", "faccessat", "faccessat2", "fchdir", "fchown", "fchownat", "fgetxattr",
        "flistxattr", "fstat", "fstatfs", "futimesat", "getcwd",
        "getdents", "getdents64", "getxattr", "lchown", "lgetxattr", "link", "linkat", "listxattr", "llistxattr",
        "lstat", "mkdir", "mkdirat", "newfstatat", "readlink", "readlinkat", "rename",
        "renameat", "renameat2", "rmdir", "stat", "statfs", "statx", "symlink", "symlinkat", "truncate", "unlink",
        "unlinkat", "utime", "utimensat", "utimes",
    ]

    /// Sockets that exist: each was given to the app, or made under the rules for socket and socketpair.
    private static let sockets = [
        "accept", "accept4", "bind", "connect", "getpeername", "getsockname", "getsockopt", "recvfrom",
        "recvmmsg", "recvmsg", "setsockopt", "shutdown",
    ]

    /// A worker takes more away from itself: a Landlock layer and the second filter.
    private static let tightening = [
        "landlock_add_rule", "landlock_create_ruleset", "landlock_restrict_self", "seccomp",
    ]

    /// Looking into, steering or impersonating other processes, for which the app's own have no use. A pidfd of a
    /// stranger would outlive every check by number; signals with a payload would pass the second filter's rule for
    /// kill.
    private static let otherProcesses = [
        "get_robust_list", "kcmp", "migrate_pages", "move_pages", "perf_event_open", "pidfd_getfd", "pidfd_open",
        "pidfd_send_signal", "process_madvise", "process_mrelease", "process_vm_readv", "process_vm_writev", "ptrace",
        "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sched_setattr", "sched_setparam", "sched_setscheduler",
    ]

    /// The app's view of files is complete before it starts. File handles reach past mounts (open_by_handle_at(2)).
    private static let mounts = [
        "chroot", "fanotify_init", "fanotify_mark", "fsconfig", "fsmount", "fsopen", "fspick", "listmount", "mount",
        "mount_setattr", "move_mount", "name_to_handle_at", "open_by_handle_at", "open_tree", "open_tree_attr",
        "pivot_root", "quotactl", "quotactl_fd", "setns", "statmount", "umount", "umount2",
    ]

    /// Users, groups and capabilities are what the launcher made them (credentials(7)).
    private static let identity = [
        "capset", "setdomainname", "setfsgid", "setfsuid", "setgid", "setgroups", "sethostname", "setregid",
        "setresgid", "setresuid", "setreuid", "setuid",
    ]

    /// The machine and its clock belong to the administrator. Locked memory and its placement take from everybody;
    /// without privilege the kernel answers mlock with EPERM as well.
    private static let machine = [
        "acct", "adjtimex", "clock_adjtime", "clock_settime", "create_module", "delete_module", "finit_module",
        "get_mempolicy", "init_module", "ioperm", "iopl", "kexec_file_load", "kexec_load", "mbind", "mlock", "mlock2",
        "mlockall", "munlock", "munlockall", "reboot", "set_mempolicy", "set_mempolicy_home_node", "settimeofday",
        "stime", "swapoff", "swapon", "syslog", "vhangup",
    ]

    /// Large parts of the kernel that no app needs and that exploits start from. io_uring also makes calls that no
    /// filter sees; keyrings are not divided by namespaces (keyrings(7)).
    private static let kernelInterfaces = [
        "add_key", "bpf", "inotify_add_watch", "inotify_init", "inotify_init1", "inotify_rm_watch", "io_uring_enter",
        "io_uring_register", "io_uring_setup", "keyctl", "lookup_dcookie",
        "memfd_secret", "modify_ldt", "request_key", "userfaultfd",
    ]
}

// MARK: Calls by their arguments

extension SystemCallFilter {
    /// Nothing that runs here writes code into memory: neither Swift nor Foundation, ICU or libcurl compiles at run
    /// time. It makes an intruder's way longer, not impossible.
    private static func addMemoryRules(to rules: borrowing RuleList) throws(SystemError) {
        let writableCode = UInt32(PROT_WRITE | PROT_EXEC)
        for name in ["mmap", "mprotect", "pkey_mprotect"] {
            try rules.decide(
                name,
                by: [Argument(2, bits: writableCode)],
                cases: [Case([writableCode], .fail(EPERM))],
                otherwise: .allow
            )
        }
        // 0xFFFFFFFF asks which one it is (personality(2)). READ_IMPLIES_EXEC and no address randomisation are others.
        try rules.decide("personality", by: [Argument(0)], cases: [Case([0], .allow), Case([.max], .allow)])
    }

    private static func addProcessRules(
        _ permissions: Permissions,
        to rules: borrowing RuleList
    ) throws(SystemError) {
        let isForkServer = permissions.contains(.forkServer)
        let mayFork = isForkServer || permissions.contains(.subprocesses)

        var forbidden = UInt32(bitPattern: CLONE_NEWNS) | UInt32(bitPattern: CLONE_NEWCGROUP)
        for flag in [CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET] {
            forbidden |= UInt32(bitPattern: flag)
        }
        // posix_spawn(3) and vfork(2); a fork server does neither.
        if !permissions.contains(.subprocesses) { forbidden |= UInt32(bitPattern: CLONE_VFORK) }
        // A sibling instead of a child would be one of the launcher's that it never asked for.
        if !isForkServer { forbidden |= UInt32(bitPattern: CLONE_PARENT) }
        let thread = UInt32(bitPattern: CLONE_THREAD)
        try rules.decide(
            "clone",
            by: [Argument(0, bits: mayFork ? forbidden : forbidden | thread)],
            cases: [Case([mayFork ? 0 : thread], .allow)]
        )
        try rules.add(mayFork ? .allow : .fail(EPERM), for: ["fork"])
        try rules.add(permissions.contains(.subprocesses) ? .allow : .fail(EPERM), for: ["vfork"])
        if isForkServer {
            // Its flags are behind a pointer, so nothing can be compared; it is here for CLONE_INTO_CGROUP. Where it
            // is not allowed it must answer ENOSYS, not EPERM: then glibc makes threads by clone.
            try rules.add(.allow, for: ["clone3"])
            try rules.decide("unshare", by: [Argument(0)], cases: [Case([thread], .allow)])
        } else {
            try rules.add(.fail(EPERM), for: ["unshare"])
        }

        // Of limits, priorities and processors one's own only: Landlock does not keep them from other processes of
        // the same user. 0 is the caller.
        try rules.decide("prlimit64", by: [Argument(0)], cases: [Case([0], .allow)])
        try rules.decide("sched_setaffinity", by: [Argument(0)], cases: [Case([0], .allow)])
        let process = UInt32(PRIO_PROCESS.rawValue)
        try rules.decide("setpriority", by: [Argument(0), Argument(1)], cases: [Case([process, 0], .allow)])
        // IOPRIO_WHO_PROCESS of ioprio_set(2), for which there is no header.
        try rules.decide("ioprio_set", by: [Argument(0), Argument(1)], cases: [Case([1, 0], .allow)])

        // Not here on purpose: PR_SET_DUMPABLE and PR_SET_PTRACER (open a process to others), PR_SET_MM,
        // PR_SET_CHILD_SUBREAPER, PR_SET_SECUREBITS, PR_CAP_AMBIENT.
        let options = [
            PR_SET_NAME, PR_GET_NAME, PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS,
            PR_GET_DUMPABLE, PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_SET_VMA, PR_CAPBSET_READ, PR_GET_SECCOMP,
            PR_SET_SECCOMP, PR_GET_TID_ADDRESS,
        ]
        try rules.decide(
            "prctl",
            by: [Argument(0)],
            cases: options.map { Case([UInt32(bitPattern: $0)], .allow) }
        )
    }

    private static func addFileRules(to rules: borrowing RuleList) throws(SystemError) {
        let allowed = [FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, TCGETS, TIOCGWINSZ].map { Case([UInt32($0)], .allow) }
        // These two type into a terminal (CVE-2016-2568). Of all others a file simply knows nothing.
        let refused = [TIOCSTI, TIOCLINUX].map { Case([UInt32($0)], .fail(EPERM)) }
        try rules.decide("ioctl", by: [Argument(1)], cases: allowed + refused, otherwise: .fail(ENOTTY))

        // Whom a descriptor's signal goes to, and which it is (F_SETSIG, F_SETOWN, F_SETOWN_EX of fcntl(2)): the
        // kernel would send it past the second filter's rule for kill.
        let signalling: [UInt32] = [8, 10, 15]
        try rules.decide(
            "fcntl",
            by: [Argument(1)],
            cases: signalling.map { Case([$0], .fail(EPERM)) },
            otherwise: .allow
        )

        // Who starts a program with these bits runs it as this user, outside too: there the mount does not forbid it.
        let borrowing = [S_ISUID, S_ISGID, S_ISUID | S_ISGID].map { UInt32($0) }
        let borrowingBits = UInt32(S_ISUID | S_ISGID)
        for (name, position) in [("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("fchmodat2", 2), ("creat", 1)] {
            try rules.decide(
                name,
                by: [Argument(UInt32(position), bits: borrowingBits)],
                cases: borrowing.map { Case([$0], .fail(EPERM)) },
                otherwise: .allow
            )
        }
        // The mode is an argument only with O_CREAT or O_TMPFILE. openat2 has it behind a pointer: it answers ENOSYS.
        let making = UInt32(O_CREAT) | 0o20_000_000
        let makings = [UInt32(O_CREAT), 0o20_000_000, making]
        for (name, position) in [("open", 1), ("openat", 2)] {
            try rules.decide(
                name,
                by: [Argument(UInt32(position), bits: making), Argument(UInt32(position + 1), bits: borrowingBits)],
                cases: makings.flatMap { flags in borrowing.map { Case([flags, $0], .fail(EPERM)) } },
                otherwise: .allow
            )
        }

        // Files, pipes and sockets are made, devices not. 0 is a file (mknod(2)).
        let kinds = [0, S_IFREG, S_IFIFO, S_IFSOCK].map { Case([UInt32($0)], .allow) }
        try rules.decide("mknod", by: [Argument(1, bits: UInt32(S_IFMT) | borrowingBits)], cases: kinds)
        try rules.decide("mknodat", by: [Argument(2, bits: UInt32(S_IFMT) | borrowingBits)], cases: kinds)
    }

    private static func addSocketRules(_ permissions: Permissions, to rules: borrowing RuleList) throws(SystemError) {
        // SOCK_TYPE_MASK of the kernel: above it are SOCK_NONBLOCK and SOCK_CLOEXEC (socket(2)).
        let type = Argument(1, bits: 0xF)
        let stream = UInt32(SOCK_STREAM.rawValue)
        let datagram = UInt32(SOCK_DGRAM.rawValue)
        let unix = UInt32(AF_UNIX)

        var cases: [Case] = []
        for domain in [UInt32(AF_INET), UInt32(AF_INET6)] {
            // 0 is the usual protocol. Others of the same type are not these: SCTP, MPTCP, UDP-Lite, ping.
            if permissions.contains(.tcp) {
                cases += [0, UInt32(IPPROTO_TCP)].map { Case([domain, stream, $0], .allow) }
            }
            if permissions.contains(.udp) {
                cases += [0, UInt32(IPPROTO_UDP)].map { Case([domain, datagram, $0], .allow) }
            }
        }
        if permissions.contains(.unixSockets) { cases.append(Case([unix, stream, 0], .allow)) }
        try rules.decide("socket", by: [Argument(0), type, Argument(2)], cases: cases)

        // MSG_FASTOPEN connects without connect(2), and Landlock is not asked.
        let fastOpen: UInt32 = 0x2000_0000
        for (name, position) in [("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)] {
            try rules.decide(
                name,
                by: [Argument(UInt32(position), bits: fastOpen)],
                cases: [Case([fastOpen], .fail(EPERM))],
                otherwise: .allow
            )
        }
        // Without bind(2) it takes a port that Landlock is not asked about either.
        try rules.add(permissions.contains(.listening) ? .allow : .fail(EPERM), for: ["listen"])

        // Descriptors that are on their way count for the user, whose other apps could send none any more.
        guard permissions.contains(.subprocesses) || permissions.contains(.tcp) else {
            return try rules.add(.fail(EPERM), for: ["socketpair"])
        }
        // A pair is connected to itself for good, but for datagrams: those could be sent on to any address (unix(7)).
        let pairs = [stream, UInt32(SOCK_SEQPACKET.rawValue)].map { Case([unix, $0], .allow) }
        try rules.decide("socketpair", by: [Argument(0), type], cases: pairs)
    }
}

// MARK: Rules as libseccomp has them

extension SystemCallFilter {
    private enum Answer {
        case allow
        /// The call is not made and fails with this error number.
        case fail(Int32)

        /// SCMP_ACT_ALLOW, SCMP_ACT_ERRNO(x).
        var action: UInt32 {
            switch self {
            case .allow: SCMP_ACT_ALLOW
            case .fail(let error): 0x0005_0000 | UInt32(error)
            }
        }
    }

    /// The bits of an argument that a rule looks at.
    ///
    /// Arguments that are looked at here are 32 bits wide to the kernel; what a register holds above means nothing,
    /// and must neither get a call through nor stop it.
    private struct Argument {
        let index: UInt32
        let bits: UInt32

        init(_ index: UInt32, bits: UInt32 = .max) {
            self.index = index
            self.bits = bits
        }

        /// SCMP_CMP_MASKED_EQ: these bits have this value.
        func `is`(_ value: UInt32, in bits: UInt32? = nil) -> scmp_arg_cmp {
            scmp_arg_cmp(
                arg: index,
                op: SCMP_CMP_MASKED_EQ,
                datum_a: UInt64(bits ?? self.bits),
                datum_b: UInt64(value)
            )
        }

        /// The shortest list of conditions of which exactly one holds when the value is none of these.
        func isNone(of values: Set<UInt32>) -> [scmp_arg_cmp] {
            var conditions: [scmp_arg_cmp] = []
            // A binary tree of the bits, from the highest: each branch that leads to none of the values is one.
            func descend(_ left: UInt32, _ decided: UInt32, _ value: UInt32, _ values: Set<UInt32>) {
                guard !values.isEmpty else { return conditions.append(self.is(value, in: decided)) }
                guard left != 0 else { return }
                let bit = UInt32(1) << (31 - UInt32(left.leadingZeroBitCount))
                for side in [0, bit] {
                    descend(left ^ bit, decided | bit, value | side, values.filter { $0 & bit == side })
                }
            }
            descend(bits, 0, 0, values)
            return conditions
        }
    }

    /// What a call answers when the arguments have these values.
    private struct Case {
        var values: [UInt32]
        var answer: Answer

        init(_ values: [UInt32], _ answer: Answer) {
            self.values = values
            self.answer = answer
        }
    }

    /// A filter of libseccomp's in the making (seccomp_init(3)).
    private struct RuleList: ~Copyable {
        private let context: scmp_filter_ctx

        private init(owning context: scmp_filter_ctx) {
            self.context = context
        }

        /// A list without rules: all calls answer ENOSYS.
        static func empty() throws(SystemError) -> RuleList {
            guard let context = seccomp_init(Answer.fail(ENOSYS).action) else {
                throw SystemError("seccomp_init", code: Errno(rawValue: ENOMEM))
            }
            let list = RuleList(owning: context)
            try check("seccomp_attr_set") {
                seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)
            }
            // A binary tree instead of a list: a call's rule is found after ten comparisons, not after three hundred.
            // Libraries before 2.5 make the list, which answers the same.
            _ = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2)
            return list
        }

        deinit {
            seccomp_release(context)
        }

        func add(_ answer: Answer, for names: [String]) throws(SystemError) {
            for name in names { try addRule(name, answer, []) }
        }

        /// Answers by the values of arguments: as the case says that matches, or the same for all others.
        ///
        /// libseccomp has no order among rules of one call, so the rules made here never overlap.
        func decide(
            _ name: String,
            by arguments: [Argument],
            cases: [Case],
            otherwise: Answer = .fail(EPERM)
        ) throws(SystemError) {
            try decide(name, arguments[...], cases, otherwise, given: [])
        }

        private func decide(
            _ name: String,
            _ arguments: ArraySlice<Argument>,
            _ cases: [Case],
            _ otherwise: Answer,
            given conditions: [scmp_arg_cmp]
        ) throws(SystemError) {
            guard let argument = arguments.first, !cases.isEmpty else {
                return try addRule(name, cases.first?.answer ?? otherwise, conditions)
            }
            let position = arguments.startIndex
            let values = Set(cases.map { $0.values[position] })
            for condition in argument.isNone(of: values) {
                try addRule(name, otherwise, conditions + [condition])
            }
            for value in values.sorted() {
                let matching = cases.filter { $0.values[position] == value }
                let known = conditions + [argument.is(value)]
                try decide(name, arguments.dropFirst(), matching, otherwise, given: known)
            }
        }

        private func addRule(_ name: String, _ answer: Answer, _ conditions: [scmp_arg_cmp]) throws(SystemError) {
            let number = seccomp_syscall_resolve_name(name)
            // Unknown to this library, or absent from this architecture: it answers ENOSYS.
            guard number >= 0 else { return }
            try Self.check("seccomp_rule_add", on: name) {
                seccomp_rule_add_array(context, answer.action, number, UInt32(conditions.count), conditions)
            }
        }

        /// The program, as seccomp_export_bpf(3) writes it.
        func compiled() throws(SystemError) -> [UInt8] {
            let file = FileDescriptor(owning: try syscall("memfd_create") { intentd_seccomp_memfd() })
            try Self.check("seccomp_export_bpf") { seccomp_export_bpf(context, file.rawValue) }
            try syscall("lseek") { lseek(file.rawValue, 0, SEEK_SET) }
            // BPF_MAXINSNS instructions of 8 bytes: a longer program the kernel does not take.
            guard let program = try File.readAll(file.rawValue, limit: 4096 * 8), program.count % 8 == 0 else {
                throw SystemError("seccomp_export_bpf", code: Errno(rawValue: E2BIG))
            }
            return program
        }

        /// libseccomp returns a negative errno.
        private static func check(
            _ operation: String,
            on subject: String? = nil,
            _ body: () -> Int32
        ) throws(SystemError) {
            let result = body()
            if result < 0 { throw SystemError(operation, on: subject, code: Errno(rawValue: -result)) }
        }
    }
}
