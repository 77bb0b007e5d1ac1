import IntentSharedTypes

/// Checks whether the person must confirm a run because it acts on entities that other people can access.
struct OwnershipCheck: Sendable {
    /// The entities that the person has confirmed in this run.
    private var confirmed: Set<Key> = []

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let id: String
    }

    /// The maximum nesting depth to search. Apps nest values in optionals, lists and unions.
    private static let depthLimit = 8
    /// The maximum number of entities that a dialog names.
    private static let nameLimit = 3

    /// Returns false if this program has no ``OwnershipProvidingEntity``, or if the intent only shows entities. A run
    /// then skips the check, which examines the values and suspends the task.
    static func isNeeded(for type: any AppIntent.Type) -> Bool {
        guard !EntityConformances.ofProgram.owned.isEmpty else { return false }
        return !(type is any OpenIntent.Type) && !(type is any SnippetIntent.Type)
    }

    /// Searches the values for entities that other people can access and that the person has not yet confirmed in this
    /// run. Returns a dialog that asks the person to confirm these entities, and records them as confirmed; returns nil
    /// if no entity needs confirmation.
    ///
    /// - Throws: The error thrown by the query that finds the entities of an ``EntityCollection``.
    mutating func dialog(for values: [Any]) async throws -> String? {
        var found: [any OwnershipProvidingEntity] = []
        for value in values { try await Self.collect(value, depth: 0, into: &found) }
        var lines: [String] = []
        for entity in found {
            guard let phrase = entity.ownership.phrase else { continue }
            let key = Key(type: ObjectIdentifier(type(of: entity)), id: Self.id(of: entity))
            guard confirmed.insert(key).inserted else { continue }
            lines.append("“\(entity.displayRepresentation.title.text.bounded(to: 100))” \(phrase).")
        }
        guard !lines.isEmpty else { return nil }
        let more = lines.count - Self.nameLimit
        return lines.prefix(Self.nameLimit).joined(separator: " ")
            + (more > 0 ? " Other people can access \(more) more." : "") + " Continue?"
    }

    private static func id(of entity: some OwnershipProvidingEntity) -> String { entity.id.entityIdentifierString }

    private static func collect(
        _ value: Any,
        depth: Int,
        into found: inout [any OwnershipProvidingEntity]
    ) async throws {
        if EntityConformances.ofProgram.isOwned(type(of: value)) {
            if let entity = value as? any OwnershipProvidingEntity { found.append(entity) }
            return
        }
        guard depth < depthLimit else { return }
        if let collection = value as? any ResolvableCollection {
            for entity in try await collection.resolvedOwnedEntities() {
                try await collect(entity, depth: depth + 1, into: &found)
            }
            return
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .collection, .set, .enum, .tuple:
            for child in mirror.children { try await collect(child.value, depth: depth + 1, into: &found) }
        default: return
        }
    }
}

/// A collection of ids, which are resolved only if the entity type conforms to ``OwnershipProvidingEntity``.
private protocol ResolvableCollection {
    func resolvedOwnedEntities() async throws -> [Any]
}

extension EntityCollection: ResolvableCollection {
    fileprivate func resolvedOwnedEntities() async throws -> [Any] {
        EntityConformances.ofProgram.isOwned(Entity.self) ? try await resolvedEntities() : []
    }
}
