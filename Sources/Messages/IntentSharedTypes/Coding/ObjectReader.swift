/// Reads the members of an object. Generated code calls it (``GeneratedMessage``).
package struct ObjectReader {
    private let document: JSONDocument
    private let node: Int
    /// The member after the last one that was read. Members are written in the order in which they are read.
    private var next: Int

    init(_ document: JSONDocument, _ node: Int) throws {
        guard document.kind(node) == .object else { throw DecodingProblem(kind: .wrongType, node: node) }
        self.document = document
        self.node = node
        next = node + 1
    }

    /// Returns the value of a member; nil if it is absent or null.
    package mutating func optional(_ key: StaticString) -> ValueReader? {
        guard let value = present(key), document.kind(value.node) != .null else { return nil }
        return value
    }

    /// Returns the value of a member, which can be null; nil if it is absent.
    package mutating func present(_ key: StaticString) -> ValueReader? {
        let value = key.withUTF8Buffer { document.member($0, of: node, after: next) }
        guard let value else { return nil }
        next = document.end(of: value)
        return ValueReader(document: document, node: value)
    }

    /// The name of the case of an enumeration (``CaseName``).
    package func name(_ key: StaticString) throws -> String {
        let value = key.withUTF8Buffer { document.member($0, of: node, after: node + 1) }
        guard let value else { throw DecodingProblem(kind: .missing("\(key)"), node: node) }
        return try document.string(at: value)
    }

    /// Returns the value of a member.
    package mutating func member(_ key: StaticString) throws -> ValueReader {
        guard let value = present(key) else { throw DecodingProblem(kind: .missing("\(key)"), node: node) }
        return value
    }
}

/// Reads a value. Generated code calls it (``GeneratedMessage``).
@usableFromInline package struct ValueReader {
    fileprivate let document: JSONDocument
    fileprivate let node: Int

    @usableFromInline package func string() throws -> String { try document.string(at: node) }
    package func bool() throws -> Bool { try document.flag(at: node) }
    package func double() throws -> Double { try document.double(at: node) }
    package func int() throws -> Int { try document.integer(at: node) }
    package func int32() throws -> Int32 { try document.integer(at: node) }
    package func int64() throws -> Int64 { try document.integer(at: node) }
    package func uint32() throws -> UInt32 { try document.integer(at: node) }
    package func uint64() throws -> UInt64 { try document.integer(at: node) }
    package func intentValue() throws -> IntentValue { try document.intentValue(at: node) }
    package func intentValues() throws -> [String: IntentValue] { try document.intentValues(at: node) }
    package func object() throws -> ObjectReader { try ObjectReader(document, node) }

    package func strings() throws -> [String] {
        guard document.kind(node) == .array else { throw DecodingProblem(kind: .wrongType, node: node) }
        var strings: [String] = []
        var element = node + 1
        while element < document.end(of: node) {
            strings.append(try document.string(at: element))
            element = document.end(of: element)
        }
        return strings
    }

    package func milliseconds() throws -> Duration { .milliseconds(try int64()) }
    package func microseconds() throws -> Duration { .microseconds(try int64()) }

    /// Reads a value that is a string in JSON. `Codable` has the error for a string without a value.
    @inlinable package func text<Value: Decodable>(_ make: (String) -> Value?) throws -> Value {
        try make(string()) ?? decoded()
    }

    /// Reads a value of a type for which no code is generated.
    @usableFromInline package func decoded<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
        try document.value(Value.self, at: node)
    }
}

/// A message that is exchanged in every run. `Tests/coders` generates its code in both directions from its declaration,
/// because `Codable` would take longer than all other bookkeeping for the run.
package protocol GeneratedMessage: Codable {
    /// The maximum number of values in a message. Limited if the peer is untrusted: any user can be a client, and a worker
    /// executes an app's code.
    static var valueLimit: Int { get }

    /// Writes the message. Returns false, and writes nothing, for a message that is rare.
    func write(to writer: inout JSONWriter) -> Bool

    /// Reads the message. Returns nil for a message that is rare.
    init?(reading object: ObjectReader) throws
}

/// Encodes with generated code, and with `Codable` what is rare.
extension WireCoding {
    package static func encode(_ message: some GeneratedMessage) -> [UInt8] {
        var writer = JSONWriter()
        return message.write(to: &writer) ? writer.bytes : encodeByCodable(message)
    }

    package static func encode(_ values: [String: IntentValue]) -> [UInt8] {
        var writer = JSONWriter()
        writer.put(values)
        return writer.bytes
    }
}
