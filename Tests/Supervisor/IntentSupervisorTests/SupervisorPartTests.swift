import Glibc
import IntentDaemon
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd
import TestSupport
import Testing

@testable import IntentSupervisor

/// Parts that use the launcher, the history or the loop, without a supervisor.
@Suite(.timeLimit(.minutes(1))) struct SupervisorPartTests {
    @Test func `a launcher of another version counts as disconnected, and the reason names the version`() throws {
        let parts = try SupervisorParts()
        let hello = Hello(protocolVersion: 99, software: "another")
        try parts.report(.hello(hello, isolation: Isolation(grade: .none, parts: []), process: nil))
        _ = try parts.loop.run()
        #expect(parts.launcherEnd?.contains("version 99") == true)
        #expect(parts.reports.isEmpty)
    }

    @Test func `a worker of an unknown slot is killed and its slot released`() throws {
        let parts = try SupervisorParts()
        let slot = SlotID(number: 5)
        parts.workers.launched(slot, 1, Isolation(grade: .none, parts: []), [])
        #expect(try parts.commands().map(\.command) == [.signal(slot: slot, .kill), .release(slot: slot)])
        #expect(parts.workers[slot] == nil)
    }

    @Test(arguments: [(.stopped, 0), (.launcherLost, 1)] as [(RunTable.QuitCause, Int32)])
    func `without clients the loop ends at once, with an exit code for the cause`(
        cause: RunTable.QuitCause,
        code: Int32
    ) throws {
        let parts = try SupervisorParts()
        let ending = Ending(
            of: nil,
            on: parts.loop,
            journal: parts.journal,
            decisions: parts.decisions,
            launcher: parts.launcher,
            clients: parts.clients,
            leavesRuns: { false }
        )
        ending.quit(cause)
        #expect(try parts.loop.run() == code)
        #expect(ending.successor == nil)
        // The service is not stopping and the launcher did not receive 'quit', so its exit is a loss.
        #expect(!ending.launcherExited())
    }

    @Test func `after a stop without a signal, no other program takes over`() throws {
        let parts = try SupervisorParts()
        let ending = Ending(
            of: nil,
            on: parts.loop,
            journal: parts.journal,
            decisions: parts.decisions,
            launcher: parts.launcher,
            clients: parts.clients,
            leavesRuns: { true }
        )
        #expect(!ending.hasBegun)
        ending.stop()
        #expect(ending.hasBegun)
    }

    @Test func `a program takes over only from versions that it can read`() throws {
        let own = Takeover.own.arguments
        #expect(try #require(Takeover(parsing: own)).isPossible)
        let (notes, history) = (own[1], try #require(Int64(own[2])))
        // An older history is converted; a newer one, other notes, and text are refused.
        #expect(try #require(Takeover(parsing: [own[0], notes, "0"])).isPossible)
        for arguments in [
            [own[0], notes, "\(history + 1)"], [own[0], notes, "-1"], [own[0], notes, "x"],
            [own[0], "x", "\(history)"],
            [own[0], notes + "1", "\(history)"],
        ] {
            #expect(try !#require(Takeover(parsing: arguments)).isPossible, "\(arguments)")
        }
        #expect(Takeover(parsing: ["--socket", notes, own[2]]) == nil)
        #expect(Takeover(parsing: [own[0], notes]) == nil)
    }

    @Test func `a client receives the acceptance of its run once the run is on disk`() throws {
        let parts = try SupervisorParts()
        let folder = TemporaryDirectory()
        let history = try History(History.Options(path: folder("history.sqlite"), durability: .process))
        let recorder = Recorder(
            history,
            on: parts.loop,
            journal: parts.journal,
            decisions: parts.decisions,
            clients: parts.clients,
            faults: FaultPoints()
        )
        var performed: [RunTable.Action] = []
        try recorder.start(
            perform: { action in
                performed.append(action)
                parts.loop.exit(0)
            },
            reported: { _ in },
            answered: { _, _ in },
            problemChanged: {}
        )
        let accepted = RunTable.Action.answer(ClientID(number: 1), id: 1, .accepted(run: Sample.run(1)))
        recorder.pass(.record(RunRecord(Sample.run(1), .accepted(Sample.accepted(1)))))
        recorder.pass(accepted)
        #expect(performed.isEmpty)
        recorder.sendRecords()
        _ = try parts.loop.run()
        #expect(performed == [accepted])
        history.finish(within: .seconds(10))
    }

    @Test func `without a history no action is delayed`() throws {
        let parts = try SupervisorParts()
        let recorder = Recorder(
            nil,
            on: parts.loop,
            journal: parts.journal,
            decisions: parts.decisions,
            clients: parts.clients,
            faults: FaultPoints()
        )
        var performed: [RunTable.Action] = []
        try recorder.start(
            perform: { performed.append($0) },
            reported: { _ in },
            answered: { _, _ in },
            problemChanged: {}
        )
        let accepted = RunTable.Action.answer(ClientID(number: 1), id: 1, .accepted(run: Sample.run(1)))
        recorder.pass(.record(RunRecord(Sample.run(1), .accepted(Sample.accepted(1)))))
        recorder.pass(accepted)
        #expect(performed == [accepted])
        #expect(recorder.refusal(of: .local(user: 1000)) == nil)
    }
}
