import IntentLauncherMessages

/// The progress of a shortcut: the steps that have ended, the ended items of the step that is being performed, and its name.
///
/// A report also tells a client that follows the run when to read the runs of the steps again. The requests of these runs are
/// decided in one turn with the report, so they precede the client's next question.
extension ShortcutMachine {
    /// Returns a report if the progress has changed since the last one.
    mutating func newProgress() -> [Action] {
        switch phase {
        case .recalling, .stopping, .ended: return []
        case .performing, .undoing: break
        }
        guard progress != reported else { return [] }
        reported = progress
        return [.report(progress)]
    }

    var progress: ProgressReport {
        let count = plan.steps.count
        return ProgressReport(
            completedUnitCount: Int64(position),
            totalUnitCount: Int64(count),
            fraction: (Double(position) + (currentStep == nil ? 0 : endedPart)) / Double(max(count, 1)),
            title: title
        )
    }

    /// The part of the current step's items that have a result, from 0 to 1.
    private var endedPart: Double {
        guard let current, !current.items.isEmpty else { return 0 }
        return Double(current.results.count) / Double(current.items.count)
    }

    /// The name of the step that is being performed or undone.
    private var title: String? {
        switch phase {
        case .undoing: open.min().map { "undo \(undoName($0))" }
        case .recalling, .performing, .stopping, .ended: currentStep?.name
        }
    }
}
