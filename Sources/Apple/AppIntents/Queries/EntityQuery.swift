import IntentSharedTypes

/// A query that finds entities by their ids and suggests entities to choose from.
///
/// A worker resolves the `@Dependency` properties of a query, and then calls the query with the limits that apply to a
/// run of the intent.
///
/// Source: Apple's EntityQuery page.
public protocol EntityQuery: DynamicOptionsProvider, PersistentlyIdentifiable {
    /// The kinds of process in which the query may run. The default is all kinds. Ignored on Linux.
    static var allowedExecutionTargets: IntentExecutionTargets { get }
    /// The type of the entities.
    associatedtype Entity: AppEntity = Self.Result.Result
    /// The type of the results: a list, or a list in sections.
    associatedtype Result = [Entity]
    /// The type of the default value.
    associatedtype DefaultValue = Entity

    /// Returns the entities with the given ids. Unknown ids are omitted.
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
    /// Returns suggested entities to choose from. By default, returns an empty list.
    func suggestedEntities() async throws -> Result
}

extension EntityQuery {
    /// The default implementation provides no description.
    // Declared on this protocol, because EntityPropertyQuery and EnumerableEntityQuery both require the property. Two
    // default implementations would be ambiguous for a query that conforms to both protocols.
    public static var findIntentDescription: IntentDescription? { nil }
    public static var allowedExecutionTargets: IntentExecutionTargets { .default }

    public func results() async throws -> Result { try await suggestedEntities() }

    func _entities(for identifiers: [any Sendable]) async throws -> [any AppEntity] {
        try await entities(for: identifiers.compactMap { $0 as? Entity.ID })
    }

    func _suggestions(matching text: String?) async throws -> OptionList {
        try OptionList(try await suggestedEntities(), matching: text)
    }

    /// Returns the entities that match a string; nil if the query does not support searching for a string.
    func _search(_ text: String) async throws -> OptionList? {
        try await (self as? any EntityStringQuery)?._found(text)
    }
}

extension EntityQuery {
    public func suggestedEntities() async throws -> [Entity] { [] }
}

/// A query that can also find entities by a string.
///
/// Source: Apple's EntityStringQuery page.
public protocol EntityStringQuery: EntityQuery {
    // Declared again, because Swift infers associated types from the requirements of the protocol that declares them.
    /// The type of the entities.
    associatedtype Entity = Result.Result
    /// The type of the results: a list, or a list in sections.
    associatedtype Result
    /// Returns the entities that match a string.
    func entities(matching string: String) async throws -> Result
    // Declared again so that Swift selects one of the implementations if `entities(matching:)` exists both for a list
    // and for sections.
    /// Returns suggested entities to choose from. By default, returns an empty list.
    func suggestedEntities() async throws -> Result
}

extension EntityStringQuery {
    func _found(_ text: String) async throws -> OptionList {
        try OptionList(try await entities(matching: text))
    }
}

/// A query that can list all entities. The results of its other methods are derived from this list.
///
/// Source: Apple's EnumerableEntityQuery page.
public protocol EnumerableEntityQuery: EntityQuery {
    // Declared again, because Swift infers associated types from the requirements of the protocol that declares them.
    /// The type of the entities.
    associatedtype Entity = Result.Result
    /// The type of the results: a list, or a list in sections.
    associatedtype Result
    /// Returns all entities.
    func allEntities() async throws -> Result
    /// The description of an intent that finds entities with this query. The default is nil.
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

/// A query for an entity type that has exactly one instance.
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

/// A query that uses a closure to create the only instance of an entity type.
///
/// Source: Apple's UniqueAppEntityProvider page.
public struct UniqueAppEntityProvider<Entity: UniqueAppEntity>: UniqueAppEntityQuery {
    private let make: @Sendable () async throws -> Entity

    /// - Parameter make: A closure that creates the entity. It is called each time the entity is used.
    public init(_ make: @escaping @Sendable () async throws -> Entity) {
        self.make = make
    }

    public func uniqueEntity() async throws -> Entity { try await make() }
}

/// A query that finds the values that match an input, such as an image or a string.
///
/// Source: Apple's IntentValueQuery page.
public protocol IntentValueQuery: PersistentlyIdentifiable, _SupportsAppDependencies, Sendable {
    /// The kinds of process in which the query may run. The default is all kinds. Ignored on Linux.
    static var allowedExecutionTargets: IntentExecutionTargets { get }
    /// The type of the input.
    associatedtype Input
    /// The type of the results.
    associatedtype Result

    /// Returns the values that match the input.
    func values(for input: Input) async throws -> Result
}

extension IntentValueQuery {
    public static var allowedExecutionTargets: IntentExecutionTargets { .default }
}

/// A query for the entities of a search index, which can add them to the index again.
///
/// Linux never calls the methods: an index that cannot be read is an error in the run that uses it.
///
/// Source: Apple's IndexedEntityQuery page.
public protocol IndexedEntityQuery: EntityQuery where Entity: IndexedEntity {
    /// Adds the entities with the given ids to the index again.
    func reindexEntities(
        for identifiers: [Entity.ID],
        indexDescription: CSSearchableIndexDescription
    ) async throws
    /// Adds all entities to the index again.
    func reindexAllEntities(indexDescription: CSSearchableIndexDescription) async throws
}
