import IntentLinux

/// Implements `intentctl list [APP]`, which lists the intents of all apps or of one app.
struct ListCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let connection = try await invocation.connect()
        let apps: [AppDescription]
        if let name = invocation.words.first {
            apps = [try await connection.app(named: name)]
        } else {
            apps = try await connection.apps()
        }
        if invocation.wantsJSON {
            try Console.output(CatalogDocument.of(apps))
            return .done
        }
        if apps.isEmpty { Console.note(CatalogText.noApps(ofUser: invocation.has("user"))) }
        if !apps.isEmpty { try Console.output(CatalogText.list(apps.map(\.inCallersLanguage))) }
        for app in apps where app.intents == nil {
            Console.note(SafeText.line("\(app.name) has no catalogue: \(app.problem ?? "no reason given")"))
        }
        return .done
    }
}
