import IntentCommands
import IntentHash
import IntentLinux

/// What `run --dry-run` prints: the steps of a shortcut, with the values that are known before it runs.
struct DryRun {
    let app: AppDescription
    let intent: IntentDeclaration
    let inputs: [String: ParameterInput]

    func print(for invocation: Invocation, over connection: IntentConnection) async throws {
        let given = inputs.sorted { $0.key < $1.key }.map { name, input in
            let isSecret = intent.parameters.first { $0.name == name }?.isSecret == true
            return (name, isSecret ? "(secret)" : Self.text(of: input))
        }
        let name = "\(app.name)/\(intent.name)"
        let sentence = "would perform \(name)" + given.map { " \($0)=\($1)" }.joined()
        guard let shortcut = try await shortcut(over: connection) else {
            try invocation.output(
                json: .object([
                    "wouldPerform": .string(name),
                    "values": .object(Dictionary(uniqueKeysWithValues: given.map { ($0.0, JSONValue.string($0.1)) })),
                ]),
                text: SafeText.printed(sentence)
            )
            return
        }
        let apps = try await connection.apps()
        let catalogs = Dictionary(apps.compactMap { app in app.catalog.map { (app.name, $0) } }) { first, _ in first }
        let notes = shortcut.remarks(catalogs, file: app.name)
        let steps = shortcut.outline(knowing: known)
        try invocation.output(
            json: .object([
                "wouldPerform": .string(name),
                "steps": .array(steps.map { ["name": .string($0.name), "text": .string($0.text)] }),
                "notes": .array(notes.map { .string($0) }),
            ]),
            text: SafeText.printed(
                ([sentence] + steps.map { "  \($0.name): \($0.text)" } + notes.map { "note: \($0)" })
                    .joined(separator: "\n")
            )
        )
    }

    /// The values of parameters that are text within a template. A file is known by its path only.
    private var known: [String: String] {
        var known: [String: String] = [:]
        for parameter in intent.parameters where parameter.isSecret != true && !parameter.type.isList {
            if let input = inputs[parameter.name] {
                known[parameter.name] = Self.text(of: input)
            } else if let value = parameter.defaultValue {
                known[parameter.name] = JSONValue(plain: value).plainText
            }
        }
        return known
    }

    private static func text(of input: ParameterInput) -> String {
        switch input {
        case .value(let value): JSONValue(plain: value).plainText
        case .path(let path): path
        case .standardInput: "-"
        case .list(let elements): "[\(elements.map(text).joined(separator: ", "))]"
        }
    }

    /// Returns the shortcut that the app performs, from the file that the caller may read; nil for an app.
    private func shortcut(over connection: IntentConnection) async throws -> ShortcutFile? {
        var path = app.executable
        var own: OwnShortcut?
        if path.isEmpty {
            own = try await connection.ownShortcuts().first { $0.name == app.name }
            path = own?.path ?? ""
        }
        guard path.hasSuffix(utf8: ShortcutFile.suffix) else { return nil }
        do {
            let bytes = try File.bytes(at: path)
            if let own, SHA256.hexadecimal(of: bytes) != own.digest {
                throw CommandFailure(
                    .configuration,
                    code: "badConfiguration",
                    "'\(path)' differs from the stored shortcut",
                    hint: "store it again with 'intentctl shortcut add \(path)'"
                )
            }
            return try ShortcutFile(bytes, file: path)
        } catch let error as SystemError {
            throw CommandFailure(
                .configuration,
                code: "badConfiguration",
                "cannot read '\(path)': \(error)",
                hint: "ask the operator for its steps"
            )
        } catch let error as CommandFileProblems {
            throw CommandFailure(
                .configuration,
                code: "badConfiguration",
                error.description,
                hint: "see intentd.shortcut(5)"
            )
        }
    }
}

extension JSONValue {
    /// The text of a string without quotes; otherwise the JSON.
    fileprivate var plainText: String { if case .string(let text) = self { text } else { text() } }
}
