import IntentSharedTypes
import Synchronization

/// A property wrapper for an entity's property that callers receive: `@Property(title: "Author") var author: String`.
///
/// Copies of an entity share the property's value, because the wrapper is a class.
///
/// Source: Apple's EntityProperty page.
@propertyWrapper
public final class EntityProperty<Value>: Sendable where Value: _IntentValue, Value: Sendable {
    private let ownTitle: LocalizedStringResource?
    private let summary: LocalizedStringResource?
    private let state: Mutex<Value?>
    let computation: Computation?
    let indexing: Indexing
    let access: PropertyAccess

    /// The getter of a computed or deferred property, with the property's name.
    enum Computation: Sendable {
        case computed(name: String, @Sendable () -> Value)
        case deferred(name: String, @Sendable () async throws -> Value)
    }

    init(
        ownTitle: LocalizedStringResource?,
        summary: LocalizedStringResource? = nil,
        indexing: Indexing = Indexing(),
        computation: Computation? = nil,
        access: PropertyAccess = PropertyAccess()
    ) {
        self.ownTitle = ownTitle
        self.summary = summary
        self.access = access
        self.indexing = indexing
        self.computation = computation
        state = Mutex(computation == nil ? Value._intentValueCoding.absent : nil)
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

    /// Creates a property. Part of a beta of Apple's SDK 27.3.
    ///
    /// - Parameters:
    ///   - title: The display name; nil to derive it from the Swift property's name.
    ///   - description: The meaning of the value, which tells an agent how to fill it in.
    ///   - authenticationPolicy: The authentication that a caller needs to receive the value; nil for the policy of the
    ///     entity.
    ///   - visibility: `.internal` for a property that only the app sees: no caller receives it or can set it.
    ///
    /// Source: Apple's EntityProperty.init(title:description:authenticationPolicy:visibility:) page.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        authenticationPolicy: IntentAuthenticationPolicy? = nil,
        visibility: IntentVisibility? = nil
    ) {
        self.init(
            ownTitle: title,
            summary: description,
            access: PropertyAccess(visibility: visibility, policy: authenticationPolicy)
        )
    }

    /// Creates a property with a title. The property provides a custom attribute of a search index, under the
    /// given key.
    public convenience init(title: LocalizedStringResource, customIndexingKey: String) {
        self.init(ownTitle: title, indexing: Indexing(nil, customIndexingKey))
    }

    /// Creates a property that provides an attribute of a search index.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        authenticationPolicy: IntentAuthenticationPolicy? = nil,
        visibility: IntentVisibility? = nil,
        indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>
    ) {
        self.init(
            ownTitle: title,
            summary: description,
            indexing: Indexing(indexingKey),
            access: PropertyAccess(visibility: visibility, policy: authenticationPolicy)
        )
    }

    /// Creates a property that provides a custom attribute of a search index, under the given key.
    public convenience init(customIndexingKey: String) {
        self.init(ownTitle: nil, indexing: Indexing(nil, customIndexingKey))
    }

    /// The property's value.
    ///
    /// - Precondition: A value has been assigned, or the type is optional. The wrapper cannot read a deferred property,
    ///   and cannot set a computed or deferred property: use the entity's property instead.
    public var wrappedValue: Value {
        get {
            if case .computed(_, let value)? = computation { return value() }
            guard let value = state.withLock({ $0 }) else {
                preconditionFailure(
                    "cannot read the property \(ownTitle.map { "'\($0.text)'" } ?? "of type \(Value.self)"): it has no value"
                )
            }
            return value
        }
        set {
            precondition(
                computation == nil,
                "cannot set the property '\(computedName ?? "")': it is computed. Set the property of the entity"
            )
            state.withLock { $0 = newValue }
        }
    }

    /// The property wrapper itself. A query refers to a property as `\Book.$author`.
    public var projectedValue: EntityProperty<Value> { self }

    /// The property's display name.
    public var title: LocalizedStringResource { ownTitle ?? "" }
}

extension EntityProperty: AnyEntityProperty {
    func declaration(named name: String) -> PropertyDeclaration? {
        Value._intentValueCoding.type.map {
            PropertyDeclaration(
                name: name,
                title: ownTitle?.text ?? name.asTitle,
                type: $0,
                summary: summary?.text,
                isRequired: isRequired.trueOrNil
            )
        }
    }

    var isRequired: Bool { computation == nil && state.withLock { $0 == nil } }

    func wireValue(files: inout OutgoingFiles) throws -> IntentValue? {
        switch computation {
        case nil: return try state.withLock({ $0 }).map { try Self.encode($0, &files) }
        case .computed(_, let value): return try Self.encode(value(), &files)
        case .deferred(let name, let fetch):
            return files.deferred.append(name: name) { files in
                let value = try await fetch()
                return try Self.encode(value, &files)
            }
        }
    }

    private static func encode(_ value: Value, _ files: inout OutgoingFiles) throws -> IntentValue {
        // Send only the id and title of a nested entity. Otherwise, two entities that refer to each other would be
        // encoded endlessly.
        guard Value.ValueType.self is any AppEntity.Type else {
            return try Value._intentValueCoding.encode(value, &files)
        }
        let fetchCount = files.deferred.count
        defer { files.deferred.keepFirst(fetchCount) }
        return try Value._intentValueCoding.encode(value, &files).withoutProperties
    }

