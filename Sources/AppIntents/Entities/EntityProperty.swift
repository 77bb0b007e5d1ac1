import IntentWire
import Synchronization

/// A property of an entity that callers receive: `@Property(title: "Author") var author: String`.
///
/// Copies of an entity share their properties, because the wrapper is a class.
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

    // Declared in the class body, because otherwise Swift does not find it for `@Property var x: T` without
    // parentheses.
    /// Creates a property with a title made from its name in the source.
    public convenience init() {
        self.init(ownTitle: nil)
    }

    /// Creates a property with a title.
    public convenience init(title: LocalizedStringResource) {
        self.init(ownTitle: title)
    }

    /// Creates a property with a title, and a search key, which is ignored on Linux.
    public convenience init(title: LocalizedStringResource, customIndexingKey: String) {
        self.init(ownTitle: title)
    }

    /// Creates a property with a search attribute, which is ignored on Linux.
    public convenience init(title: LocalizedStringResource? = nil, indexingKey: PartialKeyPath<_IndexingKeys>) {
        self.init(ownTitle: title)
    }

    /// Creates a property with a search key, which is ignored on Linux.
    public convenience init(customIndexingKey: String) {
        self.init(ownTitle: nil)
    }

    /// The value.
    ///
    /// - Precondition: The property has a value, or its type is optional.
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

    /// The wrapper itself: a query refers to the property as `\Book.$author`.
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
        // Only the id and title of a nested entity are sent: encoding two entities that refer to each other would
        // never end.
        if Value.ValueType.self is any AppEntity.Type { return wire.withoutProperties }
        return wire
    }

    func set(_ value: IntentWire.IntentValue, files: IncomingFiles) async throws {
        let coding = Value._intentValueCoding
        wrappedValue =
            if let resolve = coding.resolve { try await resolve(value, files) } else { try coding.decode(value, files) }
    }
}

/// A type-erased property, to which a value found with `Mirror` can be cast.
protocol AnyEntityProperty: AnyObject, Sendable {
    /// Creates a property without a value.
    init()
    /// Returns the property's declaration; nil for a type that cannot be sent.
    func declaration(named name: String) -> PropertyDeclaration?
    /// Returns the encoded value; nil if the property has no value.
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

/// Finds the properties of an entity with `Mirror`.
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
