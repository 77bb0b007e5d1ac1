import CFilterProbe
import CIntentSeccomp
import Foundation
import FoundationNetworking
import Glibc
import IntentLinux
import IntentSandbox
import TestSupport
import Testing

/// Tests programs with a filter. Each test runs in a separate process, because a filter cannot be removed.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct InstalledFilterTests {
    @Test(arguments: [[], SystemCallFilterTests.all])
    func `the kernel refuses forbidden calls`(_ permissions: SystemCallFilter.Permissions) async {
        await #expect(processExitsWith: .success) { [rawValue = permissions.rawValue as Int] in
            try Probe.install(SystemCallFilter.Permissions(rawValue: rawValue))
            // The fork server of an app that starts programs changes the roots of its workers.
            let exceptions = rawValue == 0 ? [] : ["chroot", "capset"]
            for (name, arguments, code) in Probe.refused where !exceptions.contains(name) {
                #expect(Probe.call(name, arguments) ?? -code == -code, "\(name)\(arguments)")
            }
        }
    }

    @Test func `a fork server can fork and count its threads, but cannot start programs`() async {
        await #expect(processExitsWith: .success) {
            try Probe.install(.forkServer)
            #expect(intentd_probe_fork() == 7)
            #expect(intentd_probe_clone3() == 7)
            #expect(intentd_probe_vfork() == -Int(EPERM))
            // This process has other threads, so the kernel returns EINVAL.
            #expect(Probe.call("unshare", [Int(CLONE_THREAD)]) == -EINVAL)
            #expect(Probe.call("unshare", [Int(CLONE_NEWUSER)]) == -EPERM)
            #expect(Probe.call("clone", [Int(CLONE_NEWUSER) | Int(SIGCHLD)]) == -EPERM)
        }
    }

    @Test func `an app without permission to start programs can start only threads`() async {
        await #expect(processExitsWith: .success) {
            try Probe.install([])
            #expect(intentd_probe_fork() == -Int(EPERM))
            #expect(intentd_probe_vfork() == -Int(EPERM))
            #expect(intentd_probe_clone3() == -Int(ENOSYS))
            #expect(Probe.call("unshare", [Int(CLONE_THREAD)]) == -EPERM)
            #expect(throws: (any Error).self) { try Probe.output("/bin/true") }
            try await Probe.computeOnManyThreads()
        }
    }

    @Test func `programs can be started, and can use files and pipes`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            // As in apps with subprocesses. Without UDP to itself, Foundation's Process may not notice the exit of a
            // child.
            try Probe.install([.subprocesses, .udp, .metadata])
            #expect(intentd_probe_fork() == 7)
            #expect(intentd_probe_vfork() == 7)
            let script = """
                cd "$0" && echo hello > a && cp a b && mkdir c && mv b c/d && ls -l c > /dev/null && rm a \
                && cat c/d | tr a-z A-Z && sort < c/d > e && find . -type f | wc -l && sleep 0.01 && kill -TERM $$
                """
            let (text, code) = try Probe.output("/bin/sh", "-c", script, directory.path)
            #expect(text == "HELLO\n2\n")
            // The shell kills itself at the end.
            #expect(code == SIGTERM)
        }
    }

    @Test func `an app can compute, wait, and read and write files`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            try Probe.install([.metadata])
            try await Probe.computeOnManyThreads()
            try Probe.useFiles(in: directory.path)
            try await Task.sleep(for: .milliseconds(5))
            #expect(Date(timeIntervalSince1970: 0).formatted(.iso8601) == "1970-01-01T00:00:00Z")
            #expect(try JSONDecoder().decode([Int].self, from: JSONEncoder().encode([1, 2])) == [1, 2])
            #expect(Set((0..<100).map { _ in UUID() }).count == 100)
            #expect(ProcessInfo.processInfo.activeProcessorCount > 0)
            #expect("Straße".uppercased(with: Locale(identifier: "de_DE")) == "STRASSE")
            let memory = mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20, -1, 0)
            #expect(memory != MAP_FAILED)
            #expect(mprotect(memory, 1 << 20, PROT_READ | PROT_EXEC) == 0)
            #expect(munmap(memory, 1 << 20) == 0)
            await withCheckedContinuation { continuation in
                let timer = DispatchSource.makeTimerSource()
                timer.schedule(deadline: .now() + .milliseconds(5))
                timer.setEventHandler {
                    timer.cancel()
                    continuation.resume()
                }
                timer.resume()
            }
        }
    }

    @Test func `memory that the process's limits do not include is refused, and other memory is not`() async {
        await #expect(processExitsWith: .success) {
            try Probe.install([])
            #expect(Probe.call("memfd_create", [0, 0]) == -EPERM)
            for flags in [0x21, 0x23, 0x122, 0x102, 0x121] {
                #expect(Probe.call("mmap", [0, 4096, 3, flags, -1, 0]) == -EPERM, "\(flags)")
            }
            let file = try File.open("/proc/self/exe")
            for (flags, descriptor) in [(Int32(0x22), Int32(-1)), (0x1, file.rawValue), (0x2_0022, -1)] {
                #expect(mmap(nil, 4096, PROT_READ, flags, descriptor, 0) != MAP_FAILED, "\(flags)")
            }
            try await Probe.computeOnManyThreads()
        }
    }

    @Test func `sockets can be created as permitted`() async {
        await #expect(processExitsWith: .success) {
            let stream = Int(SOCK_STREAM.rawValue)
            let datagram = Int(SOCK_DGRAM.rawValue)
            try Probe.install([.tcp, .unixSockets])
            for domain in [Int(AF_INET), Int(AF_INET6), Int(AF_UNIX)] {
                // IPv6 may be disabled, so only check that the filter does not refuse the call.
                #expect(Probe.call("socket", [domain, stream | 0x80000, 0]) != -EPERM)
                #expect(Probe.call("socket", [domain, datagram, 0]) == -EPERM)
            }
            #expect(Probe.call("socket", [Int(AF_INET), stream, 132]) == -EPERM)
            #expect(Probe.call("socket", [Int(AF_NETLINK), 3, 0]) == -EPERM)
            let pair = try UnixSocket.Pair(.stream)
            #expect(try UnixSocket.send([1, 2], on: pair.first.rawValue) == 2)
            #expect(try File.read(pair.second.rawValue, upTo: 2) == [1, 2])
        }
    }

    @Test func `a pair of datagram sockets is refused, because it could send to any address`() async {
        await #expect(processExitsWith: .success) {
            try Probe.install(.subprocesses)
            var ends: [Int32] = [-1, -1]
            #expect(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends) == -1 && errno == EPERM)
            #expect(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
            #expect(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) == -1 && errno == EPERM)
            #expect(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) == -1 && errno == EPERM)
        }
    }

    @Test func `an app with the network can read a server's response`() async {
        await #expect(processExitsWith: .success) {
            // The server is in the same process.
            try Probe.install([.network, .listening])
            let server = try Probe.LocalServer()
            let answering = Thread { server.answerOnce(with: "hello from behind the filter") }
            answering.start()
            let url = try #require(URL(string: "http://localhost:\(server.port)/"))
            let (data, _) = try await URLSession.shared.data(from: url)
            #expect(String(decoding: data, as: UTF8.self) == "hello from behind the filter")
        }
    }

    #if arch(x86_64)
        @Test func `a call with an x32 number kills the process`() async {
            await #expect(processExitsWith: .signal(SIGSYS)) {
                try Probe.install([])
                _ = intentd_probe_call(0x4000_0000 + 39, [0, 0, 0, 0, 0, 0])
            }
        }

        @Test func `a 32-bit call kills the process`() async {
            await #expect(processExitsWith: .failure) {
                try Probe.install([])
                _ = intentd_probe_getpid_32bit()
            }
        }
    #endif
}

