import IntentWire

/// Finds entities by their ids, and says which may be meant.
///
/// A query is asked in a worker, under the same limits as an intent; its `@Dependency` properties are filled first.
///
/// Source: Apple's EntityQuery page.
public protocol EntityQuery: DynamicOptionsProvider, PersistentlyIdentifiable {
    /// What it finds.
    associatedtype Entity: AppEntity = Self.Result.Result
    /// A list, or a list in sections.
    associatedtype Result = [Entity]
    /// What is chosen when nobody chooses.
    associatedtype DefaultValue = Entity

    /// The entities with these ids; the ones that there are not are left out.
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
    /// Some to choose from; by default none.
    func suggestedEntities() async throws -> Result
}

extension EntityQuery {
    // Here, and not where it is required: a query may conform to both protocols that require it.
    public static var findIntentDescription: IntentDescription? { nil }

    public func results() async throws -> Result { try await suggestedEntities() }

    func _entities(for identifiers: [any Sendable]) async throws -> [any AppEntity] {
        try await entities(for: identifiers.compactMap { $0 as? Entity.ID })
    }

    func _suggestions(matching text: String?) async throws -> OptionList {
        try OptionList(try await suggestedEntities(), matching: text)
    }

    /// Nil when the query cannot look for a text.
    func _search(_ text: String) async throws -> OptionList? {
        try await (self as? any EntityStringQuery)?._found(text)
    }
}

extension EntityQuery {
    public func suggestedEntities() async throws -> [Entity] { [] }
}

/// A query that can look for a text.
///
/// Source: Apple's EntityStringQuery page.
public protocol EntityStringQuery: EntityQuery {
    // Again: Swift infers them from the requirements of the protocol that declares them.
    /// What it finds.
    associatedtype Entity = Result.Result
    /// A list, or a list in sections.
    associatedtype Result
    /// The entities that the text may mean.
    func entities(matching string: String) async throws -> Result
    // Once more: where `entities(matching:)` is there twice, for a list and for sections, this one says which is meant.
    /// Some to choose from; by default none.
    func suggestedEntities() async throws -> Result
}

extension EntityStringQuery {
    func _found(_ text: String) async throws -> OptionList {
        try OptionList(try await entities(matching: text))
    }
}

/// A query that can list everything; the rest follows from that.
///
/// Source: Apple's EnumerableEntityQuery page.
public protocol EnumerableEntityQuery: EntityQuery {
    // Again: Swift infers them from the requirements of the protocol that declares them.
    /// What it finds.
    associatedtype Entity = Result.Result
    /// A list, or a list in sections.
    associatedtype Result
    /// All entities.
    func allEntities() async throws -> Result
    /// What an intent that finds entities is for; by default nothing.
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

/// The query of an entity of which there is one.
///
/// Source: Apple's UniqueAppEntityQuery page.
public protocol UniqueAppEntityQuery: EnumerableEntityQuery where Entity: UniqueAppEntity, Result == [Entity] {
    /// What it finds.
    associatedtype Unique where Entity == Unique
    /// The one.
    func uniqueEntity() async throws -> Unique
}

extension UniqueAppEntityQuery {
    public func allEntities() async throws -> [Unique] { [try await uniqueEntity()] }
    public func entities(for identifiers: [Unique.ID]) async throws -> [Unique] { [try await uniqueEntity()] }
    public func suggestedEntities() async throws -> [Unique] { [try await uniqueEntity()] }
}

/// Makes the one entity of its type.
///
/// Source: Apple's UniqueAppEntityProvider page.
public struct UniqueAppEntityProvider<Entity: UniqueAppEntity>: UniqueAppEntityQuery {
    private let make: @Sendable () async throws -> Entity

    /// - Parameter make: Makes the entity each time that it is asked for.
    public init(_ make: @escaping @Sendable () async throws -> Entity) {
        self.make = make
    }

    public func uniqueEntity() async throws -> Entity { try await make() }
}

/// Finds values by another value: by an image, by a text.
///
/// Source: Apple's IntentValueQuery page.
public protocol IntentValueQuery: PersistentlyIdentifiable, _SupportsAppDependencies, Sendable {
    /// What is looked for.
    associatedtype Input
    /// What is found.
    associatedtype Result

    /// The values for that input.
    func values(for input: Input) async throws -> Result
}
