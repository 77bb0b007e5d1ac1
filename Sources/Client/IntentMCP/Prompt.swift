import IntentCommandLine
import IntentLinux
import IntentProtocol

/// A prompt of the server, from an App Shortcut: the shortcut's phrase becomes a message of the user.
struct Prompt {
    var name: String
    var title: String
    /// The phrase, in which `${name}` stands for the argument `name`.
    private var phrase: String
    private var tool: String
    private var values: [String: IntentValue]
    /// The parameters that the phrase names.
    private var parameters: [ParameterDeclaration]

    /// Returns a prompt for each shortcut of an intent that is a tool.
    static func all(of apps: [AppDescription], _ table: ToolTable) -> [Prompt] {
        var prompts: [Prompt] = []
        for app in apps.sorted(by: { $0.name < $1.name }) {
            for shortcut in app.catalog?.shortcuts ?? [] {
                guard let phrase = shortcut.phrases.first, let tool = table.tool(for: shortcut.intent, in: app.name),
                    case .perform(_, let intent) = tool.action
                else { continue }
                let text = ToolTable.line(phrase.replacing(utf8: "${applicationName}", with: app.name))
                // A shortcut has no name of its own, and an intent can have several.
                let number = prompts.count { $0.tool == tool.name } + 1
                prompts.append(
                    Prompt(
                        name: number == 1 ? tool.name : "\(tool.name)-\(number)",
                        title: ToolTable.line(shortcut.title ?? intent.title),
                        phrase: text,
                        tool: tool.name,
                        values: shortcut.values,
                        parameters: intent.parameters.filter { text.contains(utf8: "${\($0.name)}") }
                    )
                )
            }
        }
        return prompts
    }

    /// The prompt's entry in `prompts/list`.
    var json: JSONValue {
        let arguments = parameters.map { parameter -> JSONValue in
            [
                "name": .string(parameter.name), "description": .string(ToolTable.line(parameter.title)),
                "required": true,
            ]
        }
        return [
            "name": .string(name), "title": .string(title), "description": .string(phrase),
            "arguments": .array(arguments),
        ]
    }

    /// Returns the result of `prompts/get`.
    func message(_ arguments: [String: JSONValue]) throws(ToolFailure) -> [String: JSONValue] {
        var text = phrase
        for parameter in parameters {
            guard let value = arguments[parameter.name]?.text else {
                throw ToolFailure("missing argument '\(parameter.name)': expected a string")
            }
            text = text.replacing(utf8: "${\(parameter.name)}", with: SafeText.line(value))
        }
        let fixed = values.isEmpty ? "" : " with \(JSONValue(plain: .object(values)).text())"
        return [
            "description": .string(title),
            "messages": [
                [
                    "role": "user",
                    "content": ["type": "text", "text": .string("\(text)\n(Use the tool \(tool)\(fixed).)")],
                ]
            ],
        ]
    }
}
