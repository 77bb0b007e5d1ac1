import Foundation
import Glibc
import TestSupport
import Testing

/// Tests users who lose a permission between the request for a run, or its schedule, and its start.
@Suite(.ownThread, .timeLimit(.minutes(5)), .enabled(if: Daemon.canBecomeOthers, "needs root to act as several users"))
struct RevocationTests {
    private static let user: UInt32 = 42_001
    private static let other: UInt32 = 42_002

    private func permit(_ users: UInt32..., in daemon: Daemon) throws {
        let names = users.map(String.init).joined(separator: " ")
        let text = "[Sandbox]\nSubprocesses=yes\n[Access]\nAllowUsers=\(names)\n"
        try Data(text.utf8).write(to: daemon.folder.appending("units/Probe.conf"))
    }

    private func detach(_ daemon: Daemon, as user: UInt32, _ arguments: String...) throws -> String {
        let command = try daemon.start(as: user, ["run", "--detach"] + arguments)
        try #require(command.exitCode() == 0, "\(command.errors)")
        return command.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A daemon with one slot, which a run of root has, and runs of two users that wait for it.
    private func waiting(sharesLauncher: Bool = false) throws -> (Daemon, slow: String, lost: String, kept: String) {
        let daemon = try Daemon(configuration: ["MaxRuns=1"], sharesLauncher: sharesLauncher)
        try daemon.admitEverybody()
        try permit(Self.user, Self.other, in: daemon)
        #expect(try daemon.intentctl("reload").code == 0)
        let slow = try daemon.intentctl("run", "--detach", "--limit", "9min", "Probe/Slow", "--seconds", "600")
        let lost = try detach(daemon, as: Self.user, "Probe/Echo", "--text", "lost")
        let kept = try detach(daemon, as: Self.other, "Probe/Echo", "--text", "kept")
        return (daemon, slow.output.trimmingCharacters(in: .whitespacesAndNewlines), lost, kept)
    }

    private func check(_ lost: String, _ kept: String, in daemon: Daemon) throws {
        #expect(try daemon.intentctl("wait", kept).output == "kept\n")
        let ended = try daemon.intentctl("wait", lost)
        #expect(ended.code != 0 && ended.errors.contains("you may not run"), "\(ended)")
        let changes = try daemon.json("show", lost)["changes"] as? [[String: Any]] ?? []
        #expect(!changes.contains { $0["state"] as? String == "starting" }, "\(changes)")
    }

    @Test func `a waiting run does not start after a reload that takes away its user's permission`() throws {
        let (daemon, slow, lost, kept) = try waiting()
        try permit(Self.other, in: daemon)
        #expect(try daemon.intentctl("reload").code == 0)
        #expect(try daemon.intentctl("cancel", slow).code == 0)
        try check(lost, kept, in: daemon)
        // A schedule makes a request of its own for each start.
        #expect(try daemon.intentctl(as: Self.user, "run", "--no-input", "Probe/Echo", "--text", "a").code == 77)
    }

    @Test func `a later intentd does not start a waiting run if its user has lost the permission meanwhile`() throws {
        let (daemon, slow, lost, kept) = try waiting(sharesLauncher: true)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        try permit(Self.other, in: daemon)
        let next = try Daemon(after: daemon)
        #expect(try next.intentctl("cancel", slow).code == 0)
        try check(lost, kept, in: next)
    }
}