/// The actions of test processes with a filter.
private enum Probe {
    static func install(_ permissions: SystemCallFilter.Permissions) throws {
        let filter = SystemCallFilter(permissions)
        let result = intentd_probe_install(filter.program, filter.instructionCount)
        guard result == 0 else { throw SystemError("seccomp", code: Errno(rawValue: Int32(-result))) }
    }

    /// Returns the kernel's answer, or nil if this machine does not have the call.
    static func call(_ name: String, _ arguments: [Int]) -> Int32? {
        FilterMachine.number(of: name).map { number in
            Int32(truncatingIfNeeded: intentd_probe_call(Int(number), arguments + [0, 0, 0, 0, 0, 0]))
        }
    }

    /// Refused calls, each with arguments that do no harm if the filter does not refuse the call, even for root.
    static let refused: [(String, [Int], Int32)] = [
        ("acct", [1], EPERM), ("add_key", [], EPERM), ("adjtimex", [], EPERM), ("bpf", [-1], EPERM),
        ("capset", [], EPERM), ("chroot", [], EPERM), ("clock_adjtime", [], EPERM), ("clock_settime", [0, 0], EPERM),
        ("delete_module", [], EPERM), ("fanotify_init", [-1], EPERM), ("fcntl", [-1, 8, 1], EPERM),
        ("fcntl", [-1, 37, 0], EINVAL), ("fcntl", [-1, 38, 0], EINVAL), ("fcntl", [-1, 1024, 0], EINVAL),
        ("fcntl", [-1, 1026, 0], EINVAL), ("flock", [-1, 2], ENOSYS),
        ("finit_module", [-1], EPERM), ("fsopen", [], EPERM), ("init_module", [], EPERM),
        ("io_setup", [], ENOSYS), ("io_uring_setup", [], EPERM), ("ioctl", [0, 0x5412, 0], EPERM),
        ("ioctl", [0, 0x541C, 0], EPERM), ("ioctl", [0, 0x5402, 0], ENOTTY), ("ioperm", [], EPERM),
        ("iopl", [0], EPERM), ("kcmp", [], EPERM), ("kexec_load", [], EPERM), ("keyctl", [-1], EPERM),
        ("mbind", [], EPERM), ("memfd_secret", [-1], EPERM), ("mknod", [0, 0x2000], EPERM),
        ("mknodat", [-1, 0, 0x6000], EPERM), ("mlock", [], EPERM), ("mlockall", [0], EPERM),
        ("mmap", [0, 4096, 6, 0x22, -1, 0], EPERM), ("mount", [], EPERM), ("move_mount", [-1, 0, -1, 0], EPERM),
        ("mprotect", [0, 4096, 7], EPERM), ("name_to_handle_at", [-1], EPERM), ("open_by_handle_at", [-1], EPERM),
        ("open_tree", [-1], EPERM), ("perf_event_open", [], EPERM), ("personality", [0x0040000], EPERM),
        ("pidfd_getfd", [-1, -1], EPERM), ("pidfd_open", [1], EPERM), ("pidfd_send_signal", [-1], EPERM),
        ("pivot_root", [], EPERM), ("prctl", [4, 1], EPERM), ("prctl", [36, 0], EPERM), ("prlimit64", [1, 7], EPERM),
        ("process_madvise", [-1], EPERM), ("process_vm_readv", [1], EPERM), ("process_vm_writev", [1], EPERM),
        ("ptrace", [-1], EPERM), ("quotactl", [-1], EPERM), ("reboot", [0], EPERM), ("request_key", [], EPERM),
        ("rt_sigqueueinfo", [1, 0], EPERM), ("sched_setaffinity", [1, 0, 0], EPERM),
        ("sched_setattr", [0, 0, 0], EPERM), ("sched_setscheduler", [0, 0, 0], EPERM),
        ("setdomainname", [0, -1], EPERM),
        ("setgid", [0], EPERM), ("setgroups", [-1], EPERM), ("sethostname", [0, -1], EPERM), ("setns", [-1], EPERM),
        ("setpriority", [0, 1, 0], EPERM), ("setpriority", [2, 0, 0], EPERM), ("setresuid", [-1, -1, -1], EPERM),
        ("settimeofday", [], EPERM), ("setuid", [0], EPERM), ("shmget", [0, 0, 0], ENOSYS),
        ("socket", [16, 3, 0], EPERM), ("socket", [40, 1, 0], EPERM), ("swapoff", [], EPERM), ("swapon", [], EPERM),
        ("syslog", [-1], EPERM), ("umount2", [], EPERM), ("unshare", [0x1000_0000], EPERM),
        ("unshare", [0x0002_0000], EPERM), ("userfaultfd", [-1], EPERM), ("vmsplice", [-1], ENOSYS),
    ]

