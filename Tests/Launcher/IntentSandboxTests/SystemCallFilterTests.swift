import CIntentSeccomp
import Glibc
import IntentLinux
import IntentSandbox
import TestSupport
import Testing

/// Tests the answers of the compiled filter, call by call.
@Suite(.ownThread) struct SystemCallFilterTests {
    typealias Permissions = SystemCallFilter.Permissions

    static let variants: [Permissions] =
        (0..<32).map(Permissions.init) + [
            .metadata, .uncountedMemory, [.metadata, .uncountedMemory, .subprocesses], .terminals, .graphics,
            .generatedCode, [.generatedCode, .uncountedMemory, .subprocesses], all,
        ]
    private static let filters = Dictionary(uniqueKeysWithValues: variants.map { ($0, SystemCallFilter($0)) })
    static let all: Permissions = [
        .network, .unixSockets, .subprocesses, .forkServer, .metadata, .uncountedMemory, .terminals,
        .graphics,
    ]

    static func filter(_ permissions: Permissions) throws -> SystemCallFilter {
        try #require(filters[permissions])
    }

    @Test(arguments: variants) func `a filter is a program that the kernel can load`(_ permissions: Permissions) throws
    {
        let filter = try Self.filter(permissions)
        #expect(filter.program.count == filter.instructionCount * 8)
        #expect((100...1000).contains(filter.instructionCount))
        #expect(SystemCallFilter(permissions) == filter)
        #expect(filter.needsListener == !permissions.contains(.metadata))
    }

