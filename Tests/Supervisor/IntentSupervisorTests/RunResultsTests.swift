import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import TestSupport
import Testing

@testable import IntentSupervisor

/// Files of results that the launcher passes to clients, without a supervisor.
@Suite(.timeLimit(.minutes(1))) struct RunResultsTests {
    private let parts: SupervisorParts
    private let results: RunResults
    private let slot = SlotID(number: 5)
    private let run = Sample.run(1)

    init() throws {
        parts = try SupervisorParts()
        results = RunResults(
            on: parts.loop,
            journal: parts.journal,
            decisions: parts.decisions,
            launcher: parts.launcher,
            workers: parts.workers,
            apps: AppDirectory(Installation(appFolders: [], user: nil), journal: parts.journal)
        )
    }

    private var end: RunEnd {
        let file = IntentValue.file(FileReference(index: 0, name: "a.txt"))
        return RunEnd(run: run, outcome: .done(value: file, dialog: nil), account: RunAccount())
    }

    @Test func `the launcher opens the files of a run folder by their paths`() throws {
        results.collect([.path("a.txt"), .path("b/c.txt")], of: run, in: slot)
        #expect(try parts.commands().map(\.command) == [.open(slot: slot, paths: ["a.txt", "b/c.txt"], keep: nil)])
    }

    @Test func `a request for files of a run without files, or with removed files, is refused with the reason`() throws
    {
        let plain = RunEnd(run: run, outcome: .done(value: .int(1), dialog: nil), account: RunAccount())
        guard case .failure(let none) = results.part(from: 0, of: plain) else {
            Issue.record("a run without files has a part of them")
            return
        }
        #expect(none.code == .unknownRun && none.message.contains("has no files"))
        guard case .failure(let lost) = results.part(from: 0, of: end) else {
            Issue.record("a run has files that were not kept")
            return
        }
        #expect(lost.code == .unknownRun && lost.hint?.contains("KeepFiles=") == true)
    }
}
