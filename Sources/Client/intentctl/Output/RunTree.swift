/// Recorded runs in the order of a tree: below the run of a shortcut, the runs of its steps, and the runs that undo them.
package struct RunTree {
    /// The runs, each with the label of its place: the indentation and the name of the step.
    package private(set) var lines: [(run: RecordedRun, label: String)] = []
    /// The runs below a shortcut's run, the oldest first.
    private var children: [RunID: [RecordedRun]] = [:]
    private let byRun: [RunID: RecordedRun]

    /// - Parameter runs: The runs, the newest first. A run without its shortcut among them has no parent.
    package init(_ runs: [RecordedRun]) {
        byRun = Dictionary(runs.map { ($0.run, $0) }) { first, _ in first }
        var roots: [RecordedRun] = []
        for run in runs {
            if let parent = parent(of: run) {
                children[parent, default: []].insert(run, at: 0)
            } else {
                roots.append(run)
            }
        }
        for run in roots { add(run, depth: 0) }
    }

    private func parent(of run: RecordedRun) -> RunID? {
        let step = run.step ?? run.undoOf.flatMap { byRun[$0]?.step }
        return step.flatMap { byRun[$0.shortcut] == nil ? nil : $0.shortcut }
    }

    private mutating func add(_ run: RecordedRun, depth: Int) {
        lines.append((run, depth == 0 ? "" : String(repeating: "  ", count: depth) + name(of: run)))
        for child in children[run.run] ?? [] { add(child, depth: depth + 1) }
    }

    /// Returns the name of the step: `pack 2: `, `pack 2, attempt 3: `, `undo pack: `.
    private func name(of run: RecordedRun) -> String {
        guard let step = run.step else {
            return run.undoOf.flatMap { byRun[$0]?.step }.map { "undo \($0.name): " } ?? ""
        }
        let siblings = children[step.shortcut]?.contains { $0.step?.name == step.name && $0.step?.index != step.index }
        let number = siblings == true ? " \(step.index + 1)" : ""
        return "\(step.name)\(number)\(step.attempt > 1 ? ", attempt \(step.attempt)" : ""): "
    }
}
