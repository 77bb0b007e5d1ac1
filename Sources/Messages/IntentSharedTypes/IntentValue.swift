import FoundationEssentials

/// The value of a parameter or a result.
///
/// In JSON, scalars and arrays are JSON scalars and arrays. A file is `{"file":{"index":0,"name":"a.txt"}}`; its
/// content is passed as the descriptor at that index in the frame. A value with named properties is an object such as
/// `{"object":{"name":"Dune"}}`.
public enum IntentValue: Hashable, Sendable {
    /// No value. A parameter with this value uses its default value.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case int(Int64)
    /// A number. In JSON, infinities and NaN are the strings `inf`, `-inf` and `nan`.
    case double(Double)
    /// A string. It also represents values that are encoded as strings: dates, URLs, decimal numbers, measurements and
    /// identifiers of entities.
    case string(String)
    /// A list.
    case array([IntentValue])
    /// A file, identified by the index of its descriptor in the run.
    case file(FileReference)
    /// A value with named properties: an entity with its properties, or any `Codable` value.
    case object([String: IntentValue])
}

/// A reference to a file. The file's descriptor is sent with the message that contains the reference.
public struct FileReference: Hashable, Sendable, Codable {
    /// The maximum number of files that a run can receive and that a result can contain.
    public static let countLimit = 256

    /// The index of the file's descriptor among the run's descriptors, from 0 to 255.
    public var index: Int
    /// The file's name without folders. The peer chooses the name, so never use it as a path.
    public var name: String
    /// A media type or uniform type identifier; nil when unknown.
    public var contentType: String?

    /// Creates a reference to the descriptor at an index.
    public init(index: Int, name: String, contentType: String? = nil) {
        self.index = index
        self.name = name
        self.contentType = contentType
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        index = try container.decode(Int.self, forKey: .index)
        guard (0..<Self.countLimit).contains(index) else {
            throw container.problem(.index, "expected a number from 0 to \(Self.countLimit - 1), got \(index)")
        }
        name = try container.decode(String.self, forKey: .name)
        contentType = try container.decodeIfPresent(String.self, forKey: .contentType)
    }
}

extension SingleValueDecodingContainer {
    /// Decodes a number that does not fit `Int64`; nil for another value.
    ///
    /// - Throws: The error of ``IntentValue/exact(_:_:at:)``.
    package func decodeNumber() throws -> Double? {
        guard let number = try? decode(Double.self) else { return nil }
        return try IntentValue.exact(number, try? decode(Decimal.self), at: codingPath)
    }
}

extension IntentValue {
    /// Returns a number that has been decoded twice.
    ///
    /// - Throws: `DecodingError` for a whole number with digits that `Double` cannot keep. Such a number is often an
    ///   identifier, so a change of its last digits must not pass without an error.
    static func exact(
        _ number: Double,
        _ digits: @autoclosure () -> Decimal?,
        at path: @autoclosure () -> [any CodingKey]
    ) throws -> Double {
        // A smaller whole number fits Int64, and Decimal has no larger one.
        guard number.magnitude >= 0x1p63, number.magnitude < 1e120 else { return number }
        guard let digits = digits(), digits == Decimal(string: number.description) else {
            let problem =
                "expected a number with at most 17 digits, or from \(Int64.min) to \(Int64.max): pass it as a string"
            throw DecodingError.problem(problem, at: path())
        }
        return number
    }
}

extension IntentValue {
    /// All files that the value contains, in the order of list elements and sorted property names.
    public var files: [FileReference] {
        switch self {
        case .file(let file): [file]
        case .array(let values): values.flatMap(\.files)
        case .object(let members): members.sorted { $0.key < $1.key }.flatMap(\.value.files)
        case .null, .bool, .int, .double, .string: []
        }
    }

    /// A description of the kind of value, for error messages.
    public var kindName: String {
        switch self {
        case .null: "nothing"
        case .bool: "a Boolean"
        case .int: "a whole number"
        case .double: "a number"
        case .string: "text"
        case .array: "a list"
        case .file: "a file"
        case .object: "an object"
        }
    }

    /// The approximate size of the value in memory.
    package var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let values): values.reduce(0) { $0 + $1.byteCount + 8 }
        case .file(let file): file.name.utf8.count
        case .object(let members): members.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount + 16 }
        case .null, .bool, .int, .double: 8
        }
    }
}

extension IntentValue: Codable {
    private enum Key: String, CodingKey { case file, object }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Try the most frequent kinds first, because an attempt that fails throws an error, which takes longer than
        // decoding a value.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try container.decodeNumber() {
            self = .double(value)
        } else if var elements = try? decoder.unkeyedContainer() {
            var values: [IntentValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(IntentValue.self)) }
            self = .array(values)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            let keyed = try decoder.container(keyedBy: Key.self)
            if keyed.contains(.object) {
                self = .object(try keyed.decode([String: IntentValue].self, forKey: .object))
            } else {
                self = .file(try keyed.decode(FileReference.self, forKey: .file))
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .file(let file):
            var container = encoder.container(keyedBy: Key.self)
            return try container.encode(file, forKey: .file)
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            return try container.encode(members, forKey: .object)
        case .null, .bool, .int, .double, .string, .array: break
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .file, .object: preconditionFailure("files and objects are encoded above")
        }
    }
}
