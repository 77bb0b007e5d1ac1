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

    /// The mistakes.
    func messages() -> [String] {
        var messages: [String] = []
        for template in intent.templates {
            for word in template.words {
                messages += word.placeholders.compactMap { message(about: $0, in: template) }
                messages += self.messages(about: word, in: template)
            }
        }
        messages += results() + undo()
        var known: Set<String> = []
        return messages.filter { known.insert($0).inserted }
    }

    private func message(about placeholder: Placeholder, in template: CommandTemplate) -> String? {
        let key = template.key
        switch placeholder {
        case .output:
            return template.uses.contains(.outputs) ? nil : "\(key)=: %{out:…} can only be in Exec= and Environment="
        case .result, .lastLine:
            return template.uses.contains(.result) ? nil : "\(key)=: there is no result yet"
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
                return "\(key)=: %{fd:…} can only be in Exec= and Environment="
            }
            return parameter.declaration.type == .string || parameter.declaration.type == .url
                ? nil : "\(key)=: '%{fd:\(parameter.name)}': only a string can be read from a descriptor"
        case .value:
            if parameter.isSecret, !template.uses.contains(.secrets) {
                return """
                    \(key)=: the value of '\(parameter.name)' is secret; pass it by Environment=, StandardInput= or \
                    %{fd:\(parameter.name)}
                    """
            }
            if isFile, !template.uses.contains(.files) {
                return "\(key)=: '\(parameter.name)' is a file, which has a path only in Exec= and Environment="
            }
            if parameter.declaration.type.isList, !template.uses.contains(.lists) {
                return "\(key)=: '\(parameter.name)' is a list, which can only be in Exec=, Cancel= and Dialog="
            }
            return nil
        case .condition, .output, .result, .lastLine: return nil
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
            messages.append("\(template.key)=: an argument contains two lists; write two arguments")
        }
        // A value right behind a hyphen would choose the option.
        let leading = word.leadingText
        if !leading.isEmpty, leading.utf8.allSatisfy({ $0 == UInt8(ascii: "-") }), word.pieces.count > 1,
            case .placeholder(.value(let name)) = word.pieces[1], intent.parameter(name)?.hasClosedValues == false
        {
            messages.append(
                "\(template.key)=: '\(leading)%{\(name)}' lets a value choose the option; name the option, or list the values in Options="
            )
        }
        return messages
    }

    private func results() -> [String] {
        switch intent.result {
        case .files: intent.outputs.isEmpty ? ["Result=files: Exec= has no %{out:NAME}"] : []
        case .none: []
        case .text, .integer, .number, .boolean, .json, .lines, .status:
            intent.outputs.isEmpty
                ? []
                : ["Result=\(intent.result.rawValue): Exec= has %{out:NAME}, and an intent returns one or the other"]
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

/// A key with placeholders, and what they may stand for there.
struct CommandTemplate {
    struct Uses: OptionSet {
        let rawValue: Int

        /// Each word becomes an argument.
        static let arguments = Uses(rawValue: 1 << 0)
        static let lists = Uses(rawValue: 1 << 1)
        /// Paths of copies of files.
        static let files = Uses(rawValue: 1 << 2)
        static let outputs = Uses(rawValue: 1 << 3)
        static let descriptors = Uses(rawValue: 1 << 4)
        /// Values of secret parameters.
        static let secrets = Uses(rawValue: 1 << 5)
        static let result = Uses(rawValue: 1 << 6)
    }

    var key: String
    var words: [TemplateWord]
    var uses: Uses

    init(_ key: CommandIntentKey, _ words: [TemplateWord], _ uses: Uses) {
        self.key = key.rawValue
        self.words = words
        self.uses = uses
    }

    fileprivate init(optionsOf parameter: CommandParameter, _ words: [TemplateWord]) {
        key = CommandParameterKey.optionsCommand.rawValue
        self.words = words
        uses = [.arguments, .lists]
    }
}

extension CommandIntent {
    /// Every key with placeholders.
    var templates: [CommandTemplate] {
        // A file parameter alone is passed as the standard input itself.
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
                parameter.optionsCommand.map { CommandTemplate(optionsOf: parameter, $0) }
            }
    }
}
