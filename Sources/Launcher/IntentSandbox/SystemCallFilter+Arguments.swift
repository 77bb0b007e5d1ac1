import CIntentSeccomp
import Glibc

/// The rules for system calls that are permitted only with certain arguments.
extension SystemCallFilter {
    /// Adds the rules for memory. Without ``Permissions/generatedCode``, they forbid memory that is both writable and
    /// executable. Apps do not need it, because Swift, Foundation, ICU and libcurl do not generate code at run time. The
    /// rules make attacks harder, but not impossible.
    static func addMemoryRules(_ permissions: Permissions, to rules: inout RuleList) {
        let forbidsCode = !permissions.contains(.generatedCode)
        let writableCode = UInt32(PROT_WRITE | PROT_EXEC)
        let isCounted = !permissions.contains(.uncountedMemory)
        // RLIMIT_DATA counts only private memory that is not a stack (getrlimit(2)). It therefore does not count memory
        // that is shared (MAP_SHARED with MAP_ANONYMOUS) or a stack (MAP_GROWSDOWN).
        let shared = UInt32(MAP_SHARED)
        let anonymous = UInt32(MAP_ANONYMOUS)
        let stack = UInt32(MAP_GROWSDOWN)
        let uncounted = [shared | anonymous, stack, stack | shared, stack | anonymous, stack | shared | anonymous]
        if isCounted {
            rules.decide(
                "mmap",
                by: [Argument(3, bits: shared | anonymous | stack), Argument(2, bits: writableCode)],
                cases: uncounted.map { Case([$0], .fail(EPERM)) }
                    + (forbidsCode ? [0, shared, anonymous] : []).map { Case([$0, writableCode], .fail(EPERM)) },
                otherwise: .allow
            )
        }
        rules.add(isCounted ? .fail(EPERM) : .allow, for: ["memfd_create"])
        for name in ["mprotect", "pkey_mprotect"] + (isCounted ? [] : ["mmap"]) {
            if forbidsCode {
                rules.refuse(name, if: Argument(2, bits: writableCode), is: [writableCode])
            } else {
                rules.add(.allow, for: [name])
            }
        }
        // The value 0xFFFFFFFF only reads the personality (personality(2)). Other values can imply READ_IMPLIES_EXEC or
        // disable address space randomization.
        rules.allow("personality", if: Argument(0), is: [0, .max])
    }

    static func addProcessRules(_ permissions: Permissions, to rules: inout RuleList) {
        let isForkServer = permissions.contains(.forkServer)
        let mayFork = isForkServer || permissions.contains(.subprocesses)

        var forbidden = UInt32(bitPattern: CLONE_NEWNS) | UInt32(bitPattern: CLONE_NEWCGROUP)
        for flag in [CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET] {
            forbidden |= UInt32(bitPattern: flag)
        }
        // Forbid CLONE_VFORK to an app that may not start programs. Only posix_spawn(3) and vfork(2) need it, and a
        // fork server calls neither.
        if !permissions.contains(.subprocesses) { forbidden |= UInt32(bitPattern: CLONE_VFORK) }
        // With CLONE_PARENT, the launcher would become the parent of a process that it did not request.
        if !isForkServer { forbidden |= UInt32(bitPattern: CLONE_PARENT) }
        let thread = UInt32(bitPattern: CLONE_THREAD)
        let (compared, permitted) = mayFork ? (forbidden, 0) : (forbidden | thread, thread)
        rules.allow("clone", if: Argument(0, bits: compared), is: [permitted])
        rules.add(mayFork ? .allow : .fail(EPERM), for: ["fork"])
        rules.add(permissions.contains(.subprocesses) ? .allow : .fail(EPERM), for: ["vfork"])
        if isForkServer {
            // A fork server needs clone3 for CLONE_INTO_CGROUP. The flags of clone3 are passed through a pointer, so no
            // rule can compare them. Without this rule, clone3 fails with ENOSYS instead of EPERM, so that glibc
            // creates threads with clone.
            rules.add(.allow, for: ["clone3"])
            rules.allow("unshare", if: Argument(0), is: [thread])
        } else {
            rules.add(.fail(EPERM), for: ["unshare"])
        }

        // A process may change only its own limits, priorities and CPU affinity, because Landlock does not protect
        // other processes of the same user from these changes. The process id 0 refers to the calling process.
        rules.allow("prlimit64", if: Argument(0), is: [0])
        rules.allow("sched_setaffinity", if: Argument(0), is: [0])
        let process = UInt32(PRIO_PROCESS.rawValue)
        rules.decide("setpriority", by: [Argument(0), Argument(1)], cases: [Case([process, 0], .allow)])
        // The first argument of ioprio_set(2) must be IOPRIO_WHO_PROCESS, which is 1. glibc has no header for it.
        rules.decide("ioprio_set", by: [Argument(0), Argument(1)], cases: [Case([1, 0], .allow)])

        // The following options are omitted deliberately: PR_SET_DUMPABLE and PR_SET_PTRACER, which let other processes
        // inspect this process, and PR_SET_MM, PR_SET_CHILD_SUBREAPER, PR_SET_SECUREBITS and PR_CAP_AMBIENT.
        let options = [
            PR_SET_NAME, PR_GET_NAME, PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS,
            PR_GET_DUMPABLE, PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_SET_VMA, PR_CAPBSET_READ, PR_GET_SECCOMP,
            PR_SET_SECCOMP, PR_GET_TID_ADDRESS,
        ]
        rules.allow("prctl", if: Argument(0), is: options.map { UInt32(bitPattern: $0) })
    }

