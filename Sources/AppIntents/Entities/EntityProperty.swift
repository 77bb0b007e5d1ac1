import IntentWire
import Synchronization

/// A property of an entity that is sent to callers: `@Property(title: "Author") var author: String`.
///
/// Copies of an entity share the property's value, because the wrapper is a class.
///
/// Source: Apple's EntityProperty page.
@propertyWrapper
public final class EntityProperty<Value>: Sendable where Value: _IntentValue, Value: Sendable {
    private let ownTitle: LocalizedStringResource?
    private let state: Mutex<Value?>

    private init(ownTitle: LocalizedStringResource?) {
        self.ownTitle = ownTitle
        state = Mutex(Value._intentValueCoding.absent)
    }

    // This initializer is declared in the class itself, because Swift ignores initializers in extensions for `@Property
    // var x: T` without parentheses.
    /// Creates a property. Its title is derived from the Swift property's name.
    public convenience init() {
        self.init(ownTitle: nil)
    }

    /// Creates a property with a title.
    public convenience init(title: LocalizedStringResource) {
        self.init(ownTitle: title)
    }

    /// Creates a property with a title and a search key. The search key is ignored on Linux.
    public convenience init(title: LocalizedStringResource, customIndexingKey: String) {
        self.init(ownTitle: title)
    }

    /// Creates a property with an attribute of a search index. The attribute is ignored on Linux.
    public convenience init(title: LocalizedStringResource? = nil, indexingKey: PartialKeyPath<_IndexingKeys>) {
        self.init(ownTitle: title)
    }

    /// Creates a property with a search key. The search key is ignored on Linux.
    public convenience init(customIndexingKey: String) {
        self.init(ownTitle: nil)
    }

    /// The property's value.
    ///
    /// - Precondition: A value has been assigned, or the type is optional.
    public var wrappedValue: Value {
        get {
            guard let value = state.withLock({ $0 }) else {
                preconditionFailure(
                    "cannot read the property \(ownTitle.map { "'\($0.text)'" } ?? "of type \(Value.self)"): it has no value"
                )
            }
            return value
        }
        set { state.withLock { $0 = newValue } }
    }

    /// The property wrapper itself. A query refers to a property as `\Book.$author`.
    public var projectedValue: EntityProperty<Value> { self }

    /// The property's display name.
    public var title: LocalizedStringResource { ownTitle ?? "" }
}

extension EntityProperty: AnyEntityProperty {
    func declaration(named name: String) -> PropertyDeclaration? {
        Value._intentValueCoding.type.map {
            PropertyDeclaration(name: name, title: ownTitle?.text ?? name.asTitle, type: $0)
        }
    }

    func wireValue(files: inout OutgoingFiles) throws -> IntentWire.IntentValue? {
        guard let value = state.withLock({ $0 }) else { return nil }
        let wire = try Value._intentValueCoding.encode(value, &files)
        // A nested entity is sent with only its id and title. Otherwise, two entities that refer to each other would be
        // encoded endlessly.
        if Value.ValueType.self is any AppEntity.Type { return wire.withoutProperties }
        return wire
    }

    func set(_ value: IntentWire.IntentValue, files: IncomingFiles) async throws {
        let coding = Value._intentValueCoding
        wrappedValue =
            if let resolve = coding.resolve { try await resolve(value, files) } else { try coding.decode(value, files) }
    }
}

/// A type-erased property. Values found with `Mirror` are cast to this protocol.
protocol AnyEntityProperty: AnyObject, Sendable {
    /// Creates a property without a value.
    init()
    /// Returns the property's declaration; nil if values of its type cannot be sent.
    func declaration(named name: String) -> PropertyDeclaration?
    /// Returns the encoded value; nil if no value has been assigned.
    func wireValue(files: inout OutgoingFiles) throws -> IntentWire.IntentValue?
    func set(_ value: IntentWire.IntentValue, files: IncomingFiles) async throws
}

extension IntentWire.IntentValue {
    fileprivate var withoutProperties: IntentWire.IntentValue {
        switch self {
        case .object(let members) where members["id"] != nil: .object(members.filter { $0.key != "properties" })
        case .array(let values): .array(values.map(\.withoutProperties))
        case .null, .bool, .int, .double, .string, .file, .object: self
        }
    }
}

/// Finds an entity's properties with `Mirror`.
enum EntityInspection {
    static func properties(of entity: Any) -> [(name: String, property: any AnyEntityProperty)] {
        Mirror(reflecting: entity).children.compactMap { child in
            guard let property = child.value as? any AnyEntityProperty, let label = child.label else { return nil }
            return (label.hasPrefix("_") ? String(label.dropFirst()) : label, property)
        }
    }

    static func values(
        of entity: Any,
        files: inout OutgoingFiles
    ) throws -> [String: IntentWire.IntentValue] {
        var values: [String: IntentWire.IntentValue] = [:]
        for (name, property) in properties(of: entity) {
            values[name] = try property.wireValue(files: &files)
        }
        return values
    }
}
