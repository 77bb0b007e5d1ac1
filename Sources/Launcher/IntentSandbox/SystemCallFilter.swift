import Glibc

/// A seccomp(2) program that determines which system calls an app may make.
///
/// This is a process's first filter. It is loaded immediately before the app is executed, so it must still permit
/// execve(2), forks by a fork server, and signals to other processes. A worker adds a second filter that refuses all
/// three, unless the app may start programs. Calls that the filter does not list fail with ENOSYS, as on an older
/// kernel, so that libraries use their fallbacks. Forbidden calls fail with EPERM. Calls of another ABI (32-bit, x32)
/// kill the process, because no legitimate app makes them.
///
/// A filter inspects only the arguments of a call, not the memory that pointers refer to. Mounts, Landlock and the
/// network namespace therefore restrict paths and addresses.
package struct SystemCallFilter: Equatable, Sendable {
    /// An app's permissions beyond computing and using the files and sockets that were passed to it.
    package struct Permissions: OptionSet, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Permits creating TCP sockets over IPv4 and IPv6. Other stream protocols remain forbidden, because Landlock's
        /// TCP rules do not cover them.
        package static let tcp = Permissions(rawValue: 1 << 0)
        /// Permits creating UDP sockets over IPv4 and IPv6, which DNS needs.
        package static let udp = Permissions(rawValue: 1 << 1)
        package static let network: Permissions = [.tcp, .udp]
        /// Permits listening on the sockets that the app may create.
        package static let listening = Permissions(rawValue: 1 << 5)
        /// Permits creating Unix stream sockets (unix(7)).
        package static let unixSockets = Permissions(rawValue: 1 << 2)
        /// Permits creating Unix datagram sockets (unix(7)).
        package static let unixDatagrams = Permissions(rawValue: 1 << 9)
        /// Permits starting programs with fork, vfork and posix_spawn(3).
        package static let subprocesses = Permissions(rawValue: 1 << 3)
        /// Permits forking workers: fork, clone3(2), CLONE_PARENT, and `unshare(CLONE_THREAD)`, which fails if the
        /// process has other threads.
        package static let forkServer = Permissions(rawValue: 1 << 4)
        /// Permits changing the mode, owner and times of all files that the app can open by path or has received, as
        /// far as the kernel permits the app's user to do so. Without this permission, the filter's listener decides
        /// each call.
        package static let metadata = Permissions(rawValue: 1 << 6)
        /// Permits memory that RLIMIT_DATA does not include: shared anonymous memory, memfds and growing stacks.
        /// Intended for hosts on which a cgroup limits this memory, and for apps without a memory limit.
        package static let uncountedMemory = Permissions(rawValue: 1 << 7)
        /// Permits changing the size of files by path with truncate(2). Before version 3, Landlock does not protect
        /// another run's files from this call. ftruncate(2) is always permitted, because Landlock checks a file when it
        /// is opened for writing.
        package static let truncatingByName = Permissions(rawValue: 1 << 8)
        /// Permits creating and controlling terminals (ioctl_tty(2)).
        package static let terminals = Permissions(rawValue: 1 << 10)
        /// Permits the requests of ioctl(2) to drivers of graphics cards.
        package static let graphics = Permissions(rawValue: 1 << 11)
        /// Permits memory that is both writable and executable, for programs that generate code at run time.
        package static let generatedCode = Permissions(rawValue: 1 << 12)
    }

    /// The `struct sock_filter` array for `sock_fprog` of seccomp(2), in this machine's byte order.
    package let program: [UInt8]

    /// True if a listener decides some calls. The filter is then loaded with SECCOMP_FILTER_FLAG_NEW_LISTENER.
    package let needsListener: Bool

    /// The number of instructions in ``program``, for `sock_fprog.len`.
    package var instructionCount: Int { program.count / 8 }

    package init(_ permissions: Permissions) {
        var rules = RuleList()
        rules.add(.allow, for: Self.memory + Self.threads + Self.processes + Self.signals + Self.time + Self.polling)
        rules.add(.allow, for: Self.descriptors + Self.files + Self.sockets + Self.selfRestriction)
        // A worker of an app that starts programs changes to its own root, and drops the capability to do so.
        let rootChange = permissions.isSuperset(of: [.forkServer, .subprocesses]) ? ["chroot", "capset"] : []
        rules.add(.allow, for: rootChange)
        let refused = Self.otherProcesses + Self.mounts + Self.identity
        rules.add(.fail(EPERM), for: refused.filter { !rootChange.contains($0) })
        rules.add(.fail(EPERM), for: Self.machine + Self.kernelInterfaces)
        Self.addMemoryRules(permissions, to: &rules)
        Self.addProcessRules(permissions, to: &rules)
        Self.addFileRules(permissions, to: &rules)
        Self.addSocketRules(permissions, to: &rules)
        program = rules.compiled()
        needsListener = !permissions.contains(.metadata)
    }
}
