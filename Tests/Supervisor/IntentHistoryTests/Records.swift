import Foundation
import IntentHistory
import IntentLauncherMessages
import IntentLinux
import Synchronization
import Testing

/// A test's folder, which is removed when the instance is released.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/history-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // Entries that cannot be removed remain in the system's temporary folder.
        try? FileManager.default.removeItem(atPath: path)
    }

    var file: String { path + "/history.sqlite" }
}

/// Creates records of runs with small numbers.
enum Sample {
    static let second: Int64 = 1_000_000_000
    /// 2026-11-21, 00:00 UTC.
    static let morning: Int64 = 1_795_219_200 * second

    static func run(_ number: UInt64) -> RunID { RunID(randomBits: number) }

    static func accepted(
        _ number: UInt64,
        intent: String = "Echo",
        user: UInt32 = 1000,
        account: String? = nil,
        agent: UInt32? = nil,
        request: UInt64? = nil,
        key: String? = nil,
        retryOf: RunID? = nil,
        values: [String: IntentValue] = ["text": .string("a")]
    ) -> RunRecord {
        guard let app = AppName("Probe") else { preconditionFailure("'Probe' is a name") }
        var caller = CallerProcess(user: user, account: account, process: 7, software: "a test")
        caller.agent = agent
        let run = AcceptedRun(
            caller: caller,
            entryPoint: .commandLine,
            request: RequestID(randomBits: 0, request ?? number),
            key: key,
            retryOf: retryOf,
            app: app,
            intent: intent,
            traits: [.progressReporting],
            values: RunValues(values),
            fileCount: 0,
            limits: RunLimits()
        )
        return RunRecord(self.run(number), .accepted(run))
    }

    static func state(_ number: UInt64, _ state: RunState, slot: UInt64? = nil) -> RunRecord {
        RunRecord(run(number), .state(state, reason: nil, slot: slot.map(SlotID.init)))
    }

    static func ended(_ number: UInt64, _ outcome: RunOutcome = .done(value: .string("a"), dialog: nil)) -> RunRecord {
        RunRecord(run(number), .ended(RecordedEnd(outcome: outcome, account: RunAccount(runtime: .milliseconds(12)))))
    }

    static func gone(_ number: UInt64) -> RunRecord {
        let usage = ResourceUsage(userTime: .microseconds(10), systemTime: .microseconds(20), peakMemoryByteCount: 4096)
        let exit = WorkerExit(processEnd: .exited(code: 0), usage: usage)
        return RunRecord(run(number), .exited(exit))
    }

    static func printed(_ number: UInt64, _ text: String) -> RunRecord {
        RunRecord(run(number), .printed(.stdout, text: text))
    }

    /// Returns all records of a run, from its acceptance to its exit.
    static func whole(_ number: UInt64) -> [RunRecord] {
        [
            accepted(number), state(number, .starting, slot: number), state(number, .running), ended(number),
            gone(number),
        ]
    }
}

/// Uses a history as a supervisor does, but on one thread and by waiting for results.
final class Scribe {
    let history: History
    private(set) var rejections: [RecordRejection] = []
    private(set) var unfinished: [UnfinishedRun] = []
    private(set) var problem: HistoryProblem?
    private var hasReplayed = false
    private var settled: UInt64 = 0
    private var ticket: UInt64 = 0
    private var answers: [UInt64: HistoryAnswer] = [:]
    private var lastQuestion: UInt64 = 0
    /// The time of the last record. The next record is one second later.
    var wall = Sample.morning

    /// Keeps the folder until the history has written everything.
    private let folder: TemporaryFolder?

    init(_ path: String, durability: HistoryDurability = .process, retention: Retention = Retention()) throws {
        history = try History(History.Options(path: path, durability: durability, retention: retention))
        folder = nil
    }

    init(
        in folder: TemporaryFolder,
        durability: HistoryDurability = .process,
        retention: Retention = Retention()
    ) throws {
        history = try History(History.Options(path: folder.file, durability: durability, retention: retention))
        self.folder = folder
    }

