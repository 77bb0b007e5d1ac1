import IntentSharedTypes

/// A parser of bytes from outside, with the properties that every input must keep.
struct FuzzTarget: Sendable {
    /// The inputs with which a target begins, and the dictionary of its format: `Tests/Fuzz/seeds` collects them.
    enum Format: String, Sendable { case json, mcp, server, unit, text, bytes }

    let name: String
    let format: Format
    /// The maximum length of an input in bytes: what the program that reads it accepts.
    let byteLimit: Int
    let check: @Sendable ([UInt8]) throws -> Void

    init(_ name: String, _ format: Format, _ byteLimit: Int, check: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.format = format
        self.byteLimit = byteLimit
        self.check = check
    }

    static let all = messages + records + files + texts + streams + agents + servers + network + web

    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A property that an input broke.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ property: String, _ details: String...) {
        description = ([property] + details.map { String($0.unicodeScalars.prefix(1500)) }).joined(separator: " | ")
    }
}

/// Throws if two values of an input, which must be equal, differ.
func require<Value: Equatable>(_ first: Value, equals second: Value, _ property: String) throws {
    if first != second { throw Finding(property, "\(first)", "\(second)") }
}

extension [UInt8] {
    /// The bytes as text, if they are UTF-8.
    var text: String? { String(validating: self, as: UTF8.self) }

    /// The ways to cut the bytes that must make no difference to a stream: not at all, at the place that the first byte
    /// names, and after each byte.
    var partitions: [[[UInt8]]] {
        guard let first else { return [[self]] }
        let place = Swift.min(Int(first), count)
        return [[self], [Array(self[..<place]), Array(self[place...])], map { [$0] }]
    }
}
