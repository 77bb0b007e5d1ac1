import IntentWire

/// Many entities by their ids, which are looked up when somebody needs more than the ids.
///
/// As a parameter it takes a list of ids and asks no query for them.
///
/// Source: Apple's EntityCollection page.
public struct EntityCollection<Entity: AppEntity>: Sendable {
    /// The ids, in order.
    public var identifiers: [Entity.ID]
    /// The entities that the collection was made of.
    private var known: [Entity]

    /// The collection of those entities.
    public init(entities: [Entity]) {
        identifiers = entities.map(\.id)
        known = entities
    }

    /// The collection of the entities with those ids.
    public init(identifiers: [Entity.ID]) {
        self.identifiers = identifiers
        known = []
    }

    /// The entities in the order of their ids; the type's query is asked for those that the collection was not made of.
    ///
    /// - Throws: what the query throws. An id that it does not find is left out.
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
            var encoded: [IntentWire.IntentValue] = []
            for id in collection.identifiers {
                let members = try known[id]?.wireMembers(files: &files) ?? ["id": .string(id.entityIdentifierString)]
                encoded.append(.object(members))
            }
            return .array(encoded)
        } decode: { value, _ in
            guard case .array(let values) = value else { throw UnfitValue("takes a list, and got \(value.kindName)") }
            return EntityCollection(
                identifiers: try values.map { value in
                    guard case .string(let text) = value, let id = Entity.ID.entityIdentifier(for: text) else {
                        throw UnfitValue("takes ids of \(Entity.typeDisplayRepresentation.name.text)")
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
