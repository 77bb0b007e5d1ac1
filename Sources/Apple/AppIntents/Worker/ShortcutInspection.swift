import IntentSharedTypes

/// Reads an app's shortcuts, and the parameter values of its intents.
enum ShortcutInspection {
    static func shortcuts(of providers: [any AppShortcutsProvider.Type]) -> [ShortcutDeclaration] {
        providers.sorted { _typeName($0) < _typeName($1) }.flatMap { $0.appShortcuts }.map { shortcut in
            ShortcutDeclaration(
                intent: type(of: shortcut.intent).persistentIdentifier,
                title: shortcut.shortTitle?.text,
                phrases: shortcut.phrases,
                values: values(of: shortcut.intent)
            )
        }
    }

    /// Returns the values that are set, except those that cannot be encoded.
    static func values(of intent: any AppIntent) -> [String: IntentValue] {
        var files = OutgoingFiles(directory: nil)
        var values: [String: IntentValue] = [:]
        // Ignore an error: an app without reflection metadata has no catalogue, and therefore neither shortcuts
        // nor runs.
        for (name, parameter) in (try? IntentInspection.parameters(of: intent)) ?? [] where parameter.hasGivenValue {
            values[name] = try? parameter.wireValue(files: &files)?.reference
        }
        return values
    }
}

extension IntentReference {
    /// Creates a reference to an intent, with the values that can be sent.
    init(to intent: any AppIntent, identifier: String? = nil) {
        self.init(
            intent: type(of: intent).persistentIdentifier,
            values: ShortcutInspection.values(of: intent),
            identifier: identifier
        )
    }
}

extension IntentValue {
    /// The value in the form that a parameter accepts. An entity is replaced with its id.
    var reference: IntentValue {
        switch self {
        case .object(let members): members["id"] ?? self
        case .array(let values): .array(values.map(\.reference))
        case .null, .bool, .int, .double, .string, .file: self
        }
    }
}
