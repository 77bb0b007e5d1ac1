import IntentCommandLine
import IntentConfiguration
import IntentProtocol

/// Checks the placeholders of an intent's templates against its parameters.
struct TemplateCheck {
    private let intent: CommandIntent
    private let intents: [CommandIntent]

    init(of intent: CommandIntent, in intents: [CommandIntent]) {
        self.intent = intent
        self.intents = intents
    }

    /// Returns a message for each mistake.
    func messages() -> [String] {
        var messages: [String] = []
        for template in intent.templates {
            for word in template.words {
                messages += word.placeholders.compactMap { message(about: $0, in: template) }
                messages += self.messages(about: word, in: template)
            }
        }
        if intent.usesTerminal, intent.progressSource != .both {
            messages.append(
                "ProgressSource=\(intent.progressSource.rawValue): with Terminal=yes, both streams are one; remove a key"
            )
        }
        messages += results() + undo()
        var known: Set<String> = []
        return messages.filter { known.insert($0).inserted }
    }

    private func message(about placeholder: Placeholder, in template: CommandTemplate) -> String? {
        let key = template.key
        switch placeholder {
        case .output:
            return template.uses.contains(.outputs)
                ? nil : "\(key)=: %{out:…} is permitted only in Exec= and Environment="
        case .result, .lastLine:
            return template.uses.contains(.result)
                ? nil : "\(key)=: %{result} and %{last-line} are permitted only in Dialog= and Undo="
        case .part(let name, let path):
            let whole = ([name] + path).joined(separator: ".")
            return "\(key)=: '%{\(whole)}': only a shortcut can use a part of a value; write %{\(name)}"
        case .value(let name), .condition(let name, _, _), .descriptor(let name):
            guard let parameter = intent.parameter(name) else {
                let hint = NearestName.hint(for: name, among: intent.parameters.map(\.name))
                let advice = hint ?? "add a section [Intent \(intent.name).Parameter \(name)]"
                return "\(key)=: unknown parameter '\(name)'; \(advice)"
            }
            return message(about: placeholder, of: parameter, in: template)
        }
    }

    private func message(
        about placeholder: Placeholder,
        of parameter: CommandParameter,
        in template: CommandTemplate
    ) -> String? {
        let key = template.key
        let isFile = parameter.declaration.type.element == .file
        switch placeholder {
        case .descriptor:
            guard template.uses.contains(.descriptors) else {
                return "\(key)=: %{fd:…} is permitted only in Exec= and Environment="
            }
            return parameter.declaration.type == .string || parameter.declaration.type == .url
                ? nil : "\(key)=: '%{fd:\(parameter.name)}': only a string can be passed with %{fd:…}"
        case .value:
            if parameter.isSecret, !template.uses.contains(.secrets) {
                return """
                    \(key)=: the value of '\(parameter.name)' is secret; pass it with Environment=, StandardInput= or \
                    %{fd:\(parameter.name)}
                    """
            }
            if isFile, !template.uses.contains(.files) {
                return """
                    \(key)=: '\(parameter.name)' is a file; use it in Exec=, Environment= or Summary=, or as the whole \
                    value of StandardInput=
                    """
            }
            if parameter.declaration.type.isList, !template.uses.contains(.lists) {
                return """
                    \(key)=: '\(parameter.name)' is a list; use it in Exec=, Cancel=, OptionsCommand=, Summary=, Dialog= or \
                    Undo=
                    """
            }
            return nil
        case .condition, .output, .part, .result, .lastLine: return nil
        }
    }

    private func messages(about word: TemplateWord, in template: CommandTemplate) -> [String] {
        guard template.uses.contains(.arguments) else { return [] }
        var messages: [String] = []
        let values = word.pieces.compactMap { piece -> CommandParameter? in
            guard case .placeholder(.value(let name)) = piece else { return nil }
            return intent.parameter(name)
        }
        if values.filter(\.declaration.type.isList).count > 1 {
            messages.append("\(template.key)=: an argument contains two lists; use a separate argument for each list")
        }
        // Refuse a value immediately after a hyphen, because it would determine the option.
        let leading = word.leadingText
        if !leading.isEmpty, leading.utf8.allSatisfy({ $0 == UInt8(ascii: "-") }), word.pieces.count > 1,
            case .placeholder(.value(let name)) = word.pieces[1], intent.parameter(name)?.hasClosedValues == false
        {
            messages.append(
                "\(template.key)=: '\(leading)%{\(name)}' lets a value determine the option; "
                    + "write the option's name, or list the values in Options="
            )
        }
        return messages
    }

    private func results() -> [String] {
        switch intent.result {
        case .files: intent.outputs.isEmpty ? ["Result=files: Exec= contains no %{out:NAME}"] : []
        case .none: []
        case .text, .integer, .number, .boolean, .json, .lines, .status:
            intent.outputs.isEmpty
                ? []
                : [
                    """
                    Result=\(intent.result.rawValue): Exec= contains %{out:NAME}; set Result=files, or remove %{out:NAME}
                    """
                ]
        }
    }

    private func undo() -> [String] {
        guard let undo = intent.undo else { return [] }
        guard let other = intents.first(where: { $0.name == undo.intent }) else {
            let hint = NearestName.hint(for: undo.intent, among: intents.map(\.name))
            return ["Undo=: the file has no intent '\(undo.intent)'\(hint.map { "; \($0)" } ?? "")"]
        }
        return undo.values.filter { other.parameter($0.name) == nil }.map {
            "Undo=: '\(other.name)' has no parameter '\($0.name)'"
        }
    }
}

/// A key with placeholders, and the kinds of placeholders that it permits.
struct CommandTemplate {
    enum Use {
        /// Each word of the key becomes an argument of a program.
        case arguments
        case lists
        /// Placeholders for files, which are replaced with the paths of copies.
        case files
        case outputs
        case descriptors
        /// Placeholders for secret parameters.
        case secrets
        case result
    }

    var key: String
    var words: [TemplateWord]
    var uses: Set<Use>
}

extension CommandTemplate {
    fileprivate init(_ key: CommandIntentKey, _ words: [TemplateWord], _ uses: Set<Use>) {
        self.init(key: key.rawValue, words: words, uses: uses)
    }
}

extension CommandIntent {
    /// All keys of the intent that may contain placeholders.
    var templates: [CommandTemplate] {
        // If the key's value is a single file parameter, the file itself becomes the standard input.
        let isInputFile = standardInput?.onlyValue.flatMap(parameter)?.declaration.type == .file
        return [
            CommandTemplate(.exec, exec, [.arguments, .lists, .files, .outputs, .descriptors]),
            CommandTemplate(.environment, environment.map(\.value), [.files, .outputs, .descriptors, .secrets]),
            CommandTemplate(.standardInput, standardInput.map { [$0] } ?? [], isInputFile ? [.files] : [.secrets]),
            CommandTemplate(.workingDirectory, workingDirectory.map { [$0] } ?? [], []),
            CommandTemplate(.cancel, cancel ?? [], [.arguments, .lists]),
            CommandTemplate(.summary, summary.map { [$0] } ?? [], [.lists, .files]),
            CommandTemplate(.dialog, dialog.map { [$0] } ?? [], [.lists, .result]),
            CommandTemplate(.undo, undo?.values.map(\.value) ?? [], [.lists, .result]),
        ]
            + parameters.compactMap { parameter in
                let key = CommandParameterKey.optionsCommand.rawValue
                return parameter.optionsCommand.map {
                    CommandTemplate(key: key, words: $0, uses: [.arguments, .lists])
                }
            }
    }
}