    deinit { history.finish(within: .seconds(10)) }

    /// Queues the records together, without waiting until they are written.
    func send(_ records: [RunRecord], isKept: Bool = false) {
        ticket += UInt64(records.count)
        history.record(
            records.map { record in
                wall += Sample.second
                let rest = wall - Sample.morning
                return HistoryEntry(record, at: RecordTime(wall: wall, monotonic: rest, boottime: rest), isKept: isKept)
            }
        )
    }

    /// Records the records together, and waits until they are written or rejected.
    func record(_ records: [RunRecord]) throws {
        send(records)
        if !records.contains(where: \.isAwaited) { _ = try page() }
        try wait("\(records.count) records are settled; \(String(describing: problem))") { settled >= ticket }
    }

    /// Records the entries of an earlier process, and waits until they are written.
    func replay(_ entries: [HistoryEntry]) throws {
        history.replay(entries)
        try wait("what was left is on record") { hasReplayed }
    }

    /// Waits until a condition is true.
    func wait(_ what: @autoclosure () -> String, until isTrue: () -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        look()
        while !isTrue() {
            guard ContinuousClock.now < end else { throw NeverHappened(description: what()) }
            history.updateCounter.wait(milliseconds: 20)
            look()
        }
    }

    func page(_ query: HistoryQuery = HistoryQuery(), user: UInt32 = 1000) throws -> HistoryPage {
        let answer = try ask(.page(query, by: Viewer(.local(user: user), seesAll: user == 0)))
        guard case .page(let page) = answer else { throw NeverHappened(description: "a page instead of \(answer)") }
        return page
    }

    func story(_ number: UInt64, user: UInt32 = 1000) throws -> RunStory? {
        let answer = try ask(.story(Sample.run(number), by: Viewer(.local(user: user), seesAll: user == 0)))
        guard case .story(let story) = answer else { throw NeverHappened(description: "a story instead of \(answer)") }
        return story
    }

    func logs(_ number: UInt64, after serial: Int64 = 0) throws -> LogPage? {
        let answer = try ask(.logs(Sample.run(number), after: serial, by: Viewer(.local(user: 1000), seesAll: false)))
        guard case .logs(let page) = answer else { throw NeverHappened(description: "logs instead of \(answer)") }
        return page
    }

    func prune(_ retention: Retention?) throws -> Int {
        lastQuestion += 1
        history.prune(retention, id: lastQuestion)
        guard case .pruned(let count) = try answer(lastQuestion) else { throw NeverHappened(description: "a count") }
        return count
    }

    func importRuns(_ stories: [RunStory]) throws -> ImportReport {
        lastQuestion += 1
        history.importRuns(stories, id: lastQuestion)
        guard case .imported(let report) = try answer(lastQuestion) else {
            throw NeverHappened(description: "a report")
        }
        return report
    }

    func ask(_ question: HistoryQuestion) throws -> HistoryAnswer {
        lastQuestion += 1
        #expect(history.ask(question, id: lastQuestion))
        return try answer(lastQuestion)
    }

    private func answer(_ number: UInt64) throws -> HistoryAnswer {
        try wait("question \(number) is answered") { answers[number] != nil }
        let answer = answers.removeValue(forKey: number)
        return try #require(answer)
    }

    private func look() {
        let updates = history.drainUpdates()
        settled = updates.settled
        rejections += updates.rejections
        unfinished += updates.unfinished ?? []
        hasReplayed = updates.hasReplayed
        problem = updates.problem
        for answer in updates.answers { answers[answer.id] = answer.1 }
    }
}

struct NeverHappened: Error, CustomStringConvertible {
    let description: String
}

extension Viewer {
    /// Creates a viewer for a user who is not an agent.
    init(_ user: Caller, seesAll: Bool) { self.init(Requester(user), seesAll: seesAll) }
}
