import IntentClient

/// `intentctl status`
struct StatusCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func perform() async throws -> ExitCode {
        let status = try await invocation.connect().status()
        if invocation.wantsJSON {
            try Console.output(Self.document(status).prettyText())
        } else {
            try Console.output(
                SafeText.printed(
                    """
                    \(status.software), up for \(TimeSpan.format(status.uptime))
                    \(status.runningCount) running, \(Self.waiting(status))\(status.queuedCount) queued, \(status.endedCount) ended
                    \(status.appCount) \(status.appCount == 1 ? "app" : "apps")
                    isolation: \(IsolationText.of(status))
                    """
                )
            )
        }
        return .done
    }

    /// Nothing where nobody is waited for.
    private static func waiting(_ status: ServerStatus) -> String {
        guard let count = status.waitingCount, count > 0 else { return "" }
        return "\(count) waiting for an answer, "
    }

    private static func document(_ status: ServerStatus) -> JSONValue {
        .members([
            "software": .string(status.software),
            "uptimeMilliseconds": .milliseconds(status.uptime),
            "runningCount": .int(Int64(status.runningCount)),
            "queuedCount": .int(Int64(status.queuedCount)),
            "waitingCount": status.waitingCount.map { .int(Int64($0)) },
            "endedCount": .int(Int64(status.endedCount)),
            "appCount": .int(Int64(status.appCount)),
            "isolation": .array(status.isolation.map(JSONValue.string)),
            "isolationGrade": (status.isolationGrade?.rawValue).map(JSONValue.string),
            "isolationMissing": .array(status.isolationMissing.map(JSONValue.string)),
        ])
    }
}
