import Foundation
import Glibc
import TestSupport
import Testing

/// Tests the confirmation of runs by a second user (`Confirm=`).
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root to act as several users"))
struct ConfirmTests {
    private let daemon: Daemon
    private let confirmer: UInt32 = 42_425

    init() throws {
        daemon = try Daemon(app: ["[Access]", "Confirm=other", "[Intent AskSomething]", "Confirm=other"])
        // The operator decides which users may connect. Here every user may.
        chmod(daemon.folder.url.path, 0o755)
        chmod(daemon.socket, 0o666)
        let copy = daemon.folder.appending("bin/intentctl")
        try Programs.install(Programs.intentctl, as: copy)
    }

    private func asConfirmer(_ words: String...) throws -> (code: Int32, output: String, errors: String) {
        let command = try Command(
            URL(filePath: "/usr/bin/setpriv"),
            [
                "--reuid=\(confirmer)", "--regid=\(confirmer)", "--clear-groups", "--",
                daemon.folder.appending("bin/intentctl").path, "--socket", daemon.socket,
            ] + words
        )
        let code = command.exitCode()
        return (code, command.output, command.errors)
    }

    @Test func `another user must confirm; the caller cannot, in advance or later`() throws {
        let running = try daemon.start(["run", "--yes=destructive", "Probe/AskSomething", "--way", "confirm"])
        let run = try daemon.run(in: "asking")
        try running.waitFor("another user must answer it")
        let own = try daemon.intentctl("answer", run, "yes")
        #expect(own.code == 77, "\(own.errors)")
        #expect(own.errors.contains("Confirm="))
        let seen = try asConfirmer("ps")
        #expect(seen.output.contains(run), "\(seen.output) \(seen.errors)")
        #expect(seen.output.contains("asks: Order it?"))
        // The confirming user can access the question, but nothing else of the run.
        #expect(try asConfirmer("watch", run).code == 66)
        #expect(try asConfirmer("cancel", run).code == 66)
        #expect(try asConfirmer("answer", run).output.contains("Order it?"))
        #expect(try asConfirmer("answer", run, "yes").code == 0)
        #expect(running.exitCode() == 0)
        #expect(running.output == "ordered\n")
        let changes = try daemon.json("show", run)["changes"] as? [[String: Any]] ?? []
        let answer = try #require(changes.first { $0["kind"] as? String == "answer" })
        #expect(answer["user"] as? Int == Int(confirmer))
        #expect(answer["value"] as? Bool == true)
        #expect(try asConfirmer("ps").output.contains(run) == false)
    }

    @Test func `other questions can be answered only by the owner`() throws {
        let running = try daemon.start(["run", "Probe/AskSomething", "--way", "value"])
        let run = try daemon.run(in: "asking")
        #expect(try asConfirmer("answer", run, "3").code == 66)
        #expect(try daemon.intentctl("answer", run, "3").code == 0)
        #expect(running.exitCode() == 0)
    }

    @Test func `root can answer a question of another user's run`() throws {
        let started = try asConfirmer("run", "--detach", "Probe/AskSomething", "--way", "value")
        #expect(started.code == 0, "\(started.errors)")
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        try eventually("root sees the question") {
            try daemon.intentctl("ps").output.contains("of \(confirmer): asks:")
        }
        #expect(try daemon.intentctl("answer", run, "4").code == 0)
        #expect(try asConfirmer("wait", run).output == "4\n")
    }
}
