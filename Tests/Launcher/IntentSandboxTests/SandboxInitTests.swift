import CFilterProbe
import CIntentInit
import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests the answers of a sandbox's pid 1, without a sandbox: this process answers, and a child makes the calls.
///
/// The tests are serialized, because pid 1 stores received calls in the memory of its process.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(1))) struct SandboxInitTests: ~Copyable {
    private let directory = TemporaryDirectory()

    /// Makes a call in a child, and returns its errno; 0 on success.
    private func answer(
        _ number: Int,
        _ arguments: [Int],
        in folder: String? = nil,
        isOfRuns: Bool = false,
        owner: Int64 = -1
    ) throws -> Int32 {
        var caller = intentd_caller()
        let arguments = arguments + Array(repeating: 0, count: 6 - arguments.count)
        let result = intentd_probe_start_caller(number, arguments, &caller)
        try #require(result == 0, "no listener: \(Errno(rawValue: -result))")
        answerOne(caller, below: folder ?? "\(directory.path)/granted", isOfRuns: isOfRuns, owner: owner)
        return intentd_probe_end_of_caller(&caller)
    }

    private func answerOne(_ caller: intentd_caller, below folder: String, isOfRuns: Bool, owner: Int64) {
        var waiting = pollfd(fd: caller.listener, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 10_000) == 1)
        folder.withCString { path in
            withUnsafePointer(to: intentd_metadata_rule(path: path, is_of_runs: isOfRuns ? 1 : 0)) { rule in
                var metadata = intentd_metadata(rules: rule, rule_count: 1, has_leaves: 0, owner: owner)
                #expect(intentd_init_answer(caller.listener, &metadata) == 0)
            }
        }
    }

    /// Creates a file below the temporary directory, with its parent folders.
    private func file(_ name: String) throws -> String {
        let path = "\(directory.path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: String(path[..<path.lastIndex(of: "/")!]),
            withIntermediateDirectories: true
        )
        try Data().write(to: URL(filePath: path))
        chmod(path, 0o600)
        return path
    }

    private func mode(_ path: String) throws -> UInt32 { try File.status(at: path).permissions }

    private func changeMode(_ path: String, to mode: Int = 0o644, isOfRuns: Bool = false) throws -> Int32 {
        try path.withCString { (text) throws in
            try answer(Call.fchmodat, [Int(AT_FDCWD), Int(bitPattern: text), mode], isOfRuns: isOfRuns)
        }
    }

    @Test func `the mode of a file below a granted folder can be changed`() throws {
        let path = try file("granted/file")
        #expect(try changeMode(path) == 0)
        #expect(try mode(path) == 0o644)
    }

    @Test func `changes to other files and to the granted folder itself are refused`() throws {
        let granted = try file("granted/file")
        let folder = String(granted.dropLast("/file".count))
        chmod(folder, 0o700)
        for path in [try file("other/file"), try file("granted-too/file"), folder] {
            let before = try mode(path)
            #expect(try changeMode(path, to: 0o755) == EPERM, "\(path)")
            #expect(try mode(path) == before, "\(path)")
        }
    }

    @Test func `a path that leaves the granted folder through a link or dots is judged by its target`() throws {
        let outside = try file("other/file")
        let granted = try file("granted/file")
        let link = "\(directory.path)/granted/link"
        symlink(outside, link)
        #expect(try changeMode(link) == EPERM)
        #expect(try changeMode("\(directory.path)/granted/../other/file") == EPERM)
        #expect(try mode(outside) == 0o600)
        #expect(try changeMode("\(directory.path)/other/../granted/file") == 0)
        #expect(try mode(granted) == 0o644)
    }

    @Test func `a link to itself fails with ELOOP`() throws {
        _ = try file("granted/file")
        let link = "\(directory.path)/granted/loop"
        symlink(link, link)
        #expect(try changeMode(link) == ELOOP)
    }

    @Test func `invalid addresses are refused`() throws {
        for address in [0, 8, Int.max, Int.min, -1] {
            #expect(try answer(Call.fchmodat, [Int(AT_FDCWD), address, 0o644]) == EFAULT, "\(address)")
        }
        let path = try file("granted/file")
        try path.withCString { (text) throws in
            for address in [8, Int.max, Int.min] {
                let arguments = [Int(AT_FDCWD), Int(bitPattern: text), address, 0]
                #expect(try answer(Call.utimensat, arguments) == EFAULT, "\(address)")
            }
        }
    }

    @Test func `a path that is too long, or a name that is too long, is refused`() throws {
        _ = try file("granted/file")
        #expect(try changeMode("/" + String(repeating: "a", count: 8192)) == ENAMETOOLONG)
        #expect(try changeMode("/" + String(repeating: "a", count: 300)) == ENAMETOOLONG)
        #expect(try changeMode("") == ENOENT)
    }

    @Test func `unknown flags, closed descriptors and unknown calls are refused`() throws {
        let path = try file("granted/file")
        try path.withCString { (text) throws in
            let address = Int(bitPattern: text)
            #expect(try answer(Call.fchmodat2, [Int(AT_FDCWD), address, 0o644, 1 << 30]) == EINVAL)
            #expect(try answer(Call.fchmodat, [9999, Int(bitPattern: text) + path.utf8.count - 4, 0o644]) == EBADF)
        }
        #expect(try answer(Call.fchmod, [9999, 0o644]) == EBADF)
        #expect(try answer(Call.getppid, []) == ENOSYS)
        #expect(try mode(path) == 0o600)
    }

    @Test func `no file can become set-user-ID or set-group-ID, or belong to another user than the app's`() throws {
        let path = try file("granted/file")
        #expect(try changeMode(path, to: 0o4755) == EPERM)
        #expect(try changeMode(path, to: 0o2755) == EPERM)
        try path.withCString { (text) throws in
            let user = Int(getuid())
            for (owner, group) in [(0x7fff_0001, -1), (-1, 0x7fff_0001)] {
                let arguments = [Int(AT_FDCWD), Int(bitPattern: text), owner, group, 0]
                #expect(try answer(Call.fchownat, arguments, owner: Int64(user)) == EPERM)
            }
            let own = [Int(AT_FDCWD), Int(bitPattern: text), user, -1, 0]
            #expect(try answer(Call.fchownat, own, owner: Int64(user)) == 0)
        }
        #expect(try mode(path) == 0o600)
    }

    @Test func `a run can change the contents of run folders, but not the folders themselves`() throws {
        let path = try file("granted/7-secret/file")
        let unnumbered = try file("granted/secret/file")
        #expect(try changeMode(path, isOfRuns: true) == 0)
        #expect(try changeMode(String(path.dropLast("/file".count)), isOfRuns: true) == EPERM)
        #expect(try changeMode(unnumbered, isOfRuns: true) == EPERM)
        #expect(try mode(unnumbered) == 0o600)
    }

    @Test func `a call has no effect if its caller exits while the call waits`() throws {
        let path = try file("granted/file")
        try path.withCString { (text) throws in
            var caller = intentd_caller()
            let arguments = [Int(AT_FDCWD), Int(bitPattern: text), 0o644, 0, 0, 0]
            try #require(intentd_probe_start_caller(Call.fchmodat, arguments, &caller) == 0)
            var waiting = pollfd(fd: caller.listener, events: Int16(POLLIN), revents: 0)
            #expect(poll(&waiting, 1, 10_000) == 1)
            kill(caller.process, SIGKILL)
            var ended = siginfo_t()
            #expect(waitid(P_PID, id_t(caller.process), &ended, WEXITED | WNOWAIT) == 0)
            var metadata = intentd_metadata(rules: nil, rule_count: 0, has_leaves: 0, owner: -1)
            #expect(intentd_init_answer(caller.listener, &metadata) <= 0)
            #expect(intentd_probe_end_of_caller(&caller) == -SIGKILL)
        }
        #expect(try mode(path) == 0o600)
    }
}

/// The numbers of system calls. The C library defines them as macros that Swift does not import.
private enum Call {
    #if arch(x86_64)
        static let fchmod = 91
        static let fchownat = 260
        static let fchmodat = 268
        static let utimensat = 280
        static let getppid = 110
    #else
        static let fchmod = 52
        static let fchownat = 54
        static let fchmodat = 53
        static let utimensat = 88
        static let getppid = 173
    #endif
    static let fchmodat2 = 452
}