    /// The requests of ioctl(2) with which a process creates a terminal, and sets its modes, size and foreground group.
    /// The numbers are those of ioctl_tty(2), which Swift does not import: TCSETS, TCSETSW, TCSETSF, TCSBRK, TCXONC, TCFLSH,
    /// TIOCSCTTY, TIOCGPGRP, TIOCSPGRP, TIOCOUTQ, TIOCSWINSZ, TIOCNOTTY, TCSBRKP, TIOCGSID, TIOCGPTPEER, TCGETS2, TCSETS2,
    /// TCSETSW2, TCSETSF2, TIOCGPTN and TIOCSPTLCK.
    private static let terminalRequests: [UInt32] = [
        0x5402, 0x5403, 0x5404, 0x5409, 0x540A, 0x540B, 0x540E, 0x540F, 0x5410, 0x5411, 0x5414, 0x5422, 0x5425, 0x5429,
        0x5441, 0x802C_542A, 0x402C_542B, 0x402C_542C, 0x402C_542D, 0x8004_5430, 0x4004_5431,
    ]

    /// The requests of ioctl(2) to drivers of graphics cards, by direction and type: DRM (`d`, drm(7)), KFD of AMD (`K`),
    /// NVIDIA (`F` and `m`), and the buffers and fences that drivers share (`b` and `>`). Only requests of DRM may lack a
    /// direction: others of these types without one belong to consoles and frame buffers.
    private static let graphicsTypes: [UInt32] =
        [0, 1, 2, 3].map { $0 << 30 | 0x6400 }
        + "KFb>".utf8.flatMap { type in [1, 2, 3].map { $0 << 30 | UInt32(type) << 8 } } + [3 << 30 | 0x6D00]
    /// UVM_INITIALIZE and UVM_DEINITIALIZE of NVIDIA's unified memory.
    private static let unifiedMemoryRequests: [UInt32] = [0x3000_0001, 0x3000_0002]

