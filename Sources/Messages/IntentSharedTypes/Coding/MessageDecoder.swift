import FoundationEssentials

/// Decodes the values of a ``JSONDocument``.
package struct MessageDecoder: Decoder {
    let document: JSONDocument
    let node: Int

    package var codingPath: [any CodingKey] { document.path(to: node).map(NamedKey.init) }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try Members<Key>(document, node))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(document, node) }
    package func singleValueContainer() -> any SingleValueDecodingContainer { Single(document: document, node: node) }

    /// The value, or the decoders of the values that it contains: for types that represent any JSON.
    package func parts() throws -> JSONParts {
        if let scalar = try document.scalar(at: node) { return .scalar(scalar) }
        guard document.kind(node) == .array else {
            return .members(document.members(of: node).map { ($0.key, document.document($0.value)) })
        }
        var elements: [MessageDecoder] = []
        var element = node + 1
        while element < document.end(of: node) {
            elements.append(document.document(element))
            element = document.end(of: element)
        }
        return .elements(elements)
    }
}

/// What a value of JSON consists of.
package enum JSONParts {
    /// Null, a Boolean value, a number or a string.
    case scalar(IntentValue)
    case elements([MessageDecoder])
    case members([(key: String, value: MessageDecoder)])
}

/// The names of an enumeration's cases. The enumeration is one object in JSON: ``member`` contains the name of its case, and
/// the other members are the case's values. The members of a value without a label are members of the same object.
///
/// Conform the `CodingKeys` of an enumeration to this protocol. The compiler then derives both directions of its coding from
/// the declarations of its cases (SE-0295). `CodingKeys` of one case give its values other names. A name that ends with `?`
/// may be absent, and is omitted, if the value is false, 0 or an empty list. A name that ends with `=` may be absent, but is
/// written.
package protocol CaseName: CodingKey {
    /// The name of the member that contains the name of the case.
    static var member: String { get }
    /// The case that contains the name of an unknown case; nil if a message with such a name is refused.
    static var other: Self? { get }
}

extension CaseName {
    package static var member: String { "type" }
    package static var other: Self? { nil }
}

struct NamedKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// The name of a value in an enumeration's case.
struct ValueName {
    let name: String
    /// True for a value without a label (`_0`).
    var isUnlabelled = false
    var mayBeAbsent = false
    var isOmitted = false

    init(_ key: some CodingKey) {
        let text = key.stringValue
        switch (text.utf8.first, text.utf8.last) {
        case (UInt8(ascii: "_"), _):
            name = text
            isUnlabelled = true
        case (_, UInt8(ascii: "?")), (_, UInt8(ascii: "=")):
            name = String(text.unicodeScalars.dropLast())
            mayBeAbsent = true
            isOmitted = text.utf8.last == UInt8(ascii: "?")
        default: name = text
        }
    }

    /// The values that need not be present, as JSON.
    static let absent: [[UInt8]] = [Array("false".utf8), Array("0".utf8), Array("[]".utf8)]
}

/// The reason why a value cannot be decoded.
struct DecodingProblem: Error {
    enum Kind {
        case wrongType, outOfRange, invalid, missing(String)
    }

    let kind: Kind
    let node: Int
}

