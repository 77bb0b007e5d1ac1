import Foundation
import Glibc
import Testing

/// Root, the one who asked, and a stranger, at every verb.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Daemon.canBecomeOthers, "needs root, to be three users"))
struct RightsTests {
    private static let owner: UInt32 = 42_001
    private static let stranger: UInt32 = 42_002

    @Test func `to a stranger a run is one that is not there, at every verb, and root may what root may`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        try daemon.admitEverybody()
        let slow = try detach(daemon, "Probe/Slow", "--seconds", "30")
        let asking = try detach(daemon, "Probe/AskSomething", "--way", "value")
        let withFile = try detach(daemon, "Probe/MakeFile", "--place", "memory")
        let undoable = try detach(daemon, "Probe/RememberWord", "--word", "a")
        for run in [withFile, undoable] {
            #expect(try daemon.intentctl(as: Self.owner, "watch", "--no-input", run).code == 0)
        }
        try eventually("it asks") {
            try daemon.intentctl(as: Self.owner, "answer", asking).code == 0
        }

        // Words about a run that is somebody else's and words about none are the same but for its name.
        func checkUnseen(_ verb: [String], _ run: String) throws {
            let other = try daemon.start(as: Self.stranger, verb.map { $0 == "RUN" ? run : $0 })
            let none = try daemon.start(as: Self.stranger, verb.map { $0 == "RUN" ? "0000000000" : $0 })
            #expect(other.exitCode() == 66, "\(verb): \(other.output) \(other.errors)")
            #expect(none.exitCode() == 66, "\(verb)")
            #expect(other.errors.replacing(run, with: "0000000000") == none.errors, "\(verb)")
            #expect(other.output == none.output, "\(verb)")
        }
        for verb in ["watch", "wait", "cancel", "show", "why", "logs", "fetch", "undo"] {
            for run in [slow, asking, withFile, undoable] { try checkUnseen([verb, "RUN"], run) }
        }
        for run in [slow, asking, withFile] {
            try checkUnseen(["answer", "RUN"], run)
            try checkUnseen(["answer", "RUN", "4"], run)
            try checkUnseen(["run", "--retry-of", "RUN", "Probe/Echo", "--text", "a"], run)
        }
        let seen =
            try daemon.intentctl(as: Self.stranger, "ps").output
            + daemon.intentctl(as: Self.stranger, "history").output
        for run in [slow, asking, withFile, undoable] { #expect(!seen.contains(run), "\(seen)") }

        // Root sees, hears, answers, ends and has files; what takes a run back is for who asked.
        let all = try daemon.intentctl("ps").output
        #expect(all.contains(slow) && all.contains(asking))
        for verb in ["show", "why", "logs"] { #expect(try daemon.intentctl(verb, slow).code == 0, "\(verb)") }
        #expect(try daemon.intentctl("answer", asking, "4").code == 0)
        #expect(try daemon.intentctl("wait", asking).output == "4\n")
        let out = try daemon.makeFolder("out")
        #expect(try daemon.intentctl("fetch", "--keep", "--out", out.path, withFile).code == 0)
        let undo = try daemon.intentctl("undo", undoable)
        #expect(undo.code == 77, "\(undo.errors)")
        #expect(try daemon.intentctl("cancel", slow).code == 0)

        // Who asked may all of it.
        #expect(try daemon.intentctl(as: Self.owner, "wait", slow).code == 130)
        for verb in ["show", "why", "logs"] {
            #expect(try daemon.intentctl(as: Self.owner, verb, slow).code == 0, "\(verb)")
        }
        #expect(try daemon.intentctl(as: Self.owner, "fetch", withFile).code == 0)
        #expect(try daemon.intentctl(as: Self.owner, "undo", undoable).code == 0)
        let another = try detach(daemon, "Probe/Slow", "--seconds", "30")
        #expect(try daemon.intentctl(as: Self.owner, "ps").output.contains(another))
        #expect(try daemon.intentctl(as: Self.owner, "cancel", another).code == 0)
    }

    @Test func `an intent that requires authentication is for those whom the operator named`() throws {
        let daemon = try Daemon(app: ["[Intent NeedsNaming]", "AllowUsers=\(Self.owner)", "AllowGroups=42042"])
        try daemon.admitEverybody()
        #expect(try daemon.intentctl(as: Self.owner, "run", "Probe/NeedsNaming").output == "named\n")
        #expect(try daemon.intentctl(as: Self.stranger, groups: [42_042], "run", "Probe/NeedsNaming").code == 0)
        let refused = try daemon.intentctl(as: Self.stranger, "run", "Probe/NeedsNaming")
        #expect(refused.code == 77)
        #expect(refused.errors.contains("you may not run Probe/NeedsNaming"))
        // Nobody is named for this one, so it is for nobody but the operator.
        let unnamed = try daemon.intentctl(as: Self.owner, "run", "Probe/NeedsPresence")
        #expect(unnamed.code == 77)
        #expect(unnamed.errors.contains("AllowUsers="), "\(unnamed.errors)")
    }

    @Test func `an intent that requires somebody at the machine says so to who is not`() throws {
        let daemon = try Daemon(app: ["[Intent NeedsPresence]", "AllowUsers=\(Self.owner)"])
        try daemon.admitEverybody()
        let refused = try daemon.intentctl(as: Self.owner, "run", "Probe/NeedsPresence")
        #expect(refused.code == 77)
        #expect(refused.errors.contains("no active session here"), "\(refused.errors)")
    }

    @Test func `a user who floods the queue does not keep another one waiting`() throws {
        let daemon = try Daemon(configuration: ["MaxRuns=2", "MaxQueued=40"])
        try daemon.admitEverybody()
        var flood: [Command] = []
        for _ in 0..<15 {
            flood.append(try daemon.start(as: Self.stranger, ["run", "--detach", "Probe/Slow", "--seconds", "1"]))
        }
        for command in flood { #expect(command.exitCode() == 0, "\(command.errors)") }
        let load = try daemon.json("status")
        #expect(try #require(load["queued"] as? Int ?? load["queuedCount"] as? Int) > 5, "\(load)")
        // His is done while most of the flood still waits.
        let run = try daemon.intentctl(as: Self.owner, "run", "Probe/Echo", "--text", "mine")
        #expect(run.output == "mine\n", "\(run.errors)")
        let after = try daemon.json("status")
        #expect(try #require(after["queued"] as? Int ?? after["queuedCount"] as? Int) > 5, "\(after)")
        for line in try daemon.json("ps")["runs"] as? [[String: Any]] ?? [] {
            _ = try daemon.intentctl("cancel", try #require(line["run"] as? String))
        }
    }

    private func detach(_ daemon: Daemon, _ arguments: String...) throws -> String {
        let command = try daemon.start(as: Self.owner, ["run", "--detach"] + arguments)
        try #require(command.exitCode() == 0, "\(command.errors)")
        return command.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
