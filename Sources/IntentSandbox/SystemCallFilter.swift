import Glibc

/// The system calls that an app may make, as a seccomp(2) program.
///
/// This is the first filter. The launcher loads it right before it executes the app, so it must still permit execve(2),
/// forks by a fork server, and signals. A worker adds a second filter that refuses all three. Calls that are not named
/// here fail with ENOSYS, as on an older kernel, so that libraries fall back. Forbidden calls fail with EPERM. Calls of
/// another instruction set (32-bit, x32) end the process: no honest app makes them.
///
/// A filter sees numbers, not the memory that pointers refer to: mounts, Landlock and the network namespace restrict
/// paths and addresses.
package struct SystemCallFilter: Equatable, Sendable {
    /// Permissions of an app beyond computing and using the files and sockets that it received.
    package struct Permissions: OptionSet, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Creating TCP sockets over IPv4 and IPv6; no other stream protocol, which Landlock's TCP rules would miss.
        package static let tcp = Permissions(rawValue: 1 << 0)
        /// Creating UDP sockets over IPv4 and IPv6, which DNS needs.
        package static let udp = Permissions(rawValue: 1 << 1)
        package static let network: Permissions = [.tcp, .udp]
        /// Listening on the sockets that the app may create.
        package static let listening = Permissions(rawValue: 1 << 5)
        /// Creating stream sockets of unix(7).
        package static let unixSockets = Permissions(rawValue: 1 << 2)
        /// Creating datagram sockets of unix(7).
        package static let unixDatagrams = Permissions(rawValue: 1 << 9)
        /// Starting programs: fork, vfork and posix_spawn(3).
        package static let subprocesses = Permissions(rawValue: 1 << 3)
        /// Forking workers: fork, clone3(2), CLONE_PARENT, and `unshare(CLONE_THREAD)`, which tells whether there are
        /// other threads.
        package static let forkServer = Permissions(rawValue: 1 << 4)
        /// Changing mode, owner and times of every file that the app can name or has received, as far as its user may.
        /// Without this permission, the filter's listener answers each of these calls.
        package static let metadata = Permissions(rawValue: 1 << 6)
        /// Memory that RLIMIT_DATA does not count: shared anonymous memory, memfds, growing stacks. For hosts
        /// where a cgroup limits it, or where no limit applies.
        package static let uncountedMemory = Permissions(rawValue: 1 << 7)
        /// Changing the size of files by name, with truncate(2). Before Landlock 3, no layer protects another run's
        /// files from that; a file that is open for writing was checked when it was opened.
        package static let truncatingByName = Permissions(rawValue: 1 << 8)
    }

    /// The `struct sock_filter` array for `sock_fprog` of seccomp(2), in this machine's byte order.
    package let program: [UInt8]

    /// True if a listener answers some calls. The filter is then loaded with SECCOMP_FILTER_FLAG_NEW_LISTENER.
    package let asks: Bool

    /// The number of instructions in ``program``, for `sock_fprog.len`.
    package var instructionCount: Int { program.count / 8 }

    package init(_ permissions: Permissions) {
        var rules = RuleList()
        for names in [Self.memory, Self.threads, Self.processes, Self.signals, Self.time, Self.waiting] {
            rules.add(.allow, for: names)
        }
        for names in [Self.descriptors, Self.files, Self.sockets, Self.tightening] {
            rules.add(.allow, for: names)
        }
        for names in [Self.otherProcesses, Self.mounts, Self.identity, Self.machine, Self.kernelInterfaces] {
            rules.add(.fail(EPERM), for: names)
        }
        Self.addMemoryRules(permissions, to: &rules)
        Self.addProcessRules(permissions, to: &rules)
        Self.addFileRules(permissions, to: &rules)
        Self.addSocketRules(permissions, to: &rules)
        program = rules.compiled()
        asks = !permissions.contains(.metadata)
    }
}
