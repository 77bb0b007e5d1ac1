import CIntentWorker

/// Finds this program's types that conform to a protocol, in the runtime's tables.
enum ConformingTypes {
    /// Returns the types that conform to a protocol.
    ///
    /// - Parameter existential: `(any P).self`, where P is a single protocol.
    static func of(_ existential: Any.Type) -> [Any.Type] { of(descriptor: descriptor(of: existential)) }

    /// Returns the descriptor of a protocol.
    static func descriptor(of existential: Any.Type) -> UnsafeRawPointer {
        // SAFETY: the metadata of `any P` is {kind, flags and count, descriptor}, with the descriptor of P's protocol
        // at offset 16 — the ABI of existential types; Sendable has no descriptor.
        unsafeBitCast(existential, to: UnsafeRawPointer.self).load(fromByteOffset: 16, as: UnsafeRawPointer.self)
    }

    static func of(descriptor: UnsafeRawPointer) -> [Any.Type] { of(descriptors: [descriptor])[0] }

    /// Finds the conforming types of several protocols in one pass over the tables. In a large program, a pass is slow,
    /// and every conformance check that fails makes one.
    static func of(descriptors: [UnsafeRawPointer]) -> [[Any.Type]] {
        var found = [[ObjectIdentifier: Any.Type]](repeating: [:], count: descriptors.count)
        withUnsafeMutablePointer(to: &found) { found in
            intentd_each_conforming_type(
                descriptors,
                descriptors.count,
                { index, metadata, context in
                    // SAFETY: the pointer is the metadata of a type — intentd_each_conforming_type.
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
