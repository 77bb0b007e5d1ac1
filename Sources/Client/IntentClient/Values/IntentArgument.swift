public import FoundationEssentials
internal import IntentLinux

/// The value of a parameter: a literal, a Swift value or a file.
///
/// ```swift
/// ["name": "Ada", "count": 3, "pause": .milliseconds(50), "file": .file(url), "tags": ["new", "urgent"]]
/// ```
public struct IntentArgument: Sendable {
    private enum Content: Sendable {
        case value(IntentValue)
        case list([IntentArgument])
        case object([String: IntentArgument])
        /// Encodes a value or opens a file when the intent is performed. The call then fails if the closure throws.
        case deferred(@Sendable (ArgumentFiles) throws -> IntentValue)
    }

    private let content: Content

    private init(_ content: Content) {
        self.content = content
    }

    /// Creates an argument from a value in the form that messages use. The value must not refer to a file by its index:
    /// pass ``file(_:)`` instead.
    public init(_ value: IntentValue) {
        content = .value(value)
    }

    /// Creates an argument from a Swift value, which is encoded when the intent is performed.
    ///
    /// In addition to `Encodable` types, this initialiser encodes ``RunFile`` and `Data` as files, and `Date`, `URL`,
    /// `Decimal` and `Duration` in the form that messages use for them. If the value cannot be encoded, the call that
    /// uses the argument fails.
    public init(_ value: some Encodable & Sendable) {
        content = .deferred { try IntentValueEncoder.encode(value, files: $0) }
    }

    func value(addingFilesTo files: ArgumentFiles) throws -> IntentValue {
        switch content {
        case .value(let value):
            guard value.files.isEmpty else {
                throw CodingProblem("the value refers to a file by its index: pass a RunFile instead")
            }
            return value
        case .list(let elements): return .array(try elements.map { try $0.value(addingFilesTo: files) })
        case .object(let members):
            // Sort the members so that equal arguments have their files in the same order.
            let pairs = try members.sorted { $0.key < $1.key }
                .map { ($0.key, try $0.value.value(addingFilesTo: files)) }
            return .object(Dictionary(uniqueKeysWithValues: pairs))
        case .deferred(let encode): return try encode(files)
        }
    }
}

extension IntentArgument {
    /// No value. The parameter uses its default.
    public static var null: IntentArgument { IntentArgument(.value(.null)) }

    /// Creates an argument from an open file.
    public static func file(_ file: RunFile) -> IntentArgument { IntentArgument(.deferred { $0.add(file) }) }

    /// Creates an argument from the file at a URL. The calling process opens the file when the intent is performed.
    public static func file(
        _ url: URL,
        contentType: String? = nil,
        access: RunFile.Access = .reading
    ) -> IntentArgument {
        IntentArgument(.deferred { $0.add(try RunFile(url: url, contentType: contentType, access: access)) })
    }

    /// Creates an argument from a file in memory with the given content.
    public static func data(_ data: Data, name: String, contentType: String? = nil) -> IntentArgument {
        IntentArgument(.deferred { $0.add(try RunFile(data: data, name: name, contentType: contentType)) })
    }

    /// Creates an argument from a point in time.
    public static func date(_ date: Date) -> IntentArgument { IntentArgument(date) }
    /// Creates an argument from a URL with a scheme. For the content of a file, pass ``file(_:contentType:access:)``.
    public static func url(_ url: URL) -> IntentArgument { IntentArgument(url) }
    /// Creates an argument from a decimal number.
    public static func decimal(_ number: Decimal) -> IntentArgument { IntentArgument(number) }
    /// Creates an argument from a duration.
    public static func duration(_ span: Duration) -> IntentArgument { IntentArgument(span) }
    /// Creates an argument from a duration in seconds.
    public static func seconds(_ count: Double) -> IntentArgument { IntentArgument(.value(.double(count))) }
    /// Creates an argument from a duration in milliseconds.
    public static func milliseconds(_ count: Int) -> IntentArgument { .duration(.milliseconds(count)) }
    /// Creates an argument from a duration in minutes.
    public static func minutes(_ count: Int) -> IntentArgument { .duration(.seconds(60) * count) }
}

extension IntentArgument: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates text, a date, a URL, a case of an enumeration or an entity's identifier.
    public init(stringLiteral text: String) { content = .value(.string(text)) }
    /// Creates a whole number.
    public init(integerLiteral number: Int64) { content = .value(.int(number)) }
    /// Creates a number.
    public init(floatLiteral number: Double) { content = .value(.double(number)) }
    /// Creates a Boolean value.
    public init(booleanLiteral flag: Bool) { content = .value(.bool(flag)) }
    /// Creates an argument without a value. The parameter uses its default.
    public init(nilLiteral: ()) { content = .value(.null) }
    /// Creates a list.
    public init(arrayLiteral elements: IntentArgument...) { content = .list(elements) }
    /// Creates an object. If a name occurs several times, its last value is used.
    public init(dictionaryLiteral members: (String, IntentArgument)...) {
        content = .object(Dictionary(members) { _, last in last })
    }
}
