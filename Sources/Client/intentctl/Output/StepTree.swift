/// The runs of a shortcut's steps as lines: the step, its intent and values, its state and its time.
struct StepTree {
    /// The maximum number of runs of which the values are read.
    private static let valueLimit = 200
    /// The maximum length of the values of a line, in Unicode scalars.
    private static let lengthLimit = 80

    private(set) var lines: [String] = []

    /// - Parameter run: The run of a shortcut. The tree is empty for any other run.
    static func read(_ run: RecordedRun, over connection: IntentConnection) async throws -> StepTree {
        var tree = StepTree()
        var runs = try await connection.steps(of: run.run)
        guard !runs.isEmpty else { return tree }
        // A run without a worker may be another shortcut's.
        for step in runs where step.step != nil && step.isolation == nil && step.outcome != nil {
            runs += try await connection.steps(of: step.run)
        }
        let values = try await values(of: runs, over: connection)
        for (step, label) in RunTree(runs.reversed() + [run]).lines.dropFirst() {
            let took = HistoryText.runtime(of: step).map { ", \(TimeSpan.format($0))" } ?? ""
            let message = step.message.map { ": \($0)" } ?? ""
            tree.lines.append(
                SafeText.line(
                    "\(label)\(step.app)/\(step.intent)\(values[step.run] ?? "") \(HistoryText.outcome(of: step))\(took)\(message)"
                )
            )
        }
        return tree
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

/// The steps of a live shortcut that were not printed yet.
struct StepProgress {
    private let run: RunID
    private let connection: IntentConnection
    private var printed: Set<RunID> = []

    init(_ run: RunID, over connection: IntentConnection) {
        self.run = run
        self.connection = connection
    }

    /// Returns the lines of the steps that have ended since the last call.
    mutating func next() async -> [String] {
        // A failed query only delays the lines.
        guard let story = try? await connection.story(of: run), let steps = try? await connection.steps(of: run) else {
            return []
        }
        let new = steps.filter { $0.outcome != nil && !printed.contains($0.run) }
        printed.formUnion(new.map(\.run))
        let values = (try? await StepTree.values(of: new, over: connection)) ?? [:]
        return RunTree(steps.reversed() + [story.summary]).lines.dropFirst()
            .filter { line in new.contains { $0.run == line.run.run } }
            .map { step, label in
                let took = HistoryText.runtime(of: step).map { ", \(TimeSpan.format($0))" } ?? ""
                return SafeText.line(
                    "\(label)\(step.app)/\(step.intent)\(values[step.run] ?? "") \(HistoryText.outcome(of: step))\(took)"
                )
            }
    }

    /// Returns true for the run of a shortcut, which has steps and no worker.
    static func isShortcut(_ app: AppDescription?, named name: String) -> Bool {
        guard let app else { return name == "plan" }
        return app.executable.isEmpty || app.executable.hasSuffix(utf8: ".shortcut")
    }
}
