import IntentClient
import IntentLinux

/// Performs `intentctl status`.
struct StatusCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func perform() async throws -> ExitCode {
        let status = try await invocation.connect().status()
        if invocation.wantsJSON {
            try Console.output(JSONValue(status).prettyText())
        } else {
            try Console.output(
                SafeText.printed(
                    """
                    \(status.software), up for \(TimeSpan.format(status.uptime))
                    \(status.runningCount) running, \(Self.waiting(status))\(status.queuedCount) queued, \(status.endedCount) ended
                    \(status.appCount) \(status.appCount == 1 ? "app" : "apps")
                    isolation: \(IsolationText.of(status))
                    """
                        + (status.isolationMissing?.isEmpty ?? true
                            ? "" : "\n  'intentctl doctor' shows how to provide what is missing")
                        + Self.lines(status.problems ?? [])
                )
            )
        }
        return Self.exitCode(for: status.problems ?? [])
    }

    /// Returns one line for each problem, followed by a line for its hint.
    static func lines(_ problems: [ServiceProblem]) -> String {
        problems.map { problem in
            "\nproblem: \(problem.app.map { "\($0) cannot be used: " } ?? "")\(SafeText.line(problem.message))"
                + (problem.hint.map { "\n  \(SafeText.line($0))" } ?? "")
        }.joined()
    }

    /// Returns success only if all installed apps are usable.
    static func exitCode(for problems: [ServiceProblem]) -> ExitCode {
        if problems.isEmpty { return .done }
        return problems.contains { $0.app == nil } ? .tryLater : .configuration
    }

    /// Describes how many runs are waiting for an answer. Returns an empty string if no run is waiting.
    private static func waiting(_ status: DaemonStatus) -> String {
        guard let count = status.waitingCount, count > 0 else { return "" }
        return "\(count) waiting for an answer, "
    }
}
