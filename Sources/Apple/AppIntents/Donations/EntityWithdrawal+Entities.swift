import IntentSharedTypes

extension EntityWithdrawal {
    /// Groups the entities by type, and returns one withdrawal for each type that a parameter accepts. If an intent is
    /// given, only its parameters are considered.
    static func each(of entities: [EntityIdentifier], in intent: String?) throws -> [EntityWithdrawal] {
        var identifiers: [String: Set<String>] = [:]
        for entity in entities { identifiers[entity.entityType, default: []].insert(entity.identifier) }
        var parameters: [String: [String: [String]]] = [:]
        for type in try IntentRegistry.ofProgram().types {
            let name = type.persistentIdentifier
            guard intent == nil || intent == name else { continue }
            for (entityType, names) in try entityParameters(of: type) where identifiers[entityType] != nil {
                parameters[entityType, default: [:]][name] = names
            }
        }
        return parameters.sorted { $0.key < $1.key }.map { entityType, parameters in
            EntityWithdrawal(identifiers: identifiers[entityType, default: []].sorted(), parameters: parameters)
        }
    }

    /// Returns the names of the parameters that accept entities, by entity type.
    private static func entityParameters<Intent: AppIntent>(of _: Intent.Type) throws -> [String: [String]] {
        var names: [String: [String]] = [:]
        for (name, parameter) in try IntentInspection.parameters(of: Intent()) {
            guard let entity = parameter.declaration(named: name)?.type.entityName else { continue }
            names[entity, default: []].append(name)
        }
        return names
    }
}

extension [EntityWithdrawal] {
    /// Returns the withdrawals of both lists. Withdrawals for the same parameters are merged.
    func merged(with others: [EntityWithdrawal]) -> [EntityWithdrawal] {
        var all = self
        for other in others {
            if let index = all.firstIndex(where: { $0.parameters == other.parameters }) {
                all[index].identifiers = Set(all[index].identifiers).union(other.identifiers).sorted()
            } else {
                all.append(other)
            }
        }
        return all
    }
}

extension IntentSharedTypes.ValueType {
    /// The name of the entity type that a value type contains; nil if it contains no entities.
    fileprivate var entityName: String? {
        switch self {
        case .entity(let type): type.name
        case .array(let element): element.entityName
        default: nil
        }
    }
}
