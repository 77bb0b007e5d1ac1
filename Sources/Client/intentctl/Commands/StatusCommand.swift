import IntentLinux

/// Implements `intentctl status`, which prints the state and the problems of the daemon.
struct StatusCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let status = try await invocation.connect().status()
        try invocation.output(json: JSONValue(status), text: SafeText.printed(Self.text(of: status)))
        return Self.exitCode(for: status.problems ?? [])
    }

    /// Returns the status as text, without a trailing line break.
    static func text(of status: DaemonStatus) -> String {
        let counts = "\(status.runningCount) running, \(waiting(status))\(status.queuedCount) queued"
        var lines = ["\(status.software), up for \(TimeSpan.format(status.uptime))"]
        if let hosts = status.hosts {
            lines += [counts] + hosts.map(line)
        } else {
            lines += [
                "\(counts), \(status.endedCount) ended",
                "\(status.appCount) \(status.appCount == 1 ? "app" : "apps")",
                "isolation: \(IsolationText.of(status))",
            ]
            if status.isolationMissing?.isEmpty == false {
                lines.append("  'intentctl doctor' shows how to improve the isolation")
            }
        }
        for run in status.outdatedRuns ?? [] {
            lines.append(
                "run \(run.run) of \(SafeText.line(run.app)) uses \(SafeText.line(run.path)) from before its change, until it ends"
            )
        }
        lines += approvals(status)
        return lines.joined(separator: "\n") + Self.lines(status.problems ?? [])
    }

    /// Returns one line for each standing approval.
    static func approvals(_ status: DaemonStatus) -> [String] {
        (status.standingApprovals ?? []).map { approval in
            "approval of run \(approval.run) by \(Users.name(approval.user)), open for \(TimeSpan.format(approval.remaining)): "
                + "\(SafeText.line(approval.text)) ('intentctl revoke \(approval.run)')"
        }
    }

    private static func line(_ host: FleetHost) -> String {
        let seen = host.sinceSeen.map { ", seen \(TimeSpan.format($0)) ago" } ?? ""
        return "host \(SafeText.line(host.name)): \(SafeText.line(host.state.rawValue))\(seen), "
            + "\(host.runningCount) running, \(host.freeCount) free, "
            + "\(host.intentCount) \(host.intentCount == 1 ? "intent" : "intents")"
    }

    /// Returns one line for each problem, followed by a line for its hint.
    static func lines(_ problems: [ServiceProblem]) -> String {
        problems.map { problem in
            "\nproblem: \(problem.app.map { "\($0) cannot be used: " } ?? "")\(SafeText.line(problem.message))"
                + (problem.hint.map { "\n  \(SafeText.line($0))" } ?? "")
        }.joined()
    }

    /// Returns ``ExitCode/tryLater`` if a problem affects the daemon, and ``ExitCode/configuration`` if problems affect
    /// only apps and files.
    static func exitCode(for problems: [ServiceProblem]) -> ExitCode {
        if problems.isEmpty { return .done }
        return problems.contains { $0.app == nil && $0.file == nil } ? .tryLater : .configuration
    }

    /// Describes how many runs are waiting for an answer. Returns an empty string if no run is waiting.
    static func waiting(_ status: DaemonStatus) -> String {
        status.waitingCount.map { $0 > 0 ? "\($0) waiting for an answer, " : "" } ?? ""
    }
}
