import CSeccomp
import Glibc

/// The rules for calls that depend on arguments.
extension SystemCallFilter {
    /// No code that runs here generates code at run time: neither Swift nor Foundation, ICU or libcurl. This rule slows
    /// an intruder down; it does not stop one.
    static func addMemoryRules(
        _ permissions: Permissions,
        to rules: inout RuleList
    ) {
        let writableCode = UInt32(PROT_WRITE | PROT_EXEC)
        let isCounted = !permissions.contains(.uncountedMemory)
        // RLIMIT_DATA counts private memory that is not a stack (getrlimit(2)). The first two bits together make memory
        // shared and anonymous; the third makes any memory a stack.
        let shared = UInt32(MAP_SHARED)
        let anonymous = UInt32(MAP_ANONYMOUS)
        let stack = UInt32(MAP_GROWSDOWN)
        let uncounted = [shared | anonymous, stack, stack | shared, stack | anonymous, stack | shared | anonymous]
        rules.decide(
            "mmap",
            by: isCounted
                ? [Argument(3, bits: shared | anonymous | stack), Argument(2, bits: writableCode)]
                : [Argument(2, bits: writableCode)],
            cases: isCounted
                ? uncounted.map { Case([$0], .fail(EPERM)) }
                    + [0, shared, anonymous].map { Case([$0, writableCode], .fail(EPERM)) }
                : [Case([writableCode], .fail(EPERM))],
            otherwise: .allow
        )
        rules.add(isCounted ? .fail(EPERM) : .allow, for: ["memfd_create"])
        for name in ["mprotect", "pkey_mprotect"] {
            rules.decide(
                name,
                by: [Argument(2, bits: writableCode)],
                cases: [Case([writableCode], .fail(EPERM))],
                otherwise: .allow
            )
        }
        // 0xFFFFFFFF only reads the personality (personality(2)). Other values imply READ_IMPLIES_EXEC or disable
        // address randomisation.
        rules.decide("personality", by: [Argument(0)], cases: [Case([0], .allow), Case([.max], .allow)])
    }

    static func addProcessRules(
        _ permissions: Permissions,
        to rules: inout RuleList
    ) {
        let isForkServer = permissions.contains(.forkServer)
        let mayFork = isForkServer || permissions.contains(.subprocesses)

        var forbidden = UInt32(bitPattern: CLONE_NEWNS) | UInt32(bitPattern: CLONE_NEWCGROUP)
        for flag in [CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET] {
            forbidden |= UInt32(bitPattern: flag)
        }
        // posix_spawn(3) and vfork(2), which a fork server does not use.
        if !permissions.contains(.subprocesses) { forbidden |= UInt32(bitPattern: CLONE_VFORK) }
        // A sibling instead of a child would be a child of the launcher that the launcher did not request.
        if !isForkServer { forbidden |= UInt32(bitPattern: CLONE_PARENT) }
        let thread = UInt32(bitPattern: CLONE_THREAD)
        rules.decide(
            "clone",
            by: [Argument(0, bits: mayFork ? forbidden : forbidden | thread)],
            cases: [Case([mayFork ? 0 : thread], .allow)]
        )
        rules.add(mayFork ? .allow : .fail(EPERM), for: ["fork"])
        rules.add(permissions.contains(.subprocesses) ? .allow : .fail(EPERM), for: ["vfork"])
        if isForkServer {
            // The flags of clone3 are behind a pointer, so no rule can compare them. It is allowed for
            // CLONE_INTO_CGROUP. Elsewhere it must fail with ENOSYS instead of EPERM, so that glibc creates threads
            // with clone.
            rules.add(.allow, for: ["clone3"])
            rules.decide("unshare", by: [Argument(0)], cases: [Case([thread], .allow)])
        } else {
            rules.add(.fail(EPERM), for: ["unshare"])
        }

        // A process may change only its own limits, priorities and processors, because Landlock does not protect those
        // of other processes with the same user. 0 is the caller.
        rules.decide("prlimit64", by: [Argument(0)], cases: [Case([0], .allow)])
        rules.decide("sched_setaffinity", by: [Argument(0)], cases: [Case([0], .allow)])
        let process = UInt32(PRIO_PROCESS.rawValue)
        rules.decide("setpriority", by: [Argument(0), Argument(1)], cases: [Case([process, 0], .allow)])
        // IOPRIO_WHO_PROCESS of ioprio_set(2), for which there is no header.
        rules.decide("ioprio_set", by: [Argument(0), Argument(1)], cases: [Case([1, 0], .allow)])

        // These options are omitted on purpose: PR_SET_DUMPABLE and PR_SET_PTRACER (open a process to other processes),
        // PR_SET_MM, PR_SET_CHILD_SUBREAPER, PR_SET_SECUREBITS, PR_CAP_AMBIENT.
        let options = [
            PR_SET_NAME, PR_GET_NAME, PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS,
            PR_GET_DUMPABLE, PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_SET_VMA, PR_CAPBSET_READ, PR_GET_SECCOMP,
            PR_SET_SECCOMP, PR_GET_TID_ADDRESS,
        ]
        rules.decide(
            "prctl",
            by: [Argument(0)],
            cases: options.map { Case([UInt32(bitPattern: $0)], .allow) }
        )
    }

