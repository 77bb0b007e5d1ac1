package import IntentSharedTypes

/// The value of a parameter on the command line, before any file is opened.
package enum ParameterInput: Hashable, Sendable {
    case value(IntentValue)
    /// A file to open and pass.
    case path(String)
    /// Standard input, passed to the run as a descriptor.
    case standardInput
    case list([ParameterInput])
}

extension ParameterInput {
    /// Parses an option's value as the parameter's type or, for a list, as one element.
    ///
    /// - Parameter context: The option that precedes the parameter's name in error messages, such as `--where`; nil to
    ///   name the parameter's own option.
    package init(text: String, for parameter: ParameterDeclaration, in context: String? = nil) throws(ParameterError) {
        let option = context.map { "\($0), '\(parameter.name)'" } ?? "--" + ParameterName.kebab(parameter.name)
        let type = parameter.type.element
        guard type == .file || ByteText.isUTF8(text) else {
            throw Self.bad(
                "\(option): the value is not UTF-8: '\(WireCoding.excerpt(ByteText.shown(text)))'",
                hint: "only the path of a file can have other bytes"
            )
        }
        guard let input = Self.read(text, as: type, of: parameter) else {
            throw Self.bad(
                "\(option): expected \(parameter.words), got '\(WireCoding.excerpt(text))'",
                hint: Self.nearestChoice(to: text, of: type) ?? "for example: \(parameter.example)"
            )
        }
        try input.check(option, type, parameter, example: parameter.example)
        self = input
    }

    /// Converts a value in a JSON object to the parameter's type. Returns nil for null.
    ///
    /// - Parameter location: A string that error messages append to the parameter's name, to locate the JSON object.
    package init?(
        json: JSONValue,
        for parameter: ParameterDeclaration,
        location: String = " in --json"
    ) throws(ParameterError) {
        if json == .null { return nil }
        let context = "'\(parameter.name)'\(location)"
        let hint = "for example: \(parameter.jsonExample)"
        guard case .array(let element) = parameter.type else {
            self = try Self.element(json, context, parameter.type, parameter, hint: hint)
            return
        }
        guard case .array(let values) = json else {
            let expected = "a list in which each element is \(parameter.words)"
            throw Self.bad("\(context): expected \(expected), got \(WireCoding.excerpt(json.text()))", hint: hint)
        }
        self = .list(
            try values.map { (value) throws(ParameterError) in
                try Self.element(value, context, element, parameter, hint: hint)
            }
        )
    }

    /// The value, with null instead of each file.
    package var plainValue: IntentValue {
        switch self {
        case .value(let value): value
        case .path, .standardInput: .null
        case .list(let elements): .array(elements.map(\.plainValue))
        }
    }

    package var readsStandardInput: Bool { leaves.contains(.standardInput) }

    /// The elements of a list, or the input itself if it is not a list.
    package var leaves: [ParameterInput] {
        if case .list(let elements) = self { return elements.flatMap(\.leaves) }
        return [self]
    }

    private static func element(
        _ json: JSONValue,
        _ context: String,
        _ type: ValueType,
        _ parameter: ParameterDeclaration,
        hint: String
    ) throws(ParameterError) -> ParameterInput {
        guard let input = read(json, as: type, of: parameter) else {
            var near: String?
            if case .string(let text) = json { near = nearestChoice(to: text, of: type) }
            let excerpt = WireCoding.excerpt(json.text())
            throw bad("\(context): expected \(parameter.words), got \(excerpt)", hint: near ?? hint)
        }
        try input.check(context, type, parameter, example: parameter.jsonExample)
        return input
    }

    /// Checks ranges and the daemon's own rules in the client, so that the error message can name the option.
    private func check(
        _ context: String,
        _ type: ValueType,
        _ parameter: ParameterDeclaration,
        example: String
    ) throws(ParameterError) {
        guard case .value(let value) = self else { return }
        do throws(ValueMismatch) {
            _ = try type.accept(value, in: parameter.range)
        } catch {
            throw Self.bad("\(context): \(error.message)", hint: error.hint ?? "for example: \(example)")
        }
    }

    private static func bad(_ message: String, hint: String) -> ParameterError {
        ParameterError(.badParameter, message, hint: hint)
    }

    private static func nearestChoice(to text: String, of type: ValueType) -> String? {
        guard case .enumeration(let choices) = type else { return nil }
        let near = NearestName.of(text, among: choices.map(\.value) + choices.map(\.title))
        guard let choice = choices.first(where: { $0.value == near || $0.title == near }) else { return nil }
        return "did you mean '\(choice.value)'?"
    }
}
