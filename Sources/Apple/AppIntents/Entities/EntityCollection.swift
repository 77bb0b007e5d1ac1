import IntentSharedTypes

/// A list of entity ids that are resolved to entities on demand.
///
/// A parameter of this type accepts ids without resolving them.
///
/// Source: Apple's EntityCollection page.
public struct EntityCollection<Entity: AppEntity>: Sendable {
    /// The ids, in order.
    public var identifiers: [Entity.ID]
    /// The entities that were passed to the initialiser.
    private var known: [Entity]

    /// Creates a collection of entities.
    public init(entities: [Entity]) {
        identifiers = entities.map(\.id)
        known = entities
    }

    /// Creates a collection from the ids of entities.
    public init(identifiers: [Entity.ID]) {
        self.identifiers = identifiers
        known = []
    }

    /// Returns the entities in the order of their ids. Entities that the collection does not contain are found with the
    /// type's query.
    ///
    /// - Throws: The error that the query throws. Ids that the query does not find are omitted.
    public func resolvedEntities() async throws -> [Entity] {
        var found = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        let missing = identifiers.filter { found[$0] == nil }
        if !missing.isEmpty {
            let query = Entity.defaultQuery
            try await OptionsPreparation.prepare(query)
            for case let entity as Entity in try await query._entities(for: missing) { found[entity.id] = entity }
        }
        return identifiers.compactMap { found[$0] }
    }
}

extension EntityCollection: _IntentValue, _ValueOptions {
    public static var _intentValueCoding: _IntentValueCoding<EntityCollection> {
        _IntentValueCoding<EntityCollection>(Entity._intentValueCoding.type.map { .array($0) }) { collection, files in
            let known = Dictionary(collection.known.map { ($0.id, $0) }) { first, _ in first }
            var encoded: [IntentValue] = []
            for id in collection.identifiers {
                let members = try known[id]?.wireMembers(files: &files) ?? ["id": .string(id.entityIdentifierString)]
                encoded.append(.object(members))
            }
            return .array(encoded)
        } decode: { value, _ in
            guard case .array(let values) = value else { throw InvalidValue("expects a list, got \(value.kindName)") }
            return EntityCollection(
                identifiers: try values.map { value in
                    guard case .string(let text) = value, let id = Entity.ID.entityIdentifier(for: text) else {
                        throw InvalidValue("expects ids of \(Entity.typeDisplayRepresentation.name.text)")
                    }
                    return id
                }
            )
        }
    }

    public static func _options(matching text: String?) async throws -> _OptionList {
        try await Entity._options(matching: text)
    }
}
