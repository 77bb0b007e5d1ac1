import IntentWire

/// A query that finds entities by their ids, and suggests entities.
///
/// A query runs in a worker, under the limits of an intent, after its `@Dependency` properties are resolved.
///
/// Source: Apple's EntityQuery page.
public protocol EntityQuery: DynamicOptionsProvider, PersistentlyIdentifiable {
    /// The type of the entities.
    associatedtype Entity: AppEntity = Self.Result.Result
    /// The type of the result: a list, or a list in sections.
    associatedtype Result = [Entity]
    /// The type of the default.
    associatedtype DefaultValue = Entity

    /// Returns the entities with the given ids. Unknown ids are ignored.
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
    /// Returns entities to choose from. Empty by default.
    func suggestedEntities() async throws -> Result
}

extension EntityQuery {
    /// The default: no description.
    // Declared here rather than with the requirement: a query may conform to both protocols that have the requirement,
    // and two defaults would be ambiguous.
    public static var findIntentDescription: IntentDescription? { nil }

    public func results() async throws -> Result { try await suggestedEntities() }

    func _entities(for identifiers: [any Sendable]) async throws -> [any AppEntity] {
        try await entities(for: identifiers.compactMap { $0 as? Entity.ID })
    }

    func _suggestions(matching text: String?) async throws -> OptionList {
        try OptionList(try await suggestedEntities(), matching: text)
    }

    /// Returns the entities that match a text; nil if the query cannot search for text.
    func _search(_ text: String) async throws -> OptionList? {
        try await (self as? any EntityStringQuery)?._found(text)
    }
}

extension EntityQuery {
    public func suggestedEntities() async throws -> [Entity] { [] }
}

/// A query that can search for text.
///
/// Source: Apple's EntityStringQuery page.
public protocol EntityStringQuery: EntityQuery {
    // Declared again, because Swift infers associated types from the requirements of the declaring protocol.
    /// The type of the entities.
    associatedtype Entity = Result.Result
    /// The type of the result: a list, or a list in sections.
    associatedtype Result
    /// Returns the entities that match a text.
    func entities(matching string: String) async throws -> Result
    // Declared again: if `entities(matching:)` exists both for a list and for sections, this requirement selects one of
    // them.
    /// Returns entities to choose from. Empty by default.
    func suggestedEntities() async throws -> Result
}

extension EntityStringQuery {
    func _found(_ text: String) async throws -> OptionList {
        try OptionList(try await entities(matching: text))
    }
}

/// A query that can list all entities. Its other results are derived from this list.
///
/// Source: Apple's EnumerableEntityQuery page.
public protocol EnumerableEntityQuery: EntityQuery {
    // Declared again, because Swift infers associated types from the requirements of the declaring protocol.
    /// The type of the entities.
    associatedtype Entity = Result.Result
    /// The type of the result: a list, or a list in sections.
    associatedtype Result
    /// Returns all entities.
    func allEntities() async throws -> Result
    /// The description of an intent that finds entities. Nil by default.
    static var findIntentDescription: IntentDescription? { get }
}

extension EnumerableEntityQuery where Result.Result == Entity {
    public func entities(for identifiers: [Entity.ID]) async throws -> [Entity] {
        let wanted = Set(identifiers)
        return try await allEntities()._sections.flatMap(\.items).map(\.value).filter { wanted.contains($0.id) }
    }
}

extension EnumerableEntityQuery {
    public func suggestedEntities() async throws -> Result { try await allEntities() }
}

/// A query for an entity with exactly one instance.
///
/// Source: Apple's UniqueAppEntityQuery page.
public protocol UniqueAppEntityQuery: EnumerableEntityQuery where Entity: UniqueAppEntity, Result == [Entity] {
    /// The type of the entity.
    associatedtype Unique where Entity == Unique
    /// Returns the entity.
    func uniqueEntity() async throws -> Unique
}

extension UniqueAppEntityQuery {
    public func allEntities() async throws -> [Unique] { [try await uniqueEntity()] }
    public func entities(for identifiers: [Unique.ID]) async throws -> [Unique] { [try await uniqueEntity()] }
    public func suggestedEntities() async throws -> [Unique] { [try await uniqueEntity()] }
}

/// A query that creates the only entity of its type with a closure.
///
/// Source: Apple's UniqueAppEntityProvider page.
public struct UniqueAppEntityProvider<Entity: UniqueAppEntity>: UniqueAppEntityQuery {
    private let make: @Sendable () async throws -> Entity

    /// - Parameter make: Makes the entity. It is called for each use of the entity.
    public init(_ make: @escaping @Sendable () async throws -> Entity) {
        self.make = make
    }

    public func uniqueEntity() async throws -> Entity { try await make() }
}

/// A query that finds values by another value, such as an image or a text.
///
/// Source: Apple's IntentValueQuery page.
public protocol IntentValueQuery: PersistentlyIdentifiable, _SupportsAppDependencies, Sendable {
    /// The type to search by.
    associatedtype Input
    /// The type of the results.
    associatedtype Result

    /// Returns the values that match an input.
    func values(for input: Input) async throws -> Result
}
