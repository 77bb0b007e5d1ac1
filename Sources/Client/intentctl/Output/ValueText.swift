/// Formats values as text, and replaces the files in values with strings such as paths.
package enum ValueText {
    /// Formats a value as one or more lines. Each element of a list is on a separate line.
    package static func of(_ value: IntentValue) -> String {
        switch value {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .array(let values): values.map(of).joined(separator: "\n")
        case .file(let file): file.name
        case .object: JSONValue(plain: value).text()
        }
    }

    /// Replaces each file in a value with the string that a closure returns for the file.
    package static func replacingFiles(
        in value: IntentValue,
        _ text: (FileReference) throws(CommandFailure) -> String
    ) throws(CommandFailure) -> IntentValue {
        switch value {
        case .file(let file):
            return .string(try text(file))
        case .array(let values):
            var replaced: [IntentValue] = []
            for value in values { replaced.append(try replacingFiles(in: value, text)) }
            return .array(replaced)
        case .object(let members):
            var replaced: [String: IntentValue] = [:]
            for (name, value) in members { replaced[name] = try replacingFiles(in: value, text) }
            return .object(replaced)
        case .null, .bool, .int, .double, .string:
            return value
        }
    }

    /// Converts the value to its declared type. JSON encodes the double 2.0 as 2, which is decoded as an integer.
    package static func typed(_ value: IntentValue, as type: ValueType?) -> IntentValue {
        switch (value, type) {
        case (.int(let number), .double): .double(Double(number))
        case (.array(let values), _): .array(values.map { typed($0, as: type?.element) })
        default: value
        }
    }
}