// MARK: Containers

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: JSONDocument
    let node: Int
    /// True if the members are the values of an enumeration's case.
    var isCase = false

    init(_ document: JSONDocument, _ node: Int) throws {
        guard document.kind(node) == .object else { throw DecodingProblem(kind: .wrongType, node: node) }
        self.document = document
        self.node = node
    }

    var codingPath: [any CodingKey] { MessageDecoder(document: document, node: node).codingPath }

    /// The keys of the object that this type has. Of an enumeration, it is the name of the case.
    var allKeys: [Key] {
        guard let names = Key.self as? any CaseName.Type else {
            return document.members(of: node).compactMap { Key(stringValue: $0.key) }
        }
        do {
            let name = try document.value(String.self, at: member(names.member))
            if let key = Key(stringValue: name) ?? names.other as? Key { return [key] }
            document.failure =
                names.member == "type"
                ? WireError.unknownMessage(type: WireCoding.excerpt(name))
                : DecodingProblem(kind: .invalid, node: try member(names.member))
        } catch {
            document.failure = error
        }
        return []
    }

    private func member(_ key: String) throws -> Int {
        guard let value = document.member(key, of: node) else {
            throw DecodingProblem(kind: .missing(key), node: node)
        }
        return value
    }

    func contains(_ key: Key) -> Bool { document.member(key.stringValue, of: node) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { document.kind(try member(key.stringValue)) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        guard isCase else { return try document.value(type, at: member(key.stringValue)) }
        let name = ValueName(key)
        if name.isUnlabelled { return try Value(from: MessageDecoder(document: document, node: node)) }
        if name.mayBeAbsent, document.member(name.name, of: node).map({ document.kind($0) == .null }) ?? true {
            for json in ValueName.absent {
                if let value = try? WireCoding.decode(type, from: json, as: .value) { return value }
            }
        }
        return try document.value(type, at: member(name.name))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let name = isCase ? ValueName(key).name : key.stringValue
        guard let value = document.member(name, of: node) else { return nil }
        if document.kind(value) == .null {
            // A null in a case is a value, which is not the same as a missing value.
            return isCase && type == IntentValue.self ? IntentValue.null as? Value : nil
        }
        return try document.value(type, at: value)
    }

    func nestedContainer<Name: CodingKey>(
        keyedBy _: Name.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Name> {
        let isCase = Key.self is any CaseName.Type
        var members = try Members<Name>(document, isCase ? node : member(key.stringValue))
        members.isCase = isCase
        return KeyedDecodingContainer(members)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try Elements(document, member(key.stringValue))
    }

    func superDecoder() throws -> any Decoder { MessageDecoder(document: document, node: try member("super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        MessageDecoder(document: document, node: try member(key.stringValue))
    }
}

/// The elements of a list.
private struct Elements: UnkeyedDecodingContainer {
    let document: JSONDocument
    let node: Int
    private var next: Int
    private(set) var currentIndex = 0

    init(_ document: JSONDocument, _ node: Int) throws {
        guard document.kind(node) == .array else { throw DecodingProblem(kind: .wrongType, node: node) }
        self.document = document
        self.node = node
        next = node + 1
    }

    var codingPath: [any CodingKey] { MessageDecoder(document: document, node: node).codingPath }
    var count: Int? { nil }
    var isAtEnd: Bool { next == document.end(of: node) }

    private mutating func element() throws -> Int {
        guard !isAtEnd else { throw DecodingProblem(kind: .missing("\(currentIndex)"), node: node) }
        defer {
            next = document.end(of: next)
            currentIndex += 1
        }
        return next
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, document.kind(next) == .null else { return false }
        _ = try element()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try document.value(type, at: element())
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try Members<Key>(document, element()))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try Elements(document, element()) }
    mutating func superDecoder() throws -> any Decoder { MessageDecoder(document: document, node: try element()) }
}

private struct Single: SingleValueDecodingContainer {
    let document: JSONDocument
    let node: Int

    var codingPath: [any CodingKey] { MessageDecoder(document: document, node: node).codingPath }

    func decodeNil() -> Bool { document.kind(node) == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Numbers of types that no message contains. Their own code decodes them as a single value.
        if let type = type as? any FixedWidthInteger.Type, let number = try integer(type) as? Value { return number }
        if type == Float.self, let number = try Float(document.double(at: node)) as? Value { return number }
        return try document.value(type, at: node)
    }

    private func integer<Number: FixedWidthInteger>(_: Number.Type) throws -> any FixedWidthInteger {
        try document.integer(at: node) as Number
    }
}
