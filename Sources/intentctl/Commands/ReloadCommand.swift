import IntentClient

/// `intentctl reload`
struct ReloadCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func perform() async throws -> ExitCode {
        let (appCount, warnings) = try await invocation.connect().reload()
        if invocation.wantsJSON {
            let document = JSONValue.object([
                "appCount": .int(Int64(appCount)), "warnings": .array(warnings.map(JSONValue.string)),
            ])
            try Console.output(document.prettyText())
        } else {
            for warning in warnings { Console.note(SafeText.line("warning: \(warning)")) }
            try Console.output("reloaded: \(appCount) \(appCount == 1 ? "app" : "apps")")
        }
        return .done
    }
}
