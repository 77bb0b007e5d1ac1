import IntentClient
import IntentLinux

/// Performs `intentctl describe APP[/INTENT]`.
struct DescribeCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func perform() async throws -> ExitCode {
        let selection = Selection(invocation.words[0])
        let app = try await invocation.connect().app(named: selection.app)
        let text: String
        let document: JSONValue
        if let name = selection.intent {
            let intent = try Selection.find(name, in: app)
            text = CatalogText.describe(intent, of: app)
            document = CatalogDocument.of(intent, app: app.name)
        } else {
            text = CatalogText.describe(app)
            document = CatalogDocument.of(app)
        }
        try Console.output(invocation.wantsJSON ? document.prettyText() : SafeText.printed(text))
        if !invocation.wantsJSON, app.intents == nil {
            Console.note(SafeText.line("\(app.name): no catalogue: \(app.problem ?? "no reason given")"))
        }
        return .done
    }
}
