import IntentWire
import Synchronization

/// A part of an entity that others may see: `@Property(title: "Author") var author: String`.
///
/// Copies of an entity share their properties: the wrapper is a class.
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

    // In the body of the class: only here does Swift find it for `@Property var x: T` without parentheses.
    /// A property called after its name in the source.
    public convenience init() {
        self.init(ownTitle: nil)
    }

    /// A property with a title.
    public convenience init(title: LocalizedStringResource) {
        self.init(ownTitle: title)
    }

    /// A property with a title that search knows under another name. The second has no meaning on Linux.
    public convenience init(title: LocalizedStringResource, customIndexingKey: String) {
        self.init(ownTitle: title)
    }

    /// A property that search knows under an attribute of its index. The second has no meaning on Linux.
    public convenience init(title: LocalizedStringResource? = nil, indexingKey: PartialKeyPath<_IndexingKeys>) {
        self.init(ownTitle: title)
    }

    /// A property that search knows under a name of its own, which has no meaning on Linux.
    public convenience init(customIndexingKey: String) {
        self.init(ownTitle: nil)
    }

    /// The value. Reading one that nobody set, of a type that is not optional, ends the process.
    public var wrappedValue: Value {
        get {
            guard let value = state.withLock({ $0 }) else {
                preconditionFailure(
                    "the property \(ownTitle.map { "'\($0.text)'" } ?? "of type \(Value.self)") was read and has no value"
                )
            }
            return value
        }
        set { state.withLock { $0 = newValue } }
    }

    /// The property itself: `\Book.$author` names it in a query.
    public var projectedValue: EntityProperty<Value> { self }

    /// What the property is called.
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
        // An entity inside an entity goes by its id and name: two that hold each other would have no end.
        if Value.ValueType.self is any AppEntity.Type { return wire.withoutProperties }
        return wire
    }

    func set(_ value: IntentWire.IntentValue, files: IncomingFiles) async throws {
        let coding = Value._intentValueCoding
        wrappedValue =
            if let resolve = coding.resolve { try await resolve(value, files) } else { try coding.decode(value, files) }
    }
}

/// Any property of an entity, as `Mirror` finds it.
protocol AnyEntityProperty: AnyObject, Sendable {
    /// One without a value.
    init()
    /// Nil for a type that has no values.
    func declaration(named name: String) -> PropertyDeclaration?
    /// Nil when nobody set it.
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

/// What `Mirror` tells of an entity.
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
