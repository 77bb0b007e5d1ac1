import IntentLinux

/// Implements `intentctl reload`, which makes the daemon read its configuration and apps again.
struct ReloadCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let report = try await invocation.connect().reload()
        for warning in report.warnings where !invocation.wantsJSON {
            Console.note(SafeText.line("warning: \(warning)"))
        }
        try invocation.output(
            json: JSONValue(report),
            text: "reloaded: \(report.appCount) \(report.appCount == 1 ? "app" : "apps")"
        )
        return .done
    }
}
