import CIntentWorker
package import IntentWire

/// Every intent that is linked into this program, found without a list.
package struct IntentRegistry {
    /// Sorted by name.
    package let types: [any AppIntent.Type]
    private let typesByName: [String: any AppIntent.Type]

    /// - Throws: ``CatalogError`` when two intents have one name.
    package init(_ found: [any AppIntent.Type]) throws(CatalogError) {
        let byName = Dictionary(grouping: found) { $0.persistentIdentifier }
        for (name, types) in byName.sorted(by: { $0.key < $1.key }) where types.count > 1 {
            throw .sameName(name, types: types.map { _typeName($0, qualified: true) }.sorted())
        }
        typesByName = byName.compactMapValues(\.first)
        types = byName.keys.sorted().compactMap { byName[$0]?.first }
    }

    /// The program's own intents.
    package static func ofProgram() throws(CatalogError) -> IntentRegistry {
        try IntentRegistry(conformingTypes())
    }

    func type(named name: String) -> (any AppIntent.Type)? { typesByName[name] }

    package func catalog() throws(CatalogError) -> IntentCatalog {
        var intents: [IntentDeclaration] = []
        for type in types { intents.append(try IntentInspection.declaration(of: type)) }
        return IntentCatalog(intents: intents)
    }

    private static func conformingTypes() -> [any AppIntent.Type] {
        // SAFETY: the metadata of `any P` is {kind, flags and count, descriptor} with the descriptor of P's protocol at
        // 16 — the ABI of existential types; Sendable leaves no descriptor.
        let descriptor = unsafeBitCast((any AppIntent).self as Any.Type, to: UnsafeRawPointer.self)
            .load(fromByteOffset: 16, as: UnsafeRawPointer.self)
        var found: [ObjectIdentifier: any AppIntent.Type] = [:]
        withUnsafeMutablePointer(to: &found) { found in
            intentd_each_conforming_type(
                descriptor,
                { metadata, context in
                    // SAFETY: the runtime gave it as the metadata of a type — intentd_each_conforming_type.
                    let type = unsafeBitCast(metadata, to: Any.Type.self)
                    guard type != Never.self, type != Rehearsal.Nothing.self, let intent = type as? any AppIntent.Type
                    else { return }
                    // SAFETY: the pointer is the one passed below, alive during the call — withUnsafeMutablePointer.
                    let found = context.assumingMemoryBound(to: [ObjectIdentifier: any AppIntent.Type].self)
                    found.pointee[ObjectIdentifier(type)] = intent
                },
                found
            )
        }
        return Array(found.values)
    }
}
