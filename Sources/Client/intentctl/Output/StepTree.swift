import IntentLinux

/// The runs of a shortcut's steps as lines: the step, its intent and values, its state and its time.
struct StepTree {
    /// A run with its line.
    struct Entry: Equatable {
        var run: RunID
        /// True until the run has ended.
        var isLive: Bool
        var line: String
    }

    /// The maximum number of runs of which the values are read.
    private static let valueLimit = 200
    /// The maximum length of the values of a line, in Unicode scalars.
    private static let lengthLimit = 80

    private(set) var entries: [Entry] = []
    /// The values of runs as text, which do not change once they are recorded.
    private var values: [RunID: String] = [:]

    var lines: [String] { entries.map(\.line) }

    /// - Parameter run: The run of a shortcut. The tree is empty for any other run.
    static func read(_ run: RecordedRun, over connection: IntentConnection) async throws -> StepTree {
        var tree = StepTree()
        try await tree.update(run, over: connection)
        return tree
    }

    /// Reads the runs of the steps again.
    mutating func update(_ run: RecordedRun, over connection: IntentConnection) async throws {
        var runs = try await connection.steps(of: run.run)
        // A run without a worker may be another shortcut's.
        for step in runs where step.step != nil && step.isolation == nil && step.state != .queued {
            runs += try await connection.steps(of: step.run)
        }
        let new = runs.lazy.filter { [values] in values[$0.run] == nil }.prefix(Self.valueLimit - values.count)
        values.merge(try await Self.values(of: Array(new), over: connection)) { $1 }
        entries = RunTree(runs.reversed() + [run]).lines.dropFirst().map { step, label in
            let isLive = step.outcome == nil
            let took = isLive ? "" : HistoryText.runtime(of: step).map { ", \(TimeSpan.format($0))" } ?? ""
            let message = step.message.map { ": \($0)" } ?? ""
            let text =
                "\(label)\(step.app)/\(step.intent)\(values[step.run] ?? "") \(HistoryText.outcome(of: step))\(took)\(message)"
            return Entry(run: step.run, isLive: isLive, line: SafeText.line(text))
        }
    }

    /// Returns the recorded values of runs as text, without secrets, which are not recorded.
    static func values(of runs: [RecordedRun], over connection: IntentConnection) async throws -> [RunID: String] {
        var texts: [RunID: String] = [:]
        for run in runs.prefix(valueLimit) {
            // History may have pruned the run since the query.
            guard let story = try? await connection.story(of: run.run) else { continue }
            let given = story.values.sorted { $0.key < $1.key }.map { " \($0)=\(JSONValue(plain: $1).text())" }
            let secrets = story.secretNames.map { " \($0)=(secret)" }
            let text = (given + secrets).joined()
            let isLong = text.scalarCount > lengthLimit
            texts[run.run] = isLong ? String(text.prefix(scalars: lengthLimit)) + "…" : text
        }
        return texts
    }
}

/// The tree of a live shortcut's steps, which is read again when the shortcut reports another step.
struct LiveStepTree {
    /// The number of reports about one step after which the tree is read only when the progress has changed by ``shownPart``.
    private static let freeCount = 200
    private static let shownPart = 0.005

    private let run: RunID
    private let connection: IntentConnection
    private var summary: RecordedRun?
    private var tree = StepTree()
    /// The progress with which the tree was read last.
    private var last: ProgressReport?
    private var count = 0
    /// The entries that were returned by ``changes()``.
    private var returned: [RunID: StepTree.Entry] = [:]

    init(_ run: RunID, over connection: IntentConnection) {
        self.run = run
        self.connection = connection
    }

    var lines: [String] { tree.lines }

    /// Reads the tree, unless the progress shows no other step and many items have ended already.
    ///
    /// - Parameter progress: Nil to read it in any case.
    mutating func update(_ progress: ProgressReport?) async {
        if let progress, let last, progress.title == last.title, progress.completedUnitCount == last.completedUnitCount
        {
            count += 1
            guard count < Self.freeCount || progress.fraction - last.fraction >= Self.shownPart else { return }
        } else {
            count = 0
        }
        last = progress ?? last
        // A failed query only delays the lines.
        if summary == nil { summary = try? await connection.story(of: run).summary }
        if let summary { try? await tree.update(summary, over: connection) }
    }

    /// Returns the lines of the steps that have begun or ended since the last call.
    mutating func changes() -> [String] {
        let new = tree.entries.filter { entry in returned[entry.run].map { $0.isLive && !entry.isLive } ?? true }
        for entry in new { returned[entry.run] = entry }
        return new.map(\.line)
    }

    /// Returns what the progress of an app's runs counts. The run of a shortcut has steps and no worker.
    static func units(of app: AppDescription?, named name: String) -> ProgressMeter.Units {
        guard let app else { return name == "plan" ? .steps : .parts }
        return app.executable.isEmpty || app.executable.hasSuffix(utf8: ".shortcut") ? .steps : .parts
    }
}
