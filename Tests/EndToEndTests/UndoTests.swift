import Foundation
import TestSupport
import Testing

/// Runs that undo other runs.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct UndoTests {
    @Test func `the registered undo intent is performed once, as a run with its own record`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        #expect(try daemon.intentctl("run", "Probe/RememberWord", "--word", "keep", "--how", "none").code == 0)
        let done = try daemon.intentctl("run", "Probe/RememberWord", "--word", "oops")
        #expect(done.output == "keep oops\n")
        let run = try #require(done.errors.split(separator: " ").last).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(done.errors.contains("to undo this (Remember oops): intentctl undo \(run)"), "\(done.errors)")
        let undone = try daemon.intentctl("undo", run)
        #expect(undone.code == 0, "\(undone.errors)")
        #expect(undone.output.hasPrefix("keep by "), "\(undone.output)")
        #expect(try daemon.intentctl("run", "Probe/RememberWord", "--word", "oops", "--how", "none").code == 0)
        // A repeated request joins the same undo run, so the new word stays.
        let again = try daemon.intentctl("undo", run)
        #expect(again.output == undone.output)
        #expect(again.errors.contains(try #require(undone.errors.firstMatch(of: /run (\w+) undoes run/)?.1)))
        #expect(
            try daemon.intentctl("run", "Probe/RememberWord", "--word", "end", "--how", "none").output
                == "keep oops end\n"
        )
        let other = String(try #require(undone.errors.firstMatch(of: /run (\w+) undoes run/)?.1))
        let story = try daemon.json("show", other)
        #expect(story["intent"] as? String == "ForgetWord", "\(story)")
        #expect(story["key"] as? String == "undo:\(run)", "\(story)")
    }

    @Test func `a failed or cancelled undo can be repeated, and a successful one is not`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        func remember(_ word: String, how: String = "none") throws {
            #expect(try daemon.intentctl("run", "Probe/RememberWord", "--word", word, "--how", how).code == 0)
        }
        let run = try daemon.detach("Probe/RememberWord", "--word", "oops")
        _ = try daemon.intentctl("wait", run)
        try remember("locked")
        let refused = try daemon.intentctl("undo", run)
        #expect(refused.code == 1, "\(refused.errors)")
        #expect(refused.errors.contains("the run was not undone; retry with 'intentctl undo \(run)'"))
        // The second attempt is a new run, and fails as well. The third is cancelled, and the fourth succeeds.
        #expect(try daemon.intentctl("undo", run).code == 1)
        try remember("stuck")
        try remember("locked", how: "remove")
        let stuck = try daemon.start(["undo", run])
        let third = try daemon.run(in: "running")
        // A concurrent request joins the same run.
        let second = try daemon.start(["undo", run])
        try eventually("the second client follows the same run") { second.errors.contains("run \(third) undoes run") }
        #expect(try daemon.intentctl("cancel", third).code == 0)
        #expect(stuck.exitCode() == 130)
        #expect(second.exitCode() == 130)
        try remember("stuck", how: "remove")
        let worked = try daemon.intentctl("undo", run)
        #expect(worked.code == 0, "\(worked.errors)")
        let fourth = String(try #require(worked.errors.firstMatch(of: /run (\w+) undoes run/)?.1))
        #expect(try daemon.intentctl("undo", run).errors.contains(fourth))
        let story = try daemon.json("show", fourth)
        #expect(story["key"] as? String == "undo:\(run):4", "\(story)")
        #expect(story["retryOf"] as? String == third, "\(story)")
    }

    @Test func `an undo intent with a secret value is not recorded, and the refusal mentions it`() throws {
        let daemon = try Daemon(app: ["State=yes", "[Intent ForgetWord]", "Secret=word"])
        let run = try daemon.detach("Probe/RememberWord", "--word", "hush-hush", "--how", "intent")
        _ = try daemon.intentctl("wait", run)
        let undo = try daemon.intentctl("undo", run)
        #expect(undo.code == 66)
        #expect(undo.errors.contains("contains secret values"), "\(undo.errors)")
    }

    @Test func `undo of a run that registered nothing or only closures is refused with the reason`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        for (how, words) in [("none", "registered no undo action"), ("closure", "it is a closure")] {
            let run = try daemon.detach("Probe/RememberWord", "--word", "a", "--how", how)
            _ = try daemon.intentctl("wait", run)
            let undo = try daemon.intentctl("undo", run)
            #expect(undo.code == 66)
            #expect(undo.errors.contains(words), "\(undo.errors)")
        }
        #expect(try daemon.intentctl("undo", "0000000000").code == 66)
    }
}