    /// The property's value; nil if no value has been assigned or the property is deferred. Never calls a
    /// deferred getter.
    var presentValue: Value? {
        switch computation {
        case nil: state.withLock { $0 }
        case .computed(_, let value): value()
        case .deferred: nil
        }
    }

    var computedName: String? {
        switch computation {
        case nil: nil
        case .computed(let name, _), .deferred(let name, _): name
        }
    }

    func set(_ value: IntentValue, files: IncomingFiles) async throws {
        // Ignore the value of a computed property: a caller may send back an entity exactly as it received it.
        guard computation == nil else { return }
        let coding = Value._intentValueCoding
        wrappedValue =
            if let resolve = coding.resolve { try await resolve(value, files) } else { try coding.decode(value, files) }
    }
}

/// A type-erased property. Values found with `Mirror` are cast to this protocol.
protocol AnyEntityProperty: AnyObject, Sendable {
    var access: PropertyAccess { get }
    /// True if the property is stored, and has neither a value nor an optional type.
    var isRequired: Bool { get }
    /// Creates a property without a value.
    init()
    /// Returns the property's declaration; nil if values of its type cannot be sent.
    func declaration(named name: String) -> PropertyDeclaration?
    /// The name of a computed or deferred property; nil for a stored property, which does not contain its name.
    var computedName: String? { get }
    /// Returns the encoded value; nil if no value has been assigned. For a deferred property, returns a placeholder.
    func wireValue(files: inout OutgoingFiles) throws -> IntentValue?
    func set(_ value: IntentValue, files: IncomingFiles) async throws
    /// Adds the value to the attributes of a search index.
    func describe(in attributes: CSSearchableItemAttributeSet)
}

extension IntentValue {
    fileprivate var withoutProperties: IntentValue {
        switch self {
        case .object(let members) where members["id"] != nil: .object(members.filter { $0.key != "properties" })
        case .array(let values): .array(values.map(\.withoutProperties))
        case .null, .bool, .int, .double, .string, .file, .object: self
        }
    }
}

/// Whether callers receive a property. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's IntentVisibility page.
public struct IntentVisibility: Hashable, Sendable {
    private let name: String

    /// Callers receive the property.
    public static let `default` = IntentVisibility(name: "default")
    /// Only the app itself sees the property.
    public static let `internal` = IntentVisibility(name: "internal")
}

/// The rules that determine which callers receive a property.
struct PropertyAccess: Sendable {
    /// True if no caller receives the property, and no index contains it.
    let isInternal: Bool
    /// The property's own policy; nil for the policy of its entity.
    private let policy: IntentAuthenticationPolicy?

    init(visibility: IntentVisibility? = nil, policy: IntentAuthenticationPolicy? = nil) {
        isInternal = visibility == .internal
        self.policy = policy
    }

    /// Returns true if the caller of the run may receive the property of an entity with the given policy. A property's
    /// policy cannot be weaker than its entity's policy.
    func permitsCaller(ofEntityWith entityPolicy: IntentAuthenticationPolicy) -> Bool {
        !isInternal && RunCaller.current.satisfies(entityPolicy) && policy.map(RunCaller.current.satisfies) != false
    }
}

/// Access to an entity's properties: `Mirror` finds the stored properties, and declarations generated by the macros
/// provide the computed and deferred properties.
enum EntityInspection {
    /// Returns the properties of an entity, except those that only the app sees.
    static func properties(of entity: Any) -> [(name: String, property: any AnyEntityProperty)] {
        allProperties(of: entity).filter { !$0.property.access.isInternal }
    }

    private static func allProperties(of entity: Any) -> [(name: String, property: any AnyEntityProperty)] {
        let stored = Mirror(reflecting: entity).children.compactMap { child -> (String, any AnyEntityProperty)? in
            guard let property = child.value as? any AnyEntityProperty, let label = child.label else { return nil }
            return (label.hasPrefix(utf8: "_") ? String(label.dropFirst(scalars: 1)) : label, property)
        }
        return stored + EntityConformances.ofProgram.computedProperties(of: entity)
    }

    /// Returns the values of the properties that the caller of the run may receive.
    static func values<Entity: AppEntity>(
        of entity: Entity,
        files: inout OutgoingFiles
    ) throws -> [String: IntentValue] {
        var values: [String: IntentValue] = [:]
        let policy = Entity.authenticationPolicy
        for (name, property) in properties(of: entity) where property.access.permitsCaller(ofEntityWith: policy) {
            values[name] = try property.wireValue(files: &files)
        }
        return values
    }

    /// Returns the first of the named properties that the caller of the run may not receive; nil without one.
    static func forbidden<Entity: AppEntity>(among names: [String], in entity: Entity) -> String? {
        let hidden = allProperties(of: entity).filter {
            !$0.property.access.permitsCaller(ofEntityWith: Entity.authenticationPolicy)
        }
        return names.first { name in hidden.contains { $0.name == name } }
    }
}
