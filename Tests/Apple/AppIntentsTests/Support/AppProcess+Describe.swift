import IntentLauncherMessages

extension AppProcess {
    /// Runs the app in mode `describe`, and returns its catalogue and its output.
    static func describing(_ app: String) throws -> (catalog: IntentCatalog, output: String) {
        let process = try AppProcess(app, mode: "describe")
        guard case .hello? = try process.next()?.report, case .catalog(let catalog)? = try process.next()?.report else {
            throw Failure(description: "no catalogue; printed: \(process.output)")
        }
        guard process.exitCode() == 0 else { throw Failure(description: "not 0; printed: \(process.output)") }
        return (catalog, process.output)
    }

    static func catalog(of app: String) throws -> IntentCatalog { try describing(app).catalog }

    static func declaration(of intent: String, in app: String) throws -> IntentDeclaration {
        guard let found = try catalog(of: app).intents.first(where: { $0.name == intent }) else {
            throw Failure(description: "\(app) has no \(intent)")
        }
        return found
    }

    /// Runs the app as a person would on the command line, and returns its exit code and its output.
    static func byHand(_ app: String, _ arguments: String...) throws -> (code: Int32, output: String) {
        let process = try AppProcess(app, mode: nil, arguments: arguments)
        return (process.exitCode(), process.output)
    }
}
