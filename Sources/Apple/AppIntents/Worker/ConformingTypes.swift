import CIntentWorker

/// The types in this program that conform to a protocol, as listed in the Swift runtime's tables.
enum ConformingTypes {
    /// Returns the types that conform to a protocol.
    ///
    /// - Parameter existential: The type `(any P).self`, where P is a single protocol.
    static func of(_ existential: Any.Type) -> [Any.Type] { of(descriptor: descriptor(of: existential)) }

    /// Returns the descriptor of a protocol.
    static func descriptor(of existential: Any.Type) -> UnsafeRawPointer {
        // SAFETY: the metadata of `any P` is {kind, flags and count, descriptor}, with P's protocol descriptor at
        // offset 16 — the ABI of existential types; Sendable has no descriptor.
        unsafeBitCast(existential, to: UnsafeRawPointer.self).load(fromByteOffset: 16, as: UnsafeRawPointer.self)
    }

    static func of(descriptor: UnsafeRawPointer) -> [Any.Type] { of(descriptors: [descriptor])[0] }

    /// Returns the types that conform to each of several protocols, after a single pass over the tables. A pass is slow
    /// in a large program. Casts are not used instead, because every cast that fails needs a pass.
    static func of(descriptors: [UnsafeRawPointer]) -> [[Any.Type]] {
        var found = [[ObjectIdentifier: Any.Type]](repeating: [:], count: descriptors.count)
        withUnsafeMutablePointer(to: &found) { found in
            intentd_each_conforming_type(
                descriptors,
                descriptors.count,
                { index, metadata, context in
                    // SAFETY: the pointer is the metadata of a type — ensured by intentd_each_conforming_type.
                    let type = unsafeBitCast(metadata, to: Any.Type.self)
                    // SAFETY: the pointer is the argument passed below, and is valid during the call — ensured by
                    // withUnsafeMutablePointer.
                    let found = context.assumingMemoryBound(to: [[ObjectIdentifier: Any.Type]].self)
                    found.pointee[index][ObjectIdentifier(type)] = type
                },
                found
            )
        }
        return found.map { Array($0.values) }
    }
}