    static func addFileRules(_ permissions: Permissions, to rules: inout RuleList) {
        let changing: Answer = permissions.contains(.metadata) ? .allow : .ask
        rules.add(changing, for: metadata)
        rules.add(permissions.contains(.truncatingByName) ? .allow : .fail(EPERM), for: ["truncate"])

        let requests = [FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, TCGETS, TIOCGWINSZ].map { UInt32($0) }
        let terminals = permissions.contains(.terminals) ? Self.terminalRequests : []
        let graphics = permissions.contains(.graphics)
        let allowed = (requests + terminals + (graphics ? unifiedMemoryRequests : [])).map { Case([$0], .allow) }
        // TIOCSTI and TIOCLINUX insert input into a terminal (CVE-2016-2568). All other requests fail with ENOTTY, as
        // if the file did not support them.
        let refused = [TIOCSTI, TIOCLINUX].map { Case([UInt32($0)], .fail(EPERM)) }
        var tests = [(Argument(1), allowed + refused)]
        if graphics {
            tests.append((Argument(1, bits: 0xC000_FF00), graphicsTypes.map { Case([$0], .allow) }))
            // Requests of NVIDIA's unified memory have the numbers 1 to 127, without a type. Other drivers use only FIBMAP
            // and FIGETBSZ of them.
            tests.append((Argument(1, bits: 0xFFFF_FF80), [Case([0], .allow)]))
        }
        rules.decide("ioctl", by: tests, otherwise: .fail(ENOTTY))

        // F_SETSIG, F_SETOWN and F_SETOWN_EX of fcntl(2) set the number and recipient of a signal that the kernel sends
        // for a descriptor. The second filter's rule for kill does not apply to this signal.
        var refusedCommands: [UInt32] = [8, 10, 15]
        // A process's limits do not include the bytes in a pipe. If a cgroup does not include them either, refuse to
        // enlarge a pipe beyond the default of 64 KiB (F_SETPIPE_SZ).
        if !permissions.contains(.uncountedMemory) { refusedCommands.append(1031) }
        // Refuse commands with which a run could block the owner of a file that a client passed: open file description
        // locks, which outlive the run (F_OFD_SETLK, F_OFD_SETLKW), leases (F_SETLEASE) and notifications (F_NOTIFY).
        // These commands fail with the same error as on a kernel that does not support them. Process locks are allowed,
        // because they are released when the process exits. On a file that is open only for reading, a process lock can
        // only be a read lock.
        let blockingCommands: [UInt32] = [37, 38, 1024, 1026]
        rules.decide(
            "fcntl",
            by: [Argument(1)],
            cases: refusedCommands.map { Case([$0], .fail(EPERM)) }
                + blockingCommands.map { Case([$0], .fail(EINVAL)) },
            otherwise: .allow
        )

        // Forbid the creation of set-user-ID and set-group-ID files. Such a file runs with the id of its owner or
        // group, regardless of the user who executes it, and outside the sandbox, no nosuid mount prevents this.
        let setIDModes = [S_ISUID, S_ISGID, S_ISUID | S_ISGID].map { UInt32($0) }
        let setIDBits = UInt32(S_ISUID | S_ISGID)
        for (name, position) in [("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("fchmodat2", 2), ("creat", 1)] {
            let otherwise = name == "creat" ? .allow : changing
            rules.refuse(name, if: Argument(UInt32(position), bits: setIDBits), is: setIDModes, otherwise: otherwise)
        }
        // The mode is an argument only with O_CREAT or O_TMPFILE. openat2 has no rule and fails with ENOSYS, because
        // its mode is passed through a pointer.
        let creationBits = UInt32(O_CREAT) | 0o20_000_000
        let creationFlags = [UInt32(O_CREAT), 0o20_000_000, creationBits]
        for (name, position) in [("open", 1), ("openat", 2)] {
            rules.decide(
                name,
                by: [Argument(UInt32(position), bits: creationBits), Argument(UInt32(position + 1), bits: setIDBits)],
                cases: creationFlags.flatMap { flags in setIDModes.map { Case([flags, $0], .fail(EPERM)) } },
                otherwise: .allow
            )
        }

        // Permit creating files, pipes and sockets, but not devices. The type 0 means a regular file (mknod(2)).
        let kinds = [0, S_IFREG, S_IFIFO, S_IFSOCK].map { UInt32($0) }
        rules.allow("mknod", if: Argument(1, bits: UInt32(S_IFMT) | setIDBits), is: kinds)
        rules.allow("mknodat", if: Argument(2, bits: UInt32(S_IFMT) | setIDBits), is: kinds)
    }

    static func addSocketRules(_ permissions: Permissions, to rules: inout RuleList) {
        // The kernel's SOCK_TYPE_MASK is 0xF. The bits above it are SOCK_NONBLOCK and SOCK_CLOEXEC (socket(2)).
        let type = Argument(1, bits: 0xF)
        let stream = UInt32(SOCK_STREAM.rawValue)
        let datagram = UInt32(SOCK_DGRAM.rawValue)
        let unix = UInt32(AF_UNIX)

        var cases: [Case] = []
        for domain in [UInt32(AF_INET), UInt32(AF_INET6)] {
            // The protocol 0 means the default. Other protocols of the same socket type, such as SCTP, MPTCP, UDP-Lite
            // and ICMP, are refused.
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

        // Refuse MSG_FASTOPEN, which connects without connect(2) and therefore bypasses Landlock.
        let fastOpen: UInt32 = 0x2000_0000
        for (name, position) in [("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)] {
            rules.refuse(name, if: Argument(UInt32(position), bits: fastOpen), is: [fastOpen])
        }
        // Refuse listen(2) to apps that may not listen. Without an earlier bind(2), it allocates a port, which also
        // bypasses Landlock.
        rules.add(permissions.contains(.listening) ? .allow : .fail(EPERM), for: ["listen"])

        // Refuse socketpair to apps that do not need it. The kernel counts descriptors in flight per user, so one app
        // could exhaust the limit for its user's other apps.
        guard permissions.contains(.subprocesses) || permissions.contains(.tcp) else {
            return rules.add(.fail(EPERM), for: ["socketpair"])
        }
        // Permit only socket types with which both sockets of a pair stay connected to each other. Datagram sockets can
        // send to any address (unix(7)).
        let pairs = [stream, UInt32(SOCK_SEQPACKET.rawValue)].map { Case([unix, $0], .allow) }
        rules.decide("socketpair", by: [Argument(0), type], cases: pairs)
    }
}
