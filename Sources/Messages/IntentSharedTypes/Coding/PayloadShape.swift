/// Limits on the structure of a payload, which are checked before it is decoded.
///
/// JSON decoders differ in strictness and in the handling of duplicate keys, so two programs could interpret the
/// same message differently. In addition, decoding time grows with the number of values and with their depth. A byte
/// limit alone is not enough, because a small payload could block `intentd` for seconds.
package enum PayloadShape {
    /// The maximum nesting depth of objects and arrays. A list of apps, which contains the types of their parameters,
    /// needs up to 12 levels.
    package static let depthLimit = 16
    /// The maximum number of values in one message from an untrusted peer: a client or an app.
    package static let untrustedValueLimit = 16_384
    /// The maximum number of bytes in an object's key: the name of a field, a parameter or a property.
    package static let keyByteLimit = 1024
    /// The maximum number of bytes in all keys of one message from an untrusted peer that are not ASCII. Swift normalizes
    /// such a key each time it hashes it, and a decoder hashes each key several times.
    package static let foreignKeyByteLimit = 32 << 10

    /// What the outermost object of a payload is.
    package enum Content {
        /// A message. Its keys are the names of fields, which are ASCII.
        case message
        /// A value with keys of a user or an app.
        case value
    }

    /// The limits for one payload.
    struct Limits {
        var content = Content.value
        var depth = PayloadShape.depthLimit
        var values = Int.max
        var keyBytes = PayloadShape.keyByteLimit
        var foreignKeyBytes = Int.max

        /// The limits for a message, or for a value from another party.
        ///
        /// - Parameter values: The maximum number of values; `Int.max` for a message of a program of this package. The
        ///   number of bytes in its keys is then unlimited too.
        static func payload(_ content: Content, values: Int) -> Limits {
            Limits(
                content: content,
                values: values,
                foreignKeyBytes: values == .max ? .max : PayloadShape.foreignKeyByteLimit
            )
        }

        /// The limits for a file, and for a message that contains another one: it may have any number of values and keys of
        /// any length.
        static let file = Limits(depth: 512, keyBytes: .max - 1)
    }

    /// Checks that a payload is JSON within the limits (``Limits/payload(_:values:)``).
    ///
    /// - Throws: ``WireError/malformed(_:)`` if the payload is not JSON, an object contains a key twice, a string is not
    ///   stream-safe (``StreamSafeText``), a field of a message has a name that is not ASCII, or the payload exceeds the
    ///   limits.
    package static func check(_ payload: [UInt8], as content: Content, valueLimit: Int) throws(WireError) {
        _ = try JSONScanner.document(payload, .payload(content, values: valueLimit))
    }

    /// Checks that a file is JSON in which no object contains a key twice and each string is stream-safe
    /// (``Limits/file``).
    ///
    /// - Throws: ``WireError/malformed(_:)`` with the first problem.
    package static func checkFile(_ bytes: [UInt8]) throws(WireError) {
        _ = try JSONScanner.document(bytes, .file)
    }

    /// Returns the number with this key in the payload's object, even if the payload exceeds a limit on keys, strings or
    /// values; nil if the payload is not JSON or does not have exactly one such number.
    ///
    /// The error about a payload can then name the request.
    package static func number(named key: String, in payload: [UInt8]) -> UInt64? {
        guard let document = try? JSONScanner.document(payload, nil), document.kind(0) == .object else { return nil }
        let numbers = document.members(of: 0).filter { $0.key.utf8.elementsEqual(key.utf8) }.map(\.value)
        guard numbers.count == 1, document.kind(numbers[0]) == .integer else { return nil }
        return UInt64(document.digits(of: numbers[0]))
    }
}
