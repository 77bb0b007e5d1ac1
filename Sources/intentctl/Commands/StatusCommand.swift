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
                    \(status.runningCount) running, \(status.queuedCount) queued, \(status.endedCount) ended
                    \(status.appCount) \(status.appCount == 1 ? "app" : "apps")
                    isolation: \(IsolationText.of(status))
                    """
                )
            )
        }
        return .done
    }

    private static func document(_ status: ServerStatus) -> JSONValue {
        .members([
            "software": .string(status.software),
            "uptimeMilliseconds": .milliseconds(status.uptime),
            "runningCount": .int(Int64(status.runningCount)),
            "queuedCount": .int(Int64(status.queuedCount)),
            "endedCount": .int(Int64(status.endedCount)),
            "appCount": .int(Int64(status.appCount)),
            "isolation": .array(status.isolation.map(JSONValue.string)),
            "isolationGrade": (status.isolationGrade?.rawValue).map(JSONValue.string),
            "isolationMissing": .array(status.isolationMissing.map(JSONValue.string)),
        ])
    }
}
