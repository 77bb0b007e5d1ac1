import IntentClient
import IntentLinux

/// Implements `intentctl reload`, which makes the daemon read its configuration and apps again.
struct ReloadCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let report = try await invocation.connect().reload()
        if invocation.wantsJSON {
            try Console.output(JSONValue(report).prettyText())
        } else {
            for warning in report.warnings { Console.note(SafeText.line("warning: \(warning)")) }
            try Console.output("reloaded: \(report.appCount) \(report.appCount == 1 ? "app" : "apps")")
        }
        return .done
    }
}
