import IntentLauncherMessages
import IntentLifecycle
import IntentSystemd
import TestSupport
import Testing

@testable import IntentSupervisor

/// The output of runs in the journal, without a supervisor.
@Suite(.ownThread) struct RunJournalTests {
    private let listener: JournalListener
    private let output: RunJournal

    init() throws {
        listener = try JournalListener()
        let app = try #require(AppName("Probe"))
        let live = [Sample.run(1), Sample.run(3), Sample.run(4), Sample.run(5), Sample.run(6), Sample.run(7)]
        output = RunJournal(Journal(identifier: "intentd", at: listener.path)) { run in
            guard live.contains(run) else { return nil }
            return RunNames(app: app, intent: "Echo", account: .local(user: run == Sample.run(7) ? 1001 : 1000))
        }
    }

    /// Returns all received entries, each as the set of its fields.
    private func entries() -> [Set<String>] {
        var entries: [Set<String>] = []
        while case let fields = listener.lines(), !fields.isEmpty { entries.append(fields) }
        return entries
    }

    @Test func `each line of output is an entry with the app as identifier and the fields of the run`() {
        output.print("one\n\ntwo\n", of: Sample.run(1), to: .stderr)
        let entries = entries()
        #expect(entries.count == 2)
        #expect(entries.first?.contains("MESSAGE=one") == true)
        #expect(entries.last?.contains("MESSAGE=two") == true)
        for entry in entries {
            let fields: Set<String> = [
                "SYSLOG_IDENTIFIER=Probe", "INTENT_APP=Probe", "INTENT_NAME=Echo", "INTENT_RUN_ID=\(Sample.run(1))",
                "INTENT_STREAM=\(OutputStream.stderr.rawValue)",
            ]
            #expect(entry.isSuperset(of: fields), "\(entry)")
        }
    }

    @Test func `output of a run that has ended is not written`() {
        output.print("late\n", of: Sample.run(2), to: .stdout)
        #expect(entries().isEmpty)
    }

    @Test func `output above the quota is dropped, and entries have the number of dropped lines`() throws {
        var entries: [Set<String>] = []
        let count = Int(JournalQuota.burst) + 500
        for first in stride(from: 0, to: count, by: 5) {
            output.print((first..<(first + 5)).map { "\($0)\n" }.joined(), of: Sample.run(1), to: .stdout)
            // The socket's queue is short, so read it at once.
            entries += self.entries()
        }
        output.close(Sample.run(1))
        entries += self.entries()
        let notes = entries.compactMap { $0.first { $0.hasPrefix("MESSAGE=dropped ") } }
        let dropped = try notes.map { try #require(Int($0.split(separator: " ")[1])) }
        #expect(notes.allSatisfy { $0.contains("of the output of run \(Sample.run(1))") })
        #expect(!dropped.isEmpty)
        #expect(dropped.reduce(0, +) + entries.count - notes.count == count)
        output.close(Sample.run(1))
        #expect(self.entries().isEmpty)
    }

    @Test func `the runs of one account share a quota that does not affect another account`() {
        func count(of run: UInt64) -> Int {
            (0..<200).reduce(0) { sum, _ in
                output.print(String(repeating: "line\n", count: 5), of: Sample.run(run), to: .stdout)
                return sum + entries().count { $0.contains("MESSAGE=line") }
            }
        }
        let counts = [1, 3, 4, 5].map(count)
        #expect(counts.allSatisfy { $0 == Int(JournalQuota.burst) })
        // Only the lines that were earned meanwhile are left.
        #expect(count(of: 6) < Int(JournalQuota.burst))
        #expect(count(of: 7) == Int(JournalQuota.burst))
    }

    @Test func `a broken app is an error with the app's name`() throws {
        output.reportBroken(try #require(AppName("Probe")), "it exited with code 1")
        let entry = try #require(entries().first)
        #expect(entry.isSuperset(of: ["MESSAGE=Probe cannot be used: it exited with code 1", "PRIORITY=3"]))
        #expect(entry.contains("MESSAGE_ID=\(JournalMessage.appUnusable.rawValue)"))
    }
}
