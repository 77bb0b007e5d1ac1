import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests files that a client passes and still has open: the permissions of a run, and possible attacks.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct PassedFileTests {
    private static let file = ["file": ["file": ["index": 0, "name": "file.txt"] as [String: any Sendable]]]

    /// Performs an intent with one descriptor, and returns its outcome.
    private func outcome(
        of intent: String,
        _ app: String = "Probe",
        with descriptor: SharedFileDescriptor,
        _ client: SocketClient
    ) throws -> [String: Any] {
        try client.outcome(of: start(intent, app, with: descriptor, client))
    }

    private func start(
        _ intent: String,
        _ app: String = "Probe",
        with descriptor: SharedFileDescriptor,
        _ client: SocketClient
    ) throws -> String {
        var request = SocketClient.performance(of: intent, Self.file)
        request["app"] = app
        request["files"] = 1
        let answer = try client.ask(request, descriptors: [descriptor])
        return try #require(answer["run"] as? String, "\(answer)")
    }

    /// Wraps a descriptor without closing it later, because the close may hang.
    private func borrowed(_ descriptor: Int32) -> SharedFileDescriptor {
        SharedFileDescriptor(owning: descriptor, closer: { _ in })
    }

    // MARK: File systems that hang

    @Test(
        .enabled(if: HangingFile.obstacle == nil, "\(HangingFile.obstacle ?? "")"),
        arguments: HangingFile.Operation.allCases
    )
    func `a file on a file system that hangs blocks only its own run`(
        _ operation: HangingFile.Operation
    ) throws {
        let hanging = try HangingFile()
        let daemon = try Daemon(
            limits: ["MaxRunsPerApp=1", "Runtime=10min"],
            sandbox: ["DiskMax=20M"],
            sharesLauncher: true
        )
        // Ends the file system before the daemon is stopped, because the daemon's processes may wait for it.
        defer { hanging.end() }
        let ordinary = daemon.folder.appending("digits")
        try Data("123456789".utf8).write(to: ordinary)
        func expectService(_ step: String) throws {
            let run = try daemon.intentctl("run", "Archive/Checksum", "--file", ordinary.path)
            #expect(run.output == "cbf43926\n", "\(step): \(run)")
        }
        let client = try SocketClient(daemon)
        // One run is running, and two are queued.
        let held = try start("HoldFile", with: borrowed(hanging.open()), client)
        let folder = try daemon.runFolder(holding: "go.awaited")
        var queued = try (0..<2).map { _ in try start("WeighFile", with: borrowed(hanging.open()), client) }
        let late = borrowed(try hanging.open())
        if operation == .flush {
            queued.append(try start("WeighFile", with: late, client))
            hanging.closeDescriptors()
        }
        try hanging.hang(in: operation)
        try expectService("while a run holds it")
        if operation != .flush { queued.append(try start("WeighFile", with: late, client)) }
        try expectService("once it is passed")
        #expect(try daemon.intentctl("cancel", queued[0]).code == 0)
        try expectService("once a queued run is cancelled")
        // The run continues, and the processes that inspect its results access the file.
        try Data().write(to: folder.appending(path: "go"))
        switch operation {
        case .getattr, .open, .read, .release:
            #expect(try daemon.intentctl("wait", held).code == 71)
        case .flush:
            // A process finishes exiting only after the close of its files has returned.
            try eventually("the worker is exiting") {
                try expectService("while its worker ends")
                return daemon.workers.keys.contains { ProcessFamily.isEnding($0) }
            }
            try hanging.hang(in: nil)
            #expect(try daemon.intentctl("wait", held).code == 71)
        }
        try expectService("after it")
        hanging.end()
        for run in queued.dropFirst() { _ = try daemon.intentctl("wait", run) }
        try expectService("at the end")
        withExtendedLifetime(client) {}
    }

    // MARK: Read-only

    @Test func `a memory file is accepted only if it is sealed, and a run can only read it`() throws {
        let daemon = try Daemon()
        let client = try SocketClient(daemon)
        let sealed = try MemoryFile.sealed(name: "a test", Array("sealed".utf8)[...])
        let outcome = try outcome(of: "TamperWithFile", with: sealed, client)
        #expect(outcome["value"] as? String == "", "\(outcome)")
        // Without a seal, the owner could still write to it.
        let open = try MemoryFile.unsealed(name: "a test", Array("open".utf8)[...])
        let reading = SharedFileDescriptor(try File.open("/proc/self/fd/\(open.rawValue)"))
        for descriptor in [open, reading] {
            var request = SocketClient.performance(of: "TamperWithFile", Self.file)
            request["files"] = 1
            let error = try #require(try client.ask(request, descriptors: [descriptor])["error"] as? [String: Any])
            #expect((error["message"] as? String)?.contains("is not sealed") == true, "\(error)")
            #expect((error["hint"] as? String)?.contains("F_SEAL_WRITE") == true, "\(error)")
        }
        #expect(try File.read(open.rawValue, upTo: 10, at: 0) == Array("open".utf8))
    }

    @Test(arguments: ["file", "pipe"], ["root", "user"])
    func `a run can neither write nor lock a descriptor that is passed read-only`(kind: String, owner: String) throws {
        let daemon = try Daemon(owner: owner == "root" ? .tester : .ordinaryUser)
        let client = try SocketClient(daemon)
        let daemonUser = try File.status(at: "/proc/\(daemon.number)").owner
        let passed: SharedFileDescriptor
        var others: [SharedFileDescriptor] = []
        let path = daemon.folder.appending("precious").path
        switch kind {
        case "file":
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            chown(path, daemonUser, daemonUser)
            passed = SharedFileDescriptor(try File.open(path))
        default:
            let pipe = try IntentLinux.Pipe()
            fchown(pipe.reading.rawValue, daemonUser, daemonUser)
            try File.write(pipe.writing.rawValue, Array("precious".utf8)[...])
            passed = pipe.reading
            others = [pipe.writing]
        }
        let outcome = try outcome(of: "TamperWithFile", with: passed, client)
        #expect(outcome["value"] as? String == "", "\(outcome)")
        if kind == "file" {
            let own = try File.open(path, O_RDWR)
            #expect(flock(own.rawValue, LOCK_EX | LOCK_NB) == 0)
            #expect(try File.readAll(own.rawValue, limit: 100) == Array("precious".utf8))
        } else {
            #expect(try File.read(passed.rawValue, upTo: 100) == Array("precious".utf8))
        }
        withExtendedLifetime(others) {}
    }

    // MARK: Offsets

    @Test func `each run reads a passed file from its beginning`() throws {
        let daemon = try Daemon()
        let client = try SocketClient(daemon)
        let path = daemon.folder.appending("digits").path
        try Data("123456789".utf8).write(to: URL(fileURLWithPath: path))
        let file = SharedFileDescriptor(try File.open(path))
        #expect(try File.readAll(file.rawValue, limit: 100)?.count == 9)
        for _ in 0..<3 {
            let checksum = try outcome(of: "Checksum", "Archive", with: file, client)
            #expect(checksum["value"] as? String == "cbf43926", "\(checksum)")
            // This intent reads from the descriptor's offset to the end, and then the whole file.
            let measured = try outcome(of: "Measure", with: file, client)
            #expect(measured["value"] as? String == "file.txt public.plain-text 9 9 9", "\(measured)")
        }
        // Concurrent runs have independent offsets.
        let large = try daemon.folder.noise("noise", byteCount: 8 << 20)
        let shared = SharedFileDescriptor(try File.open(large.path))
        let alone = try outcome(of: "Checksum", "Archive", with: shared, client)
        let runs = try (0..<4).map { _ in try start("Checksum", "Archive", with: shared, client) }
        for run in runs {
            let end = try daemon.json("wait", run)
            #expect(end["value"] as? String == alone["value"] as? String, "\(end)")
        }
    }

    // MARK: Results

    @Test func `a run cannot change a result file after it has returned`() throws {
        let daemon = try Daemon(limits: ["Grace=60s"])
        let run = try daemon.detach("Probe/RewriteResult")
        let folder = try daemon.runFolder(holding: "go.awaited")
        let kept = daemon.folder.appending("cache/results/\(run)/0")
        func inode(_ file: URL) -> UInt64? { (try? File.status(at: file.path))?.inode }
        try eventually("a separate copy is kept") {
            guard let copy = inode(kept) else { return false }
            return copy != inode(folder.appending(path: "out"))
        }
        try Data().write(to: folder.appending(path: "go"))
        try eventually("the run has written") { inode(folder.appending(path: "rewritten")) != nil }
        #expect(try String(contentsOf: folder.appending(path: "out"), encoding: .utf8) == "other")
        #expect(try String(contentsOf: kept, encoding: .utf8) == "first")
        // A stop would wait for the end of the grace period.
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
    }

    @Test(.enabled(if: getuid() == 0, "needs root, so that runs have a user of their own"))
    func `a result file that no process can write to is kept without a copy, and changes its owner`() throws {
        let daemon = try Daemon()
        let run = try daemon.detach("Probe/MakeFile", "--place", "here", "--text", "kept")
        #expect(try daemon.intentctl("wait", run).code == 0)
        let status = try File.status(at: daemon.folder.appending("cache/results/\(run)/0").path)
        #expect(status.owner == getuid())
        #expect(status.permissions == 0o444)
    }
}
