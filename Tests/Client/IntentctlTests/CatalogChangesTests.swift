import IntentClient
import Testing
import intentctl

/// Tests what a person sees of an app that has changed.
@Suite struct CatalogChangesTests {
    private func intent(_ name: String, _ summary: String?, version: String? = nil) -> IntentDeclaration {
        var intent = IntentDeclaration(name: name, title: name, summary: summary)
        var details = IntentDetails()
        details.version = version
        intent.details = details
        intent.parameters = [ParameterDeclaration(name: "text", title: "Text", type: .string)]
        return intent
    }

    @Test func `equal catalogues have no changes`() {
        let intents = [intent("a", "Reads.", version: "1"), intent("b", nil)]
        #expect(CatalogChanges(from: intents, to: intents.reversed()).changes.isEmpty)
    }

    @Test func `a new description is shown beside the earlier one, with its invisible characters`() {
        let changes = CatalogChanges(from: [intent("a", "Reads.")], to: [intent("a", "Reads\u{202E}.")])
        #expect(changes.text == #"~ a\#n    description: "Reads." → "Reads\u{202E}.""#)
    }

    @Test func `intents and parameters that appear and disappear are named`() {
        var changed = intent("a", "Reads.")
        changed.parameters = [ParameterDeclaration(name: "path", title: "Path", type: .string)]
        let changes = CatalogChanges(
            from: [intent("a", "Reads."), intent("b", nil)],
            to: [changed, intent("c", "New.")]
        )
        #expect(
            changes.text == """
                ~ a
                    parameter added: "path"
                    parameter removed: "text"
                - b
                + c
                    "New."
                """
        )
    }

    @Test func `a change of the server that no type shows is a change`() {
        let changes = CatalogChanges(from: [intent("a", "x", version: "1")], to: [intent("a", "x", version: "2")])
        #expect(changes.changes.map(\.kind) == [.changed])
    }
}
