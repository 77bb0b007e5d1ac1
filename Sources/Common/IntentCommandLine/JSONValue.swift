package import IntentSharedTypes

/// Any JSON value, for output and for `--json`.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Parses JSON of any size. Returns nil if the bytes are not JSON, or if ``PayloadShape`` does not permit them.
    package init?(parsing bytes: [UInt8]) {
        // Discard the error, because its message would not help the user.
        guard let value = try? WireCoding.decode(JSONValue.self, from: bytes, as: .value) else { return nil }
        self = value
    }

    /// Creates the plain JSON of a value. Objects are not wrapped in the key `object`, and files are replaced with
    /// their names.
    package init(plain value: IntentValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .int(let value): .int(value)
            case .double(let value): .double(value)
            case .string(let value): .string(value)
            case .array(let values): .array(values.map { JSONValue(plain: $0) })
            case .file(let file): .string(file.name)
            case .object(let members): .object(members.mapValues { JSONValue(plain: $0) })
            }
    }

    /// Creates the JSON of a protocol type, in the form that clients receive.
    package init(_ value: some Encodable) {
        do {
            self = try WireCoding.decodeFile(JSONValue.self, from: WireCoding.encode(value))
        } catch {
            preconditionFailure("cannot encode a type of the protocol: \(error)")
        }
    }

    /// Creates an object from the members that have a value.
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        object([:]).adding(members)
    }

    /// The members of an object. The dictionary is empty for other values.
    package var members: [String: JSONValue] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// Returns the object with additional members. Omits members without a value.
    package func adding(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var all = self.members
        for case (let key, let value?) in members { all[key] = value }
        return .object(all)
    }

    /// Formats the JSON on one line, with sorted keys. JSON's own notation hides no character: see ``SafeText/json(_:)``.
    package func text() -> String { SafeText.json(String(foreign: bytes)) }

    /// The JSON on one line, with sorted keys. `Codable` needs ten times as long for a large value.
    private var bytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.raw("null")
        case .bool(let value): writer.put(value)
        case .int(let value): writer.put(value)
        // JSON cannot express infinity and NaN.
        case .double(let value): value.isFinite ? writer.put(value) : writer.raw("null")
        case .string(let value): writer.put(value)
        case .array(let values):
            writer.raw("[")
            for (index, value) in values.enumerated() {
                if index > 0 { writer.raw(",") }
                value.write(to: &writer)
            }
            writer.raw("]")
        case .object(let members):
            writer.raw("{")
            for (index, (name, value)) in Self.sorted(members).enumerated() {
                if index > 0 { writer.raw(",") }
                writer.put(name)
                writer.raw(":")
                value.write(to: &writer)
            }
            writer.raw("}")
        }
    }

    private static func sorted(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    /// Formats the JSON with indentation and sorted keys.
    package func prettyText() -> String { SafeText.json(lines(indentation: "")) }

    /// The JSON with all its strings escaped for a model or a person: names of members, too.
    package var shown: JSONValue { isPlain ? self : escaped }

    /// True if no string needs an escape. Most values do not, and a copy of a large value takes longer than the answer.
    private var isPlain: Bool {
        switch self {
        case .null, .bool, .int, .double: true
        case .string(let text): SafeText.isPlainData(text)
        case .array(let values): values.allSatisfy(\.isPlain)
        case .object(let members): members.allSatisfy { SafeText.isPlainData($0) && $1.isPlain }
        }
    }

    private var escaped: JSONValue {
        switch self {
        case .null, .bool, .int, .double: self
        case .string(let text): .string(SafeText.data(text))
        case .array(let values): .array(values.map(\.escaped))
        case .object(let members):
            // If two names have equal notation, keep the first name.
            .object(
                Dictionary(members.map { (SafeText.data($0), $1.escaped) }, uniquingKeysWith: { first, _ in first })
            )
        }
    }

    private func lines(indentation: String) -> String {
        let inner = indentation + "  "
        func list(_ parts: [String], _ begin: String, _ end: String) -> String {
            "\(begin)\n\(parts.map { inner + $0 }.joined(separator: ",\n"))\n\(indentation)\(end)"
        }
        switch self {
        case .null, .bool, .int, .double, .string: return String(foreign: bytes)
        case .array(let values): return list(values.map { $0.lines(indentation: inner) }, "[", "]")
        case .object(let members):
            let parts = Self.sorted(members).map {
                "\(JSONValue.string($0).lines(indentation: "")) : \($1.lines(indentation: inner))"
            }
            return list(parts, "{", "}")
        }
    }
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? MessageDecoder else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected the decoder of messages"
                )
            )
        }
        try self.init(parts: decoder.parts())
    }

    private init(parts: JSONParts) throws {
        switch parts {
        case .scalar(let value): self.init(plain: value)
        case .elements(let elements): self = .array(try elements.map { try JSONValue(parts: $0.parts()) })
        case .members(let members):
            var values = [String: JSONValue](minimumCapacity: members.count)
            for (key, value) in members { values[key] = try JSONValue(parts: value.parts()) }
            self = .object(values)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? MessageEncoder else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "expected the encoder of messages"
                )
            )
        }
        encoder.encode(encoded: bytes)
    }
}
