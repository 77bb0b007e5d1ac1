import IntentLinux

/// Implements `intentctl top`, which shows live runs until the user exits.
struct TopCommand {
    let invocation: Invocation
    private static let pauseMilliseconds: Int32 = 1000

    func perform() async throws -> ExitCode {
        // Connect before clearing the screen, so that an error appears below the command line.
        let connection = try await invocation.connect()
        let screen = try Screen()
        var picture = TopPicture()
        var units: [String: ProgressMeter.Units] = [:]
        let start = ContinuousClock.now
        while true {
            let status = try await connection.status()
            let runs = try await connection.runs()
            for name in Set(runs.map(\.app)) where units[name] == nil {
                // A plan, and an app that was removed, have no description.
                units[name] = LiveStepTree.units(of: try? await connection.app(named: name), named: name)
            }
            picture.update(runs, units, at: ContinuousClock.now - start)
            screen.draw(picture.lines(status, runs, columns: screen.size.columns, rows: screen.size.rows))
            switch screen.key(waitingMilliseconds: Self.pauseMilliseconds) {
            // Exit after q, Ctrl-C, Ctrl-D or Escape.
            case UInt8(ascii: "q"), 3, 4, 27: return .done
            default: continue
            }
        }
    }
}

/// The content of the screen: one line for the daemon, and one line for each run with its progress bar, rate and
/// remaining time.
package struct TopPicture {
    private var meters: [RunID: ProgressMeter] = [:]

    package init() {}

    /// Updates the progress of live runs and removes the progress of ended runs.
    ///
    /// - Parameter units: What the progress of the runs of an app counts.
    package mutating func update(_ runs: [LiveRun], _ units: [String: ProgressMeter.Units], at now: Duration) {
        var updated: [RunID: ProgressMeter] = [:]
        for run in runs {
            var meter = meters[run.run] ?? ProgressMeter(units[run.app] ?? .parts)
            if let progress = run.progress { meter.report(progress, at: now) }
            updated[run.run] = meter
        }
        meters = updated
    }

    package func lines(_ status: DaemonStatus, _ runs: [LiveRun], columns: Int, rows: Int) -> [String] {
        let head =
            "\(SafeText.line(status.software)), up \(TimeSpan.format(status.uptime)): \(status.runningCount) running, "
            + "\(StatusCommand.waiting(status))\(status.queuedCount) queued, \(status.endedCount) ended   (q: exit)"
        let room = max(1, rows - 3)
        let shown = runs.prefix(room)
        // The progress occupies the columns that the other cells do not use.
        let cells = shown.map { run in
            [run.run.text, "\(run.app)/\(run.intent)", state(run), TimeSpan.format(run.age), left(run)]
        }
        let table = TextTable.render(["RUN", "INTENT", "STATE", "AGE", "LEFT"], cells).lines()
        let width = table.map { DisplayWidth.of(String($0)) }.max() ?? 0
        var lines = [head, ""]
        for (index, row) in table.enumerated() {
            let text = String(row) + String(repeating: " ", count: width - DisplayWidth.of(String(row)) + 2)
            if index == 0 {
                lines.append(text + "PROGRESS")
            } else {
                let run = shown[shown.startIndex + index - 1]
                lines.append(text + detail(of: run, columns: columns - width - 2))
            }
        }
        if runs.isEmpty { lines[lines.count - 1] = "no runs" }
        if runs.count > shown.count { lines[lines.count - 1] = "and \(runs.count - shown.count + 1) more" }
        return lines
    }

    private func state(_ run: LiveRun) -> String {
        run.isHeld == true ? "\(run.state.rawValue) (debugger)" : run.state.rawValue
    }

    /// Returns the reason why the run is in the backlog, the question that it asks, or its progress.
    private func detail(of run: LiveRun, columns: Int) -> String {
        if let obstacle = run.waitsFor { return DisplayWidth.fit(SafeText.line("waits: \(obstacle)"), in: columns) }
        if let question = run.asks { return DisplayWidth.fit(SafeText.line("asks: \(question)"), in: columns) }
        return meters[run.run]?.bar(columns: max(10, columns)) ?? ""
    }

    private func left(_ run: LiveRun) -> String { run.remaining.map(TimeSpan.format) ?? "-" }
}