    @Test(arguments: [[], all])
    func `the calls of Swift's workers are allowed`(_ permissions: Permissions) throws {
        let machine = FilterMachine(try Self.filter(permissions).program)
        let plain = [
            "access", "arch_prctl", "brk", "chdir", "clock_nanosleep", "close", "close_range", "connect", "dup3",
            "epoll_create1", "epoll_ctl", "epoll_wait", "eventfd2", "execve", "exit_group", "fsync", "futex", "getcwd",
            "getdents64", "getegid", "geteuid", "getpid", "getrandom", "gettid", "landlock_add_rule",
            "landlock_create_ruleset", "landlock_restrict_self", "munmap", "newfstatat", "openat", "pread64", "read",
            "readlink", "recvfrom", "recvmsg", "rename", "rseq", "rt_sigaction", "rt_sigprocmask", "rt_sigsuspend",
            "sched_getaffinity", "seccomp", "sendmsg", "sendto", "set_robust_list", "set_tid_address", "sysinfo",
            "timerfd_create", "timerfd_settime", "uname", "unlink", "write",
        ]
        for name in plain { #expect(machine.answer(name) ?? .allow == .allow, "\(name)") }
        #expect(machine.answer("clone", 0x3D_0F00) == .allow)
        #expect(machine.answer("ioctl", 0, UInt64(TCGETS)) == .allow)
        #expect(machine.answer("mmap", 0, 4096, 3) == .allow)
        #expect(machine.answer("mmap", 0, 4096, 5) == .allow)
        #expect(machine.answer("mprotect", 0, 4096, 1) == .allow)
        #expect(machine.answer("prctl", UInt64(PR_SET_NAME)) == .allow)
        #expect(machine.answer("prctl", UInt64(PR_GET_TID_ADDRESS)) == .allow)
        #expect(machine.answer("prlimit64", 0, 7) == .allow)
        #expect(machine.answer("setpriority", 0, 0, .max - 3) == .allow)
    }

    @Test(arguments: [[], all]) func `forbidden calls fail with EPERM`(_ permissions: Permissions) throws {
        let machine = FilterMachine(try Self.filter(permissions).program)
        // The fork server of an app that starts programs changes the roots of its workers.
        let exceptions: Set = permissions == Self.all ? ["chroot", "capset"] : []
        for name in Self.forbidden where !exceptions.contains(name) {
            #expect(machine.answer(name) ?? .fail(EPERM) == .fail(EPERM), "\(name)")
        }
        for name in exceptions { #expect(machine.answer(name) == .allow, "\(name)") }
    }

    @Test func `truncate is allowed only if Landlock controls it`() throws {
        #expect(FilterMachine(SystemCallFilter([]).program).answer("truncate") == .fail(EPERM))
        #expect(FilterMachine(SystemCallFilter([.truncatingByName]).program).answer("truncate") == .allow)
        #expect(FilterMachine(SystemCallFilter([]).program).answer("ftruncate") == .allow)
    }

    @Test(arguments: variants) func `calls that are not listed fail with ENOSYS`(_ permissions: Permissions) throws {
        let machine = FilterMachine(try Self.filter(permissions).program)
        for name in ["io_setup", "shmget", "msgget", "mq_open", "setxattr", "sync", "vmsplice", "uselib", "sysfs"] {
            #expect(machine.answer(name) ?? .fail(ENOSYS) == .fail(ENOSYS), "\(name)")
        }
        // The last number is the one that a tracer sets to skip a call.
        for number: UInt32 in [500, 1000, 0xFFFF, 0x3FFF_FFFF, .max] {
            #expect(machine.answer(number, []) == .fail(ENOSYS), "\(number)")
        }
        if !permissions.contains(.forkServer) { #expect(machine.answer("clone3") == .fail(ENOSYS)) }
    }

    @Test(arguments: variants) func `calls of another instruction set kill the process`(_ permissions: Permissions)
        throws
    {
        let machine = FilterMachine(try Self.filter(permissions).program)
        // i386, 32-bit ARM and MIPS, with their numbers of getpid and write.
        for architecture: UInt32 in [0x4000_0003, 0x4000_0028, 0x0000_0008] {
            for number: UInt32 in [1, 4, 20, 39] {
                #expect(machine.answer(number, [], architecture: architecture) == .killProcess)
            }
        }
        #if arch(x86_64)
            for number: UInt32 in [0x4000_0000, 0x4000_0001, 0x4000_0027, 0x7FFF_FFFF] {
                #expect(machine.answer(number, []) == .killProcess)
            }
        #endif
    }

    @Test(arguments: variants) func `every rule for arguments applies to all arguments`(_ permissions: Permissions)
        throws
    {
        let machine = FilterMachine(try Self.filter(permissions).program)
        var random = SeededNumbers(seed: UInt64(permissions.rawValue) + 1)
        for (name, interesting) in Self.interesting {
            guard let number = FilterMachine.number(of: name) else { continue }
            for _ in 0..<(Endurance.isWhole ? 300 : 100) {
                let arguments = (0..<6).map { _ in Self.argument(interesting, &random) }
                let low = arguments.map { UInt32(truncatingIfNeeded: $0) }
                let expected = Self.answer(name, low, permissions)
                #expect(machine.answer(number, arguments) == expected, "\(name) \(low)")
            }
        }
    }

    // MARK: The rules as plain code, written independently

    private static func answer(_ name: String, _ low: [UInt32], _ permissions: Permissions) -> FilterMachine.Answer {
        let mayFork = !permissions.isDisjoint(with: [.forkServer, .subprocesses])
        switch name {
        case "mmap":
            let isShared = low[3] & 0x21 == 0x21 || low[3] & 0x100 != 0
            let isCode = low[2] & 6 == 6 && !permissions.contains(.generatedCode)
            return allowed(!isCode && (!isShared || permissions.contains(.uncountedMemory)))
        case "mprotect", "pkey_mprotect": return allowed(low[2] & 6 != 6 || permissions.contains(.generatedCode))
        case "memfd_create": return allowed(permissions.contains(.uncountedMemory))
        case "chown", "fchown", "fchownat", "futimesat", "lchown", "utime", "utimensat", "utimes":
            return permissions.contains(.metadata) ? .allow : .ask
        case "chmod", "fchmod", "fchmodat", "fchmodat2":
            if low[name.hasPrefix("fchmodat") ? 2 : 1] & 0o6000 != 0 { return .fail(EPERM) }
            return permissions.contains(.metadata) ? .allow : .ask
        case "creat": return allowed(low[1] & 0o6000 == 0)
        case "personality": return allowed(low[0] == 0 || low[0] == .max)
        case "clone":
            var isAllowed = low[0] & 0x7E02_0000 == 0
            if low[0] & 0x0001_0000 == 0, !mayFork { isAllowed = false }
            if low[0] & 0x4000 != 0, !permissions.contains(.subprocesses) { isAllowed = false }
            if low[0] & 0x8000 != 0, !permissions.contains(.forkServer) { isAllowed = false }
            return allowed(isAllowed)
        case "fork": return allowed(mayFork)
        case "vfork": return allowed(permissions.contains(.subprocesses))
        case "clone3": return permissions.contains(.forkServer) ? .allow : .fail(ENOSYS)
        case "unshare": return allowed(permissions.contains(.forkServer) && low[0] == 0x10000)
        case "prlimit64", "sched_setaffinity": return allowed(low[0] == 0)
        case "setpriority": return allowed(low[0] == 0 && low[1] == 0)
        case "ioprio_set": return allowed(low[0] == 1 && low[1] == 0)
        case "prctl": return allowed(options.contains(low[0]))
        case "ioctl":
            let terminals: Set<UInt32> = [
                0x5402, 0x5403, 0x5404, 0x5409, 0x540A, 0x540B, 0x540E, 0x540F, 0x5410, 0x5411, 0x5414, 0x5422, 0x5425,
                0x5429, 0x5441, 0x802C_542A, 0x402C_542B, 0x402C_542C, 0x402C_542D, 0x8004_5430, 0x4004_5431,
            ]
            if permissions.contains(.terminals), terminals.contains(low[1]) { return .allow }
            if [0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451].contains(low[1]) { return .allow }
            if permissions.contains(.graphics) {
                let (direction, type) = (low[1] >> 30, low[1] >> 8 & 0xff)
                let hasType =
                    switch type {
                    case 0x64: true
                    case 0x4B, 0x46, 0x62, 0x3E: direction != 0
                    case 0x6D: direction == 3
                    default: low[1] < 128 || low[1] == 0x3000_0001 || low[1] == 0x3000_0002
                    }
                if hasType { return .allow }
            }
            return [0x5412, 0x541C].contains(low[1]) ? .fail(EPERM) : .fail(ENOTTY)
        case "fcntl":
            if [37, 38, 1024, 1026].contains(low[1]) { return .fail(EINVAL) }
            let isPipeSize = low[1] == 1031
            return allowed(![8, 10, 15].contains(low[1]) && (!isPipeSize || permissions.contains(.uncountedMemory)))
        case "mknod", "mknodat":
            return allowed([0, 0x8000, 0x1000, 0xC000].contains(low[name == "mknod" ? 1 : 2] & 0xFC00))
        case "socketpair":
            let mayPair = permissions.contains(.subprocesses) || permissions.contains(.tcp)
            return allowed(mayPair && low[0] == 1 && [1, 5].contains(low[1] & 0xF))
        case "socket":
            switch (low[0], low[1] & 0xF) {
            case (2, 1), (10, 1): return allowed(permissions.contains(.tcp) && [0, 6].contains(low[2]))
            case (2, 2), (10, 2): return allowed(permissions.contains(.udp) && [0, 17].contains(low[2]))
            case (1, 1): return allowed(permissions.contains(.unixSockets) && low[2] == 0)
            case (_, _): return .fail(EPERM)
            }
        default: preconditionFailure("no rule for \(name)")
        }
    }

    private static func allowed(_ condition: Bool) -> FilterMachine.Answer { condition ? .allow : .fail(EPERM) }

    private static let options: [UInt32] = [1, 2, 3, 15, 16, 21, 22, 23, 29, 30, 38, 39, 40, 0x5356_4D41]

    /// Argument values near which the answer changes, by call.
    private static let interesting: [(String, [UInt32])] = [
        (
            "mmap",
            [0, 1, 2, 3, 4, 5, 6, 7, 0x20, 0x21, 0x22, 0x23, 0x102, 0x120, 0x121, 0x122, 0x2_0022, 0x0100_0006]
        ),
        ("memfd_create", [0, 1]), ("chown", [0]), ("fchown", [0]), ("fchownat", [0]), ("futimesat", [0]),
        ("lchown", [0]), ("utime", [0]), ("utimensat", [0]), ("utimes", [0]),
        ("chmod", [0o600, 0o1777, 0o2755, 0o4755, 0o6000]), ("fchmod", [0o600, 0o1777, 0o2755, 0o4755, 0o6000]),
        ("fchmodat", [0o600, 0o1777, 0o2755, 0o4755, 0o6000]), ("fchmodat2", [0o600, 0o1777, 0o2755, 0o4755, 0o6000]),
        ("creat", [0o600, 0o1777, 0o2755, 0o4755, 0o6000]),
        ("mprotect", [0, 1, 2, 3, 4, 5, 6, 7, 0x0100_0007]),
        ("pkey_mprotect", [0, 3, 5, 6, 7]), ("personality", [0, 1, 0x0040_0000, 0x0004_0000, .max, .max - 1]),
        ("clone", [17, 0x11, 0x3D_0F00, 0x0120_0011, 0x4111, 0x8011, 0x0001_0000] + (7..<32).map { 1 << $0 }),
        ("fork", [0]), ("vfork", [0]), ("clone3", [0]),
        ("unshare", [0, 0x10000, 0x10001, 0x1000_0000, 0x0002_0000, 0x80, 0x200]),
        ("prlimit64", [0, 1, .max]), ("sched_setaffinity", [0, 1, .max]), ("setpriority", [0, 1, 2]),
        ("ioprio_set", [0, 1, 2, 3]), ("prctl", options + [0, 4, 5, 35, 36, 47, 0x59616D61, 0x5356_4D40]),
        ("ioctl", [0x5401, 0x5402, 0x5412, 0x5413, 0x541B, 0x541C, 0x5421, 0x5450, 0x5451, 0x5452, 0x8901, 0x8902]),
        ("ioctl", [0x5403, 0x5414, 0x540E, 0x4004_5431, 0x4004_5432, 0x541D, 0x5600]),
        ("ioctl", [0xC040_6400, 0x641E, 0x8018_4B01, 0x4B45, 0xC020_462A, 0x4600, 0xC010_6D00, 0x6D00, 0x4008_6200]),
        ("ioctl", [0xC030_3E03, 0x3E03, 1, 127, 128, 0x3000_0001, 0x3000_0003, 0xFFFF_FFFF]),
        (
            "ioctl",
            [
                0x5402, 0x5403, 0x5404, 0x5409, 0x540A, 0x540B, 0x540E, 0x540F, 0x5410, 0x5411, 0x5414, 0x5422, 0x5425,
                0x5429, 0x5441, 0x802C_542A, 0x402C_542B, 0x402C_542C, 0x402C_542D, 0x8004_5430, 0x4004_5431,
            ]
        ),
        ("fcntl", [0, 1, 2, 3, 4, 6, 8, 9, 10, 15, 36, 37, 38, 1024, 1025, 1026, 1030, 1031, 1032, 1033]),
        (
            "mknod",
            [
                0, 0o666, 0x1000, 0x2000, 0x4000, 0x6000, 0x8000, 0xA000, 0xC000, 0x21B6, 0x81B6, 0x12000, 0x8800,
                0x8400, 0x0C00,
            ]
        ),
        (
            "mknodat",
            [
                0, 0o666, 0x1000, 0x2000, 0x4000, 0x6000, 0x8000, 0xA000, 0xC000, 0x21B6, 0x81B6, 0x12000, 0x8800,
                0x8400, 0x0C00,
            ]
        ),
        ("socket", [0, 1, 2, 3, 5, 6, 10, 16, 17, 132, 136, 262, 0x80001, 0x80801, 0x80802, 40]),
        ("socketpair", [0, 1, 2, 3, 5, 0x80001, 0x80805, 0x80802]),
    ]

    /// Returns one of the values in most cases, sometimes with a changed bit, a random upper half or another random
    /// value.
    private static func argument(_ interesting: [UInt32], _ random: inout SeededNumbers) -> UInt64 {
        var low = interesting.randomElement(using: &random) ?? 0
        switch random.next() % 8 {
        case 0: low = UInt32(truncatingIfNeeded: random.next())
        case 1: low ^= 1 << UInt32(random.next() % 32)
        case 2: low |= interesting.randomElement(using: &random) ?? 0
        default: break
        }
        let high = random.next() % 4 == 0 ? random.next() << 32 : 0
        return high | UInt64(low)
    }

    /// Calls that are forbidden with every set of permissions.
    static let forbidden = [
        "acct", "add_key", "adjtimex", "bpf", "capset", "chroot", "clock_adjtime", "clock_settime", "create_module",
        "delete_module", "fanotify_init", "fanotify_mark", "finit_module", "fsconfig", "fsmount", "fsopen", "fspick",
        "get_mempolicy", "get_robust_list", "init_module", "inotify_add_watch", "inotify_init", "inotify_init1",
        "inotify_rm_watch", "io_uring_enter", "io_uring_register", "io_uring_setup", "ioperm", "iopl", "kcmp",
        "kexec_file_load", "kexec_load", "keyctl", "listmount", "lookup_dcookie", "mbind", "memfd_secret",
        "migrate_pages", "mlock", "mlock2", "mlockall", "modify_ldt", "mount", "mount_setattr", "move_mount",
        "move_pages", "munlock", "munlockall", "name_to_handle_at", "open_by_handle_at", "open_tree", "open_tree_attr",
        "perf_event_open", "pidfd_getfd", "pidfd_open", "pidfd_send_signal", "pivot_root", "process_madvise",
        "process_mrelease", "process_vm_readv", "process_vm_writev", "ptrace", "quotactl", "quotactl_fd", "reboot",
        "request_key", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sched_setattr", "sched_setparam", "sched_setscheduler",
        "set_mempolicy", "set_mempolicy_home_node", "setdomainname", "setfsgid", "setfsuid", "setgid", "setgroups",
        "sethostname", "setns", "setregid", "setresgid", "setresuid", "setreuid", "settimeofday", "setuid", "statmount",
        "stime", "swapoff", "swapon", "syslog", "umount", "umount2", "userfaultfd", "vhangup",
    ]
}
