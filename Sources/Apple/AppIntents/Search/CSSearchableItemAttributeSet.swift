public import Foundation
import Synchronization

/// The attributes of an item in a search index.
///
/// `AppIntents` provides the type for ``IndexedEntity``. The `CoreSpotlight` product re-exports it, and provides the
/// index.
///
/// Source: Apple's CSSearchableItemAttributeSet page.
public final class CSSearchableItemAttributeSet: Sendable {
    /// The identifier of the content's type, such as "public.plain-text".
    public let contentType: String
    private let values: Mutex<[String: Value]>

    /// The value of one attribute.
    public enum Value: Sendable, Hashable, Codable {
        /// A string.
        case text(String)
        /// A list of strings.
        case texts([String])
        /// A number. A Boolean value is stored as 0 or 1.
        case number(Double)
        /// A date and time.
        case date(Date)
        /// A URL.
        case url(URL)
        /// Binary data, such as an image.
        case data(Data)
    }

    /// Creates an empty set for content of any type.
    public convenience init() {
        self.init(contentType: .item)
    }

    /// Creates an empty set for content of the given type.
    public init(contentType: UTType) {
        self.contentType = contentType.identifier
        values = Mutex([:])
    }

    /// Creates an empty set for content of the type with the given identifier.
    public init(itemContentType: String) {
        contentType = itemContentType
        values = Mutex([:])
    }

    /// Returns a set with the attributes that ``allValues`` returned. Not for direct use by apps: the `CoreSpotlight`
    /// product calls it.
    public static func _restored(itemContentType: String, allValues: [String: Value]) -> CSSearchableItemAttributeSet {
        let attributes = CSSearchableItemAttributeSet(itemContentType: itemContentType)
        attributes.values.withLock { $0 = allValues }
        return attributes
    }

    /// The attributes that have a value, by name.
    public var allValues: [String: Value] { values.withLock { $0 } }

    /// Sets the value of a custom attribute, which the app defines. A value of nil removes the attribute.
    public func setValue(_ value: Value?, forCustomKey key: String) {
        values.withLock { $0["custom." + key] = value }
    }

    /// Returns the value of a custom attribute; nil if the attribute has no value.
    public func value(forCustomKey key: String) -> Value? { values.withLock { $0["custom." + key] } }

    // MARK: Storage by name

    subscript(_ name: String) -> String? {
        get { if case .text(let text)? = stored(name) { text } else { nil } }
        set { store(newValue.map(Value.text), name) }
    }

    subscript(_ name: String) -> [String]? {
        get { if case .texts(let texts)? = stored(name) { texts } else { nil } }
        set { store(newValue.map(Value.texts), name) }
    }

    subscript(_ name: String) -> Date? {
        get { if case .date(let date)? = stored(name) { date } else { nil } }
        set { store(newValue.map(Value.date), name) }
    }

    subscript(_ name: String) -> URL? {
        get { if case .url(let url)? = stored(name) { url } else { nil } }
        set { store(newValue.map(Value.url), name) }
    }

    subscript(_ name: String) -> Data? {
        get { if case .data(let data)? = stored(name) { data } else { nil } }
        set { store(newValue.map(Value.data), name) }
    }

    subscript(_ name: String) -> NSNumber? {
        get { if case .number(let number)? = stored(name) { NSNumber(value: number) } else { nil } }
        set { store(newValue.map { Value.number($0.doubleValue) }, name) }
    }

    private func stored(_ name: String) -> Value? { values.withLock { $0[name] } }

    private func store(_ value: Value?, _ name: String) {
        values.withLock { $0[name] = value }
    }
}

extension CSSearchableItemAttributeSet {
    /// Sets the attribute at a key path to the value of an entity's property. Removes the attribute if the value's type
    /// does not match. An attribute that contains bytes is not changed.
    func set(_ value: Any, at keyPath: PartialKeyPath<CSSearchableItemAttributeSet>) {
        switch keyPath {
        case let path as ReferenceWritableKeyPath<CSSearchableItemAttributeSet, String?>:
            self[keyPath: path] = Self.text(value)
        case let path as ReferenceWritableKeyPath<CSSearchableItemAttributeSet, [String]?>:
            self[keyPath: path] = value as? [String] ?? Self.text(value).map { [$0] }
        case let path as ReferenceWritableKeyPath<CSSearchableItemAttributeSet, Date?>:
            self[keyPath: path] = value as? Date
        case let path as ReferenceWritableKeyPath<CSSearchableItemAttributeSet, URL?>:
            self[keyPath: path] = value as? URL
        case let path as ReferenceWritableKeyPath<CSSearchableItemAttributeSet, NSNumber?>:
            self[keyPath: path] = Self.number(value)
        default: break
        }
    }

    /// Converts a property's value to the value of a custom attribute. Returns nil if the index cannot contain
    /// the value.
    static func value(_ value: Any) -> Value? {
        if let texts = value as? [String] { return .texts(texts) }
        if let date = value as? Date { return .date(date) }
        if let url = value as? URL { return .url(url) }
        if let number = number(value) { return .number(number.doubleValue) }
        return text(value).map(Value.text)
    }

    private static func text(_ value: Any) -> String? {
        switch value {
        case let text as String: text
        case let text as AttributedString: String(text.characters)
        case let shown as any CustomLocalizedStringResourceConvertible: shown.localizedStringResource.text
        default: nil
        }
    }

    private static func number(_ value: Any) -> NSNumber? {
        switch value {
        case let flag as Bool: NSNumber(value: flag)
        case let number as Int: NSNumber(value: number)
        case let number as Double: NSNumber(value: number)
        default: nil
        }
    }
}

/// The properties of a search index. Ignored on Linux.
///
/// Source: Apple's CSSearchableIndexDescription page.
public final class CSSearchableIndexDescription: Sendable {}

/// Implements a property of ``CSSearchableItemAttributeSet`` that is stored under its name.
@attached(accessor)
macro StoredByName() = #externalMacro(module: "IntentMacros", type: "StorageMacro")
