import CIntentWorker

/// Finds this program's types that conform to a protocol, in the runtime's tables.
enum ConformingTypes {
    /// - Parameter existential: `(any P).self` of a protocol with one descriptor.
    static func of(_ existential: Any.Type) -> [Any.Type] { of(descriptor: descriptor(of: existential)) }

    /// The protocol's descriptor.
    static func descriptor(of existential: Any.Type) -> UnsafeRawPointer {
        // SAFETY: the metadata of `any P` is {kind, flags and count, descriptor}, with the descriptor of P's protocol
        // at offset 16 — the ABI of existential types; Sendable has no descriptor.
        unsafeBitCast(existential, to: UnsafeRawPointer.self).load(fromByteOffset: 16, as: UnsafeRawPointer.self)
    }

    static func of(descriptor: UnsafeRawPointer) -> [Any.Type] { of(descriptors: [descriptor])[0] }

    /// Finds the conforming types of several protocols in one pass. A pass over the tables of a large program takes
    /// long, and a conformance check that fails is such a pass.
    static func of(descriptors: [UnsafeRawPointer]) -> [[Any.Type]] {
        var found = [[ObjectIdentifier: Any.Type]](repeating: [:], count: descriptors.count)
        withUnsafeMutablePointer(to: &found) { found in
            intentd_each_conforming_type(
                descriptors,
                descriptors.count,
                { index, metadata, context in
                    // SAFETY: the runtime passed it as the metadata of a type — intentd_each_conforming_type.
                    let type = unsafeBitCast(metadata, to: Any.Type.self)
                    // SAFETY: the pointer is the one passed below, valid during the call — withUnsafeMutablePointer.
                    let found = context.assumingMemoryBound(to: [[ObjectIdentifier: Any.Type]].self)
                    found.pointee[index][ObjectIdentifier(type)] = type
                },
                found
            )
        }
        return found.map { Array($0.values) }
    }
}
