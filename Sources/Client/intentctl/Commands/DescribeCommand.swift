import IntentLinux

/// Implements `intentctl describe APP[/INTENT]` and `intentctl describe --local EXECUTABLE [INTENT]`.
struct DescribeCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        if invocation.has("local") {
            return try await LocalDaemon.with(invocation.words[0], for: .description, isSilent: true) {
                connection,
                name in
                let intent = invocation.words.count > 1 ? invocation.words[1] : nil
                return try show(try await connection.app(named: name), intent: intent)
            }
        }
        let selection = Selection(invocation.words[0])
        return try show(try await invocation.connect().app(named: selection.app), intent: selection.intent)
    }

    private func show(_ app: AppDescription, intent name: String?) throws -> ExitCode {
        let text: String
        let document: JSONValue
        if let name {
            let intent = try Selection.find(name, in: app)
            let shown = app.inCallersLanguage
            text = CatalogText.describe(try Selection.find(name, in: shown), of: shown)
            document = CatalogDocument.of(intent, app: app.name)
        } else {
            text = CatalogText.describe(app.inCallersLanguage)
            document = CatalogDocument.of(app)
        }
        try invocation.output(json: document, text: SafeText.printed(text))
        if !invocation.wantsJSON, app.intents == nil {
            Console.note(SafeText.line("\(app.name) has no catalogue: \(app.problem ?? "no reason given")"))
        }
        return .done
    }
}
