import Foundation
import Testing

/// Runs that take back what another one did.
@Suite(.timeLimit(.minutes(5))) struct UndoTests {
    @Test func `what a run registered takes it back, once, in a worker of its own, with a record of its own`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        #expect(try daemon.intentctl("run", "Probe/RememberWord", "--word", "keep", "--how", "none").code == 0)
        let done = try daemon.intentctl("run", "Probe/RememberWord", "--word", "oops")
        #expect(done.output == "keep oops\n")
        let run = try #require(done.errors.split(separator: " ").last).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(done.errors.contains("it can be taken back (Remember oops): intentctl undo \(run)"), "\(done.errors)")
        let undone = try daemon.intentctl("undo", run)
        #expect(undone.code == 0, "\(undone.errors)")
        #expect(undone.output.hasPrefix("keep by "), "\(undone.output)")
        #expect(try daemon.intentctl("run", "Probe/RememberWord", "--word", "oops", "--how", "none").code == 0)
        // Asked again, it is the same run: the new word stays.
        let again = try daemon.intentctl("undo", run)
        #expect(again.output == undone.output)
        #expect(again.errors.contains(try #require(undone.errors.firstMatch(of: /undone by run (\w+)/)?.1)))
        #expect(
            try daemon.intentctl("run", "Probe/RememberWord", "--word", "end", "--how", "none").output
                == "keep oops end\n"
        )
        let other = String(try #require(undone.errors.firstMatch(of: /undone by run (\w+)/)?.1))
        let story = try daemon.json("show", other)
        #expect(story["intent"] as? String == "ForgetWord", "\(story)")
        #expect(story["key"] as? String == "undo:\(run)", "\(story)")
    }

    @Test func `a run that registered nothing, or what ended with its process, says so`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        for (how, words) in [("none", "registered nothing"), ("closure", "closures alone")] {
            let run = try daemon.detach("Probe/RememberWord", "--word", "a", "--how", how)
            _ = try daemon.intentctl("wait", run)
            let undo = try daemon.intentctl("undo", run)
            #expect(undo.code == 66)
            #expect(undo.errors.contains(words), "\(undo.errors)")
        }
        #expect(try daemon.intentctl("undo", "0000000000").code == 66)
    }
}
