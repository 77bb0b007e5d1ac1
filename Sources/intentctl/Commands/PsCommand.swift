import IntentClient
import IntentLinux

/// `intentctl ps`
struct PsCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func perform() async throws -> ExitCode {
        let owner = try HistoryOptions.owner(invocation)
        let selection = invocation["app"].map { Selection($0) }
        let runs = try await invocation.connect().runs().filter { run in
            Self.isOf(run, owner) && (selection.map { Self.isOf(run, $0) } ?? true)
        }
        if invocation.wantsJSON {
            try Console.output(JSONValue(["runs": runs]).prettyText())
        } else {
            let rows = runs.map { run in
                [
                    run.run.text, "\(run.app)/\(run.intent)", state(run), TimeSpan.format(run.age),
                    run.remaining.map(TimeSpan.format) ?? "-", progress(run.progress), title(run),
                ]
            }
            try Console.output(TextTable.render(["RUN", "INTENT", "STATE", "AGE", "LEFT", "PROGRESS", "TITLE"], rows))
        }
        return .done
    }

    private static func isOf(_ run: LiveRun, _ owner: HistoryOptions.Owner?) -> Bool {
        switch owner {
        case nil, .everybody?: true
        // The caller's own runs have no user.
        case .user(let number)?: (run.user ?? Users.own) == number
        }
    }

    private static func isOf(_ run: LiveRun, _ selection: Selection) -> Bool {
        run.app == selection.app && (selection.intent.map { [$0, $0 + "Intent"].contains(run.intent) } ?? true)
    }

    /// The text of the open question, or the intent's sentence.
    private func title(_ run: LiveRun) -> String {
        let owner = run.user.map { "of \(Users.name($0)): " } ?? ""
        if let asks = run.asks { return SafeText.line("\(owner)asks: \(asks) ('intentctl answer \(run.run)')") }
        return SafeText.line(owner + (run.title ?? "-"))
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