    static func addFileRules(
        _ permissions: Permissions,
        to rules: inout RuleList
    ) {
        let changing: Answer = permissions.contains(.metadata) ? .allow : .ask
        rules.add(changing, for: metadata)
        rules.add(permissions.contains(.truncatingByName) ? .allow : .fail(EPERM), for: ["truncate"])

        let allowed = [FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, TCGETS, TIOCGWINSZ].map { Case([UInt32($0)], .allow) }
        // These two requests type into a terminal (CVE-2016-2568). Files reject all other requests that they do not
        // support.
        let refused = [TIOCSTI, TIOCLINUX].map { Case([UInt32($0)], .fail(EPERM)) }
        rules.decide("ioctl", by: [Argument(1)], cases: allowed + refused, otherwise: .fail(ENOTTY))

        // The recipient and number of a descriptor's signal (F_SETSIG, F_SETOWN, F_SETOWN_EX of fcntl(2)): that signal
        // would bypass the second filter's rule for kill.
        var refusedCommands: [UInt32] = [8, 10, 15]
        // No limit of a process counts the bytes in a pipe. If no cgroup does either, a pipe stays at 64 KiB
        // (F_SETPIPE_SZ).
        if !permissions.contains(.uncountedMemory) { refusedCommands.append(1031) }
        // These would block the owner of a file that a client passed: locks of the open file, which outlast the run
        // (F_OFD_SETLK, F_OFD_SETLKW), leases and notices (F_SETLEASE, F_NOTIFY). They fail as on a kernel without
        // them. Locks of a process are allowed, because they end with the process, and are only read locks on a file
        // that is open for reading.
        let lasting: [UInt32] = [37, 38, 1024, 1026]
        rules.decide(
            "fcntl",
            by: [Argument(1)],
            cases: refusedCommands.map { Case([$0], .fail(EPERM)) } + lasting.map { Case([$0], .fail(EINVAL)) },
            otherwise: .allow
        )

        // A file with these bits runs with its owner's permissions for every user who executes it. Outside the sandbox
        // no mount prevents that.
        let borrowing = [S_ISUID, S_ISGID, S_ISUID | S_ISGID].map { UInt32($0) }
        let borrowingBits = UInt32(S_ISUID | S_ISGID)
        for (name, position) in [("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("fchmodat2", 2), ("creat", 1)] {
            rules.decide(
                name,
                by: [Argument(UInt32(position), bits: borrowingBits)],
                cases: borrowing.map { Case([$0], .fail(EPERM)) },
                otherwise: name == "creat" ? .allow : changing
            )
        }
        // The mode is an argument only with O_CREAT or O_TMPFILE. In openat2 the mode is behind a pointer, so openat2
        // fails with ENOSYS.
        let making = UInt32(O_CREAT) | 0o20_000_000
        let makings = [UInt32(O_CREAT), 0o20_000_000, making]
        for (name, position) in [("open", 1), ("openat", 2)] {
            rules.decide(
                name,
                by: [Argument(UInt32(position), bits: making), Argument(UInt32(position + 1), bits: borrowingBits)],
                cases: makings.flatMap { flags in borrowing.map { Case([flags, $0], .fail(EPERM)) } },
                otherwise: .allow
            )
        }

        // Files, pipes and sockets can be created, but not devices. 0 is a file (mknod(2)).
        let kinds = [0, S_IFREG, S_IFIFO, S_IFSOCK].map { Case([UInt32($0)], .allow) }
        rules.decide("mknod", by: [Argument(1, bits: UInt32(S_IFMT) | borrowingBits)], cases: kinds)
        rules.decide("mknodat", by: [Argument(2, bits: UInt32(S_IFMT) | borrowingBits)], cases: kinds)
    }

    static func addSocketRules(_ permissions: Permissions, to rules: inout RuleList) {
        // SOCK_TYPE_MASK of the kernel: above it are SOCK_NONBLOCK and SOCK_CLOEXEC (socket(2)).
        let type = Argument(1, bits: 0xF)
        let stream = UInt32(SOCK_STREAM.rawValue)
        let datagram = UInt32(SOCK_DGRAM.rawValue)
        let unix = UInt32(AF_UNIX)

        var cases: [Case] = []
        for domain in [UInt32(AF_INET), UInt32(AF_INET6)] {
            // 0 is the default protocol. Other protocols of the same type are refused: SCTP, MPTCP, UDP-Lite, ping.
            if permissions.contains(.tcp) {
                cases += [0, UInt32(IPPROTO_TCP)].map { Case([domain, stream, $0], .allow) }
            }
            if permissions.contains(.udp) {
                cases += [0, UInt32(IPPROTO_UDP)].map { Case([domain, datagram, $0], .allow) }
            }
        }
        if permissions.contains(.unixSockets) { cases.append(Case([unix, stream, 0], .allow)) }
        if permissions.contains(.unixDatagrams) { cases.append(Case([unix, datagram, 0], .allow)) }
        rules.decide("socket", by: [Argument(0), type, Argument(2)], cases: cases)

        // MSG_FASTOPEN connects without connect(2), and bypasses Landlock.
        let fastOpen: UInt32 = 0x2000_0000
        for (name, position) in [("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)] {
            rules.decide(
                name,
                by: [Argument(UInt32(position), bits: fastOpen)],
                cases: [Case([fastOpen], .fail(EPERM))],
                otherwise: .allow
            )
        }
        // Without bind(2), listen allocates a port, which also bypasses Landlock.
        rules.add(permissions.contains(.listening) ? .allow : .fail(EPERM), for: ["listen"])

        // The kernel counts descriptors in flight per user, so one app could exhaust the limit for other apps of its
        // user.
        guard permissions.contains(.subprocesses) || permissions.contains(.tcp) else {
            return rules.add(.fail(EPERM), for: ["socketpair"])
        }
        // A pair stays connected to itself. Datagram sockets are the exception: they can send to any address (unix(7)).
        let pairs = [stream, UInt32(SOCK_SEQPACKET.rawValue)].map { Case([unix, $0], .allow) }
        rules.decide("socketpair", by: [Argument(0), type], cases: pairs)
    }
}