    /// Runs a program until it exits. Returns its output, and its exit code or signal.
    static func output(_ program: String, _ arguments: String...) throws -> (String, Int32) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Foundation.Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    static func computeOnManyThreads() async throws {
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...64 { group.addTask { number } }
            return await group.reduce(0, +)
        }
        #expect(sum == 64 * 65 / 2)
        let semaphore = DispatchSemaphore(value: 0)
        for _ in 0..<8 {
            let thread = Thread {
                usleep(1000)
                semaphore.signal()
            }
            thread.start()
        }
        let waiting = Thread { for _ in 0..<8 { semaphore.wait() } }
        waiting.start()
        while !waiting.isFinished { try await Task.sleep(for: .milliseconds(1)) }
    }

    static func useFiles(in directory: String) throws {
        let manager = FileManager.default
        let folder = URL(filePath: directory)
        let file = folder.appending(path: "file")
        try Data("content".utf8).write(to: file, options: .atomic)
        try manager.copyItem(at: file, to: folder.appending(path: "copy"))
        try manager.moveItem(at: folder.appending(path: "copy"), to: folder.appending(path: "moved"))
        try manager.createSymbolicLink(at: folder.appending(path: "link"), withDestinationURL: file)
        try manager.createDirectory(at: folder.appending(path: "sub/folder"), withIntermediateDirectories: true)
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        #expect(try manager.attributesOfItem(atPath: file.path)[.size] as? Int == 7)
        #expect(try String(contentsOf: folder.appending(path: "link"), encoding: .utf8) == "content")
        #expect(try manager.contentsOfDirectory(atPath: directory).sorted() == ["file", "link", "moved", "sub"])
        let handle = try FileHandle(forUpdating: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("!".utf8))
        try handle.synchronize()
        try handle.close()
        #expect(try Data(contentsOf: file, options: .mappedIfSafe).count == 8)
        try manager.removeItem(at: folder.appending(path: "sub"))
    }

    /// An HTTP server at this machine's loopback address.
    struct LocalServer {
        let port: UInt16
        private let socket: Int32

        init() throws {
            let socket = try syscall("socket") { Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var byteCount = socklen_t(MemoryLayout<sockaddr_in>.size)
            try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic throws in
                    try syscall("bind") { bind(socket, generic, byteCount) }
                    try syscall("listen") { listen(socket, 4) }
                    try syscall("getsockname") { getsockname(socket, generic, &byteCount) }
                }
            }
            self.socket = socket
            port = UInt16(bigEndian: address.sin_port)
        }

        func answerOnce(with text: String) {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return }
            defer { close(connection) }
            // One read receives the whole request. Its contents are ignored.
            _ = try? File.read(connection, upTo: 4096)
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)"
            // Ignore a failure, because the client reports an incomplete answer.
            try? File.write(connection, Array(answer.utf8)[...])
        }
    }
}
