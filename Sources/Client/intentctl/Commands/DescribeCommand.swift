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
                return try show(try await connection.app(named: name), intent: intent, as: invocation.words[0])
            }
        }
        let selection = Selection(invocation.words[0])
        let app = try await invocation.connect().app(named: selection.app)
        return try show(app, intent: selection.intent, as: selection.app)
    }

    private func show(_ app: AppDescription, intent name: String?, as word: String) throws -> ExitCode {
        if invocation.has("changes") { return try showChanges(of: app, as: word) }
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

    /// Shows how the intents differ from those at the last review, and records that the user has seen them.
    private func showChanges(of app: AppDescription, as word: String) throws -> ExitCode {
        guard let intents = app.intents else {
            throw CommandFailure(
                .configuration,
                code: "brokenApp",
                SafeText.line("\(app.name) has no catalogue: \(app.problem ?? "no reason given")"),
                hint: "correct the app, then try again"
            )
        }
        let review = try ReviewedCatalog(of: word)
        let earlier = review.read()
        let changes = CatalogChanges(from: earlier ?? [], to: intents)
        let none = "nothing has changed since the last review"
        try invocation.output(json: changes.document, text: changes.changes.isEmpty ? none : changes.text)
        if earlier == nil {
            Console.note("this is the first review of \(SafeText.line(app.name)): all intents are new")
        }
        try review.write(intents)
        return .done
    }
}
