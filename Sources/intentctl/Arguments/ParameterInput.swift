package import IntentClient

/// What a command line gives for one parameter, before any file is opened.
package enum ParameterInput: Hashable, Sendable {
    case value(RunValue)
    /// A file to open and hand over.
    case path(String)
    /// Standard input, to hand over as it is.
    case standardInput
}

extension ParameterInput {
    /// The text of an option as its parameter's type asks.
    package init(text: String, for parameter: IntentParameter) throws(CommandFailure) {
        switch parameter.type {
        case .string:
            self = .value(.string(text))
        case .int:
            guard let number = Int64(text) else { throw Self.mismatch(text, parameter) }
            self = .value(.int(number))
        case .double:
            guard let number = Double(text), number.isFinite else { throw Self.mismatch(text, parameter) }
            self = .value(.double(number))
        case .bool:
            switch text.lowercased() {
            case "true", "yes", "on", "1": self = .value(.bool(true))
            case "false", "no", "off", "0": self = .value(.bool(false))
            default: throw Self.mismatch(text, parameter)
            }
        case .file:
            guard !text.isEmpty else { throw Self.mismatch(text, parameter) }
            self = text == "-" ? .standardInput : .path(text)
        }
    }

    /// A value of a JSON object as its parameter's type asks; nil for null.
    package init?(json: JSONValue, for parameter: IntentParameter) throws(CommandFailure) {
        switch (parameter.type, json) {
        case (_, .null):
            return nil
        case (.string, .string(let text)):
            self = .value(.string(text))
        case (.int, .int(let number)):
            self = .value(.int(number))
        case (.double, .int(let number)):
            self = .value(.double(Double(number)))
        case (.double, .double(let number)):
            self = .value(.double(number))
        case (.bool, .bool(let value)):
            self = .value(.bool(value))
        case (.file, .string(let path)) where !path.isEmpty:
            self = path == "-" ? .standardInput : .path(path)
        case (.string, _), (.int, _), (.double, _), (.bool, _), (.file, _):
            throw CommandFailure(
                .usage,
                code: IntentClientError.Code.badParameter.rawValue,
                "'\(parameter.name)' in --json takes \(parameter.type.words), and \(json.text()) is none",
                hint: "for example: {\"\(parameter.name)\": \(parameter.type.jsonExample)}"
            )
        }
    }

    private static func mismatch(_ text: String, _ parameter: IntentParameter) -> CommandFailure {
        CommandFailure(
            .usage,
            code: IntentClientError.Code.badParameter.rawValue,
            "--\(ParameterName.kebab(parameter.name)) takes \(parameter.type.words), and '\(text)' is none",
            hint: "for example: \(parameter.example)"
        )
    }
}

extension ParameterType {
    /// What a person would call it.
    package var words: String {
        switch self {
        case .string: "text"
        case .int: "a whole number"
        case .double: "a number"
        case .bool: "true or false"
        case .file: "a file's path, or - for standard input"
        }
    }

    /// In tables and usage lines.
    package var placeholder: String {
        switch self {
        case .string: "TEXT"
        case .int: "INTEGER"
        case .double: "NUMBER"
        case .bool: "true|false"
        case .file: "FILE"
        }
    }

    fileprivate var jsonExample: String {
        switch self {
        case .string: "\"text\""
        case .int: "3"
        case .double: "1.5"
        case .bool: "true"
        case .file: "\"photo.jpg\""
        }
    }
}

extension IntentParameter {
    /// The parameter on a command line, with a value of its type.
    package var example: String {
        let option = "--" + ParameterName.kebab(name)
        switch type {
        case .string: return "\(option) text"
        case .int: return "\(option) 3"
        case .double: return "\(option) 1.5"
        case .bool: return option
        case .file: return "\(option) photo.jpg"
        }
    }
}
