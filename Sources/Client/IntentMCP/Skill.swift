import IntentCommandLine
import IntentLinux
import IntentProtocol

/// A skill of an app: a prompt and a resource of the server. Both say which app the text is from, because a model
/// otherwise reads it as the person's own words.
struct Skill {
    static let scheme = "intent-skill://"

    var prompt: String
    private var app: String
    private var declaration: SkillDeclaration

    /// Returns the skills of the apps that have a tool.
    static func all(of apps: [AppDescription], _ table: ToolTable) -> [Skill] {
        var names = Set(table.prompts.map(\.name))
        return apps.sorted { $0.name < $1.name }.filter { table.hasTools(of: $0.name) }.flatMap { app in
            (app.catalog?.skills ?? []).compactMap { declaration in
                let identity = ["skill", app.name, declaration.name]
                var name = ToolName.of([app.name, "skill", declaration.name])
                if names.contains(name) { name = ToolName.of(identity, identity: identity, attempt: 0) }
                guard names.insert(name).inserted else { return nil }
                return Skill(prompt: name, app: app.name, declaration: declaration)
            }
        }
    }

    var uri: String { "\(Self.scheme)\(PercentEncoding.encoded(app))/\(PercentEncoding.encoded(declaration.name))" }

    private var title: String { ToolTable.line("\(app): \(declaration.name)") }

    private var description: JSONValue { .string(ToolTable.line(declaration.summary)) }

    /// The skill's entry in `prompts/list`.
    var json: JSONValue {
        ["name": .string(prompt), "title": .string(title), "description": description, "arguments": []]
    }

    /// The skill's entry in `resources/list`.
    var resource: JSONValue {
        [
            "uri": .string(uri), "name": .string(prompt), "title": .string(title), "description": description,
            "mimeType": "text/markdown",
        ]
    }

    /// The result of `prompts/get`.
    var message: [String: JSONValue] {
        let text = "The app \(app) describes how to use its tools:\n\n\(SafeText.data(declaration.text))"
        return [
            "description": description,
            "messages": [["role": "user", "content": ["type": "text", "text": .string(text)]]],
        ]
    }

    /// The content of the resource.
    var contents: JSONValue {
        ToolResult.resource(uri, Array(SafeText.data(declaration.file).utf8), "text/markdown")
    }
}
