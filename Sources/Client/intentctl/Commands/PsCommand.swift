import IntentLinux

/// Implements `intentctl ps`, which lists the runs that have not ended.
struct PsCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let filter = try RunFilter(invocation)
        let runs = try await invocation.connect().runs().filter { filter.selects($0, isOwnByDefault: false) }
        let rows = runs.map { run in
            [
                run.run.text, "\(run.app)/\(run.intent)", state(run), TimeSpan.format(run.age),
                run.remaining.map(TimeSpan.format) ?? "-", progress(run.progress), title(run),
            ]
        }
        try invocation.output(
            json: JSONValue(["runs": runs]),
            text: TextTable.render(["RUN", "INTENT", "STATE", "AGE", "LEFT", "PROGRESS", "TITLE"], rows)
        )
        return .done
    }

    /// Returns the open question, the reason why the run is waiting, or the run's title.
    private func title(_ run: LiveRun) -> String {
        let owner = run.user.map { "of \(Users.name($0)): " } ?? ""
        if let asks = run.asks {
            let options = DaemonOptions.ofCommand.text
            return SafeText.line("\(owner)asks: \(asks) ('intentctl \(options)answer \(run.run)')")
        }
        if let obstacle = run.waitsFor { return SafeText.line("\(owner)waits: \(obstacle)") }
        let standing = run.standingApproval.map { " (approved with run \($0))" } ?? ""
        return SafeText.line(owner + (run.title ?? "-") + standing)
    }

    private func state(_ run: LiveRun) -> String {
        if let reason = run.reason { return "\(run.state.rawValue) (\(reason.name))" }
        return run.isHeld == true ? "\(run.state.rawValue) (debugger)" : run.state.rawValue
    }

    private func progress(_ progress: ProgressReport?) -> String {
        guard let progress else { return "-" }
        var meter = ProgressMeter()
        meter.report(progress, at: .zero)
        return meter.bar(columns: 60 - 1)
    }
}
