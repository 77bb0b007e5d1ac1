import FoundationEssentials
package import IntentCommandLine
package import IntentProtocol

/// The result of the tool that lists the runs of agents.
package enum RunList {
    package static func result(_ runs: some Sequence<RecordedRun>) -> JSONValue {
        let rows = runs.map { run in
            JSONValue.members([
                "run": .string(run.run.text), "intent": .string("\(run.app)/\(run.intent)"),
                "state": run.state.map { state($0) } ?? "ended", "outcome": run.outcome.map { .string($0) },
                "message": run.message.map { .string(ToolTable.line($0)) },
                "accepted": .string(
                    Date(timeIntervalSince1970: Double(run.accepted.millisecondsSince1970) / 1000).formatted(.iso8601)
                ),
            ])
        }
        return .object(
            ToolResult.value(.array(rows), message: rows.isEmpty ? "no runs" : "call intent_run_result for a result")
        )
    }

    /// The states of results: a model need not know the steps to a start.
    private static func state(_ state: RunState) -> JSONValue { state == .asking ? "waiting" : "running" }
}
