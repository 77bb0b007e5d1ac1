import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests skills of apps as prompts and resources.
@Suite struct SkillTests {
    private static func app(_ skills: [SkillDeclaration]) -> AppDescription {
        var app = MCPPeer.app
        app.catalog?.skills = skills
        return app
    }

    private static let cook = SkillDeclaration(
        name: "cook-soup",
        summary: "How to cook",
        text: "# Cook\n\nOrder \u{1b}[1msoup\u{1b}[0m first."
    )

    private func list(_ method: String, _ member: String, _ app: AppDescription) -> [JSONValue] {
        var peer = MCPPeer()
        peer.request(method)
        guard case .array(let entries)? = peer.send(.apps([app])).result?[member] else { return [] }
        return entries
    }

    @Test func `a skill is a prompt that says which app the text is from`() throws {
        let prompts = list("prompts/list", "prompts", Self.app([Self.cook]))
        #expect(prompts.map { $0.members["name"] } == ["Kitchen_skill_cook-soup"])
        #expect(prompts.first?.members["description"] == "How to cook")
        var peer = MCPPeer()
        peer.request("prompts/list")
        _ = peer.send(.apps([Self.app([Self.cook])]))
        let got = peer.request("prompts/get", ["name": "Kitchen_skill_cook-soup"]).actions.result
        guard case .array(let messages)? = got?["messages"], let content = messages.first?.members["content"],
            case .string(let text)? = content.members["text"]
        else {
            Issue.record("no message")
            return
        }
        #expect(text.hasPrefix("The app Kitchen describes how to use its tools:\n\n# Cook\n\nOrder "))
        #expect(!text.contains("\u{1b}"))
    }

    @Test func `a skill is a resource with the text of its file`() throws {
        let resources = list("resources/list", "resources", Self.app([Self.cook]))
        #expect(resources.map { $0.members["uri"] } == ["intent-skill://Kitchen/cook-soup"])
        #expect(resources.first?.members["mimeType"] == "text/markdown")
        var peer = MCPPeer()
        peer.request("resources/read", ["uri": "intent-skill://Kitchen/cook-soup"])
        guard case .array(let contents)? = peer.send(.apps([Self.app([Self.cook])])).result?["contents"],
            case .string(let text)? = contents.first?.members["text"]
        else {
            Issue.record("no contents")
            return
        }
        #expect(text.hasPrefix("---\nname: cook-soup\ndescription: \"How to cook\"\n---\n\n# Cook\n"))
        #expect(peer.request("resources/read", ["uri": "intent-skill://Kitchen/other"]).actions.errorCode != nil)
    }

    @Test func `an app without a tool for the client has no skill`() {
        var app = Self.app([Self.cook])
        #expect(ToolTable([app]).skills.count == 1)
        var filter = ToolFilter()
        filter.patterns = ["Other/*"]
        #expect(ToolTable([app], filter).skills.isEmpty)
        app.catalog?.intents = []
        #expect(ToolTable([app]).skills.isEmpty)
    }

    @Test func `a changed skill changes the lists of a client`() {
        let (old, new) = (ToolTable([Self.app([])]), ToolTable([Self.app([Self.cook])]))
        #expect(new.isListed(differentlyFrom: old))
    }

    @Test(arguments: [
        ("find-a-book", true), ("a", true), ("a1-2", true), ("", false), ("-a", false), ("a-", false), ("a--b", false),
        ("A", false), ("a_b", false), ("../a", false), (String(repeating: "a", count: 65), false),
    ])
    func `the name of a skill is the name of a folder`(_ name: String, _ isName: Bool) {
        #expect(SkillDeclaration.isName(name) == isName)
    }
}
