import IntentConfiguration
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle

/// The daemon's status line in the output of `systemctl status`.
enum StatusLine {
    static func text(
        _ load: RunTable.Load,
        nextDeadline: Duration?,
        problem: HistoryProblem? = nil,
        launcherProblem: String? = nil,
        brokenApps: [AppName] = [],
        configuration: [ConfigurationProblem] = []
    ) -> String {
        var parts = [
            "\(load.runningCount) running",
            "\(load.waitingCount) waiting for an answer",
            "\(load.queuedCount) queued",
            "\(load.endedCount) done",
        ]
        if let nextDeadline {
            parts.append("next deadline in \(max(0, nextDeadline.milliseconds / 1000)) s")
        }
        if let problem { parts.append("no new runs because the history cannot be written: \(problem.phrase)") }
        if let launcherProblem { parts.append("no new runs without the cache folder: \(launcherProblem)") }
        if !brokenApps.isEmpty { parts.append("cannot be used: \(list(brokenApps.map(\.text)))") }
        if let first = configuration.first {
            let others = configuration.count > 1 ? " and \(configuration.count - 1) more" : ""
            parts.append("configuration: \(first)\(others)")
        }
        return parts.joined(separator: " · ")
    }

    /// Lists only the first names, because the status must fit into one line.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(3).joined(separator: ", ")
        return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
    }
}
