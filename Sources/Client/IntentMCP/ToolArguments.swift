import FoundationEssentials
import IntentCommandLine
import IntentHash
import IntentProtocol

/// Converts the arguments of a call to the values of an intent's parameters.
enum ToolArguments {
    /// Returns the arguments without those that are null: frameworks send null for each argument that a model omits.
    static func present(_ arguments: [String: JSONValue]) -> [String: JSONValue] {
        arguments.filter { $0.value != .null }
    }

    static func read(
        _ arguments: [String: JSONValue],
        for intent: IntentDeclaration
    ) throws(ToolFailure) -> [String: ParameterInput] {
        var inputs: [String: ParameterInput] = [:]
        for (name, json) in arguments.sorted(by: { $0.key < $1.key }) {
            guard let parameter = intent.parameters.first(where: { $0.name == name }) else {
                throw unknown(name, among: intent.parameters.map(\.name))
            }
            let input = try ToolFailure.mapping { () throws(ParameterError) in
                try ParameterInput(json: json, for: parameter, location: "")
            }
            if let input { inputs[name] = try files(in: input, of: name) }
        }
        let missing = intent.parameters.filter { $0.isRequired && inputs[$0.name] == nil }
        guard missing.isEmpty else {
            let names = missing.map { "'\($0.name)' (\($0.type.words))" }.joined(separator: ", ")
            throw ToolFailure("missing arguments: \(names)")
        }
        return inputs
    }

    /// Checks the names and types of arguments for a tool of the server itself.
    static func check(_ arguments: [String: JSONValue], of tool: Tool) throws(ToolFailure) {
        let properties = tool.inputSchema.members["properties"]?.members ?? [:]
        for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
            guard let type = properties[name]?.members["type"]?.text else {
                throw unknown(name, among: properties.keys.sorted())
            }
            let given =
                switch value {
                case .string: "string"
                case .int: "integer"
                case .double: "number"
                case .bool: "boolean"
                case .array: "array"
                case .object: "object"
                case .null: "null"
                }
            guard given == type else { throw ToolFailure("'\(name)': expected the type \(type), got \(given)") }
        }
    }

    private static func unknown(_ name: String, among names: [String]) -> ToolFailure {
        let near = NearestName.of(name, among: names).map { "did you mean '\($0)'?" }
        let all = names.isEmpty ? "the tool has no arguments" : "expected \(names.joined(separator: ", "))"
        return ToolFailure("unknown argument '\(WireCoding.excerpt(name))'", hint: near ?? all)
    }

    /// Replaces each `file:` URI (RFC 8089) in the input with its path. A file can also be in a `data:` URI, or in the
    /// result of a run. It cannot be standard input, because the protocol uses standard input.
    private static func files(in input: ParameterInput, of name: String) throws(ToolFailure) -> ParameterInput {
        switch input {
        case .value: return input
        case .standardInput: throw notFile(name)
        case .list(let elements):
            return .list(try elements.map { (element) throws(ToolFailure) in try files(in: element, of: name) })
        case .path(let text):
            if text.hasPrefix(utf8: "/") { return input }
            if case .file? = RunResource(uri: text)?.part { return input }
            if text.hasPrefix(utf8: "data:") {
                guard DataURI(text) != nil else {
                    throw ToolFailure(
                        "'\(name)': expected a data URI of at most \(DataURI.byteLimit) bytes",
                        hint: "for example: data:text/plain;name=note.txt;base64,aGVsbG8="
                    )
                }
                return input
            }
            guard let url = URL(string: text), url.scheme == "file", ["", "localhost"].contains(url.host() ?? "") else {
                throw notFile(name)
            }
            // The decoded path is checked again, because it can contain any bytes.
            guard let path = String(validForeign: url.path(percentEncoded: false).utf8), path.hasPrefix(utf8: "/"),
                !path.utf8.contains(0)
            else { throw notFile(name) }
            return .path(path)
        }
    }

    private static func notFile(_ name: String) -> ToolFailure {
        ToolFailure(
            "'\(name)': expected a file URI",
            hint: "for example: file:///home/user/report.pdf, data:text/plain,hello, or the URI of a file in a result"
        )
    }
}

/// Computes the digest of a call from its tool and arguments. Equal calls have equal digests.
enum ArgumentDigest {
    static func of(tool: String, _ arguments: [String: JSONValue]) -> String {
        let call: JSONValue = ["tool": .string(tool), "arguments": .object(arguments)]
        return SHA256.hexadecimal(of: call.text().utf8)
    }
}
