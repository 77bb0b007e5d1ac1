import CIntentWorker

/// Memory operations that depend on a type's layout, which the type's metadata describes.
///
/// Source: docs/ABI/TypeMetadata.md in the Swift project.
enum TypeLayout {
    /// Returns true if values of the type can be copied bit by bit, without reference counting.
    static func isTrivial(_ type: Any.Type) -> Bool {
        func isPOD<T>(_: T.Type) -> Bool { _isPOD(T.self) }
        return _openExistential(type, do: isPOD)
    }

    /// Stores an enumeration's first case without a payload. Returns false if every case has a payload.
    static func storeEmptyCase(at address: UnsafeMutableRawPointer, of type: Any.Type) -> Bool {
        // SAFETY: the metadata describes an enumeration — ensured by the caller, which obtained it
        // from `_forEachField`.
        intentd_make_empty_case(address, unsafeBitCast(type, to: UnsafeRawPointer.self))
    }

    /// Turns zeroed memory into an existential that contains the integer 0, which is safe to copy.
    static func storeExistential(at address: UnsafeMutableRawPointer, of type: Any.Type) {
        // SAFETY: the metadata of `any P` has its flags at offset 8 — the ABI of existential types. If bit 31 is set, P
        // is not limited to classes, and the existential consists of three words for the value and a pointer to the
        // value's type. Bits 24 to 29 are 1 for `any Error`, which is stored as a pointer to an object.
        let flags = unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: 8, as: UInt32.self)
        guard flags & (1 << 31) != 0, (flags >> 24) & 0x3f != 1 else { return }
        address.storeBytes(of: Int.self, toByteOffset: 24, as: Any.Type.self)
    }

    /// Allocates an instance of the class with zeroed fields. It must never be released.
    static func allocateObject(of type: AnyClass) -> UnsafeMutableRawPointer? {
        // SAFETY: the metadata describes a class in this program — ensured by the type AnyClass.
        intentd_allocate_object(unsafeBitCast(type, to: UnsafeRawPointer.self))
    }
}
