import IntentCommands
import IntentLauncherMessages

/// The description of an app that has the tools of an MCP server as its intents.
struct ServerDescription {
    private let arguments: [String]
    private let file: CommandFile

    init(of arguments: [String], _ file: CommandFile) {
        self.arguments = arguments
        self.file = file
    }

    /// Starts the server, and returns its tools as intents. The server ends with this process.
    ///
    /// - Throws: ``ArgumentError`` with the reason why the server does not describe its tools, and the next step.
    func catalog() throws -> IntentCatalog {
        let driver = ServerDriver(arguments, file)
        // A server that prints much must not wait for a run.
        driver.beginPrinting()
        driver.start()
        while true {
            for action in driver.step([], until: nil).actions {
                switch action {
                case .listed(let tools):
                    let warnings = file.warnings + tools.warnings
                    return IntentCatalog(
                        intents: tools.tools.map { tool in
                            var declaration = tool.declaration
                            declaration.details?.category = file.description
                            return declaration
                        },
                        warnings: warnings.isEmpty ? nil : warnings
                    )
                case .failed(let fault):
                    throw ArgumentError(fault.message + hint(driver.lastErrors))
                case .send, .restart, .log, .progress, .ask, .withdraw, .returned: continue
                }
            }
        }
    }

    /// The setting that explains what the server printed before it ended.
    private func hint(_ errors: String) -> String {
        guard let call = FailedCall(lines: errors) else { return "" }
        if call.isGeneratedCode == true { return ". It generates code: set GeneratedCode=yes in [Sandbox]" }
        // Without the network, the filter refuses to create a socket, which has no path.
        if call.isNetwork == true || call.errorNumber == 1 && call.path == nil && errors.contains(utf8: "socket") {
            return ". It needs the network to list its tools, which the description does not have"
        }
        if let path = call.path { return ServerProblem.sentence(about: path) }
        return ""
    }
}
