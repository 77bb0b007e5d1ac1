import IntentLinux

/// Implements `intentctl upgrade`, which replaces the daemon with the installed program.
struct UpgradeCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let connection = try await invocation.connect()
        let previous = try await connection.status().software
        let status = try await connection.upgrade()
        let runs = status.runningCount == 1 ? "1 run continues" : "\(status.runningCount) runs continue"
        try invocation.output(
            json: .object([
                "from": .string(previous), "to": .string(status.software), "runCount": .int(Int64(status.runningCount)),
            ]),
            text: SafeText.line("upgraded from \(previous) to \(status.software); \(runs)")
        )
        return .done
    }
}
