import Foundation
import Glibc
import TestSupport
import Testing

/// Apps that attack the daemon, its launcher or other users' files.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct HostileAppTests {
    private static let returned = #""ending":{"kind":"returned","value":{"file":{"index":0,"name":"a.txt"}}}"#

    @Test(arguments: [
        // A path over the limit; a missing one within it; and paths with bytes that JSON encodes in six.
        (#"{"type":"finished",\#(returned),"files":[{"path":"%"}]}"#, "long/", 1000, "violated"),
        (#"{"type":"finished",\#(returned),"files":[{"path":"%"}]}"#, "long/", 200, "failed"),
        (#"{"type":"finished",\#(returned),"files":[{"path":"%"}]}"#, "x", 1000, "failed"),
        (#"{"type":"finished",\#(returned),"files":[{"path":"%"}]}"#, #"\u0001"#, 1000, "failed"),
        (#"{"type":"finished",\#(returned),"files":[{"path":"%"}]}"#, #"\u0000"#, 1000, "failed"),
    ])
    func `a result file with a long path fails the run with a reason, and the launcher survives`(
        _ payload: String,
        _ pattern: String,
        _ count: Int,
        _ kind: String
    ) throws {
        let daemon = try Daemon()
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        let run = try client.perform("Raw", ["payload": payload, "pattern": pattern, "count": count])
        let outcome = try client.outcome(of: run)
        #expect(outcome["kind"] as? String == kind, "\(outcome)")
        #expect((outcome["message"] as? String)?.isEmpty == false, "\(outcome)")
        try expectService(of: daemon, with: launcher)
    }

    @Test func `sixteen long paths fit into one command to the launcher`() throws {
        let daemon = try Daemon()
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        let values = (0..<16).map { #"{"file":{"index":\#($0),"name":"a.txt"}}"# }.joined(separator: ",")
        let paths = [String](repeating: #"{"path":"%"}"#, count: 16).joined(separator: ",")
        let payload = #"{"type":"finished","ending":{"kind":"returned","value":[\#(values)]},"files":[\#(paths)]}"#
        let run = try client.perform("Raw", ["payload": payload, "pattern": #"\u0001"#, "count": 1024])
        let outcome = try client.outcome(of: run)
        #expect(outcome["kind"] as? String == "failed", "\(outcome)")
        try expectService(of: daemon, with: launcher)
    }

    @Test(arguments: [("/", 126_000), (#"\u0001"#, 21_000), ("\u{2028}", 42_000)])
    func `a value that grows when it is encoded again reaches its client completely`(
        _ pattern: String,
        _ count: Int
    ) throws {
        let daemon = try Daemon()
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        let payload = #"{"type":"finished","ending":{"kind":"returned","value":"%"},"files":[]}"#
        let run = try client.perform("Raw", ["payload": payload, "pattern": pattern, "count": count])
        let outcome = try client.outcome(of: run)
        #expect(outcome["kind"] as? String == "done", "\(outcome)")
        #expect((outcome["value"] as? String)?.unicodeScalars.count == count)
        try expectService(of: daemon, with: launcher)
    }

    @Test(.enabled(if: getuid() == 0, "needs root to create a file that the run may not read"))
    func `a result file that is a hard link to a foreign file is refused`() throws {
        let daemon = try Daemon()
        let launcher = try daemon.launcher()
        let secret = daemon.folder.appending("secret.txt")
        try Data("confidential".utf8).write(to: secret)
        chmod(secret.path, 0o600)
        let client = try SocketClient(daemon)
        let payload = #"{"type":"finished",\#(Self.returned),"files":[{"path":"made.txt"}]}"#
        let run = try client.perform("Raw", ["payload": payload, "awaited": "made.txt"])
        // The test creates the link. Without fs.protected_hardlinks, the run itself could.
        let made = try daemon.runFolder(holding: "made.txt.awaited").appending(path: "made.txt")
        try #require(link(secret.path, made.path) == 0, "link(2): \(errno)")
        let outcome = try client.outcome(of: run)
        #expect(outcome["kind"] as? String == "failed", "\(outcome)")
        #expect((outcome["message"] as? String)?.contains("is not a regular file of the run") == true, "\(outcome)")
        // The link is removed with the run, and the file is unchanged.
        try eventually("the run's folder is removed") { daemon.isCleared }
        #expect(daemon.folder.text("secret.txt") == "confidential")
        try expectService(of: daemon, with: launcher)
    }

    @Test(arguments: [false, true])
    func `a run cannot extend its limit by tracing itself`(_ escapes: Bool) throws {
        let daemon = try Daemon(limits: ["Runtime=700ms", "Grace=200ms", "KillDelay=200ms"])
        let run = try daemon.intentctl("run", "Probe/TraceSelf", "--escapes=\(escapes)")
        #expect(run.code == 124, "\(run.errors)")
        try eventually("no worker is left") { daemon.workers.isEmpty }
        if !run.errors.contains("traced: true") { try skipTest("the kernel does not permit tracing the worker") }
    }

    @Test(arguments: [Daemon.Owner.tester, .ordinaryUser])
    func `a deep tree of locked folders is removed with its run`(_ owner: Daemon.Owner) throws {
        let daemon = try Daemon(limits: ["Spare=0"], owner: owner)
        let launcher = try daemon.launcher()
        let run = try daemon.intentctl("run", "Probe/DeepTree")
        // The measurement of disk usage may end the run earlier. Its folder must be removed in that case, too.
        #expect(run.output == "400\n" || [70, 71].contains(run.code), "\(run.errors)")
        try eventually("the run folder is removed: \(daemon.runFolders)") { daemon.isCleared }
        try expectService(of: daemon, with: launcher)
    }

    private func expectService(of daemon: Daemon, with launcher: Int32) throws {
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
        #expect(daemon.isRunning)
        #expect(try daemon.launcher() == launcher)
    }
}
