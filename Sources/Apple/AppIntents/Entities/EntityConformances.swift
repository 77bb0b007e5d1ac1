/// The computed properties of this program's entities, and the entities that provide their ownership. The Swift
/// runtime's tables, which list both, are searched only once.
struct EntityConformances: Sendable {
    static let ofProgram = EntityConformances()

    private let computed: [ObjectIdentifier: [any _ComputedPropertyDeclaration.Type]]
    /// The types that conform to ``OwnershipProvidingEntity``, except classes that inherit the conformance.
    let owned: Set<ObjectIdentifier>
    /// True if a type conforms to ``SnippetRepresentableEntity``.
    let hasSnippets: Bool

    private init() {
        let protocols: [Any.Type] = [
            (any _ComputedPropertyDeclaration).self, (any OwnershipProvidingEntity).self,
            (any SnippetRepresentableEntity).self,
        ]
        let found = ConformingTypes.of(descriptors: protocols.map(ConformingTypes.descriptor))
        computed = Dictionary(grouping: found[0].compactMap { $0 as? any _ComputedPropertyDeclaration.Type }) {
            ObjectIdentifier($0.entityType)
        }
        owned = Set(found[1].map { ObjectIdentifier($0) })
        hasSnippets = !found[2].isEmpty
    }

    /// Returns true if a type conforms to ``OwnershipProvidingEntity``.
    func isOwned(_ type: Any.Type) -> Bool {
        owned.contains(ObjectIdentifier(type))
            || !owned.isEmpty && type is AnyClass && type is any OwnershipProvidingEntity.Type
    }

    /// Returns the computed and deferred properties of an entity, without calling their getters, sorted by name.
    func computedProperties(of entity: Any) -> [(name: String, property: any AnyEntityProperty)] {
        let own = computed[ObjectIdentifier(type(of: entity))] ?? []
        let named = own.compactMap { $0.anyProperty(of: entity) }.compactMap { property in
            property.computedName.map { (name: $0, property: property) }
        }
        return named.sorted { $0.name < $1.name }
    }
}
