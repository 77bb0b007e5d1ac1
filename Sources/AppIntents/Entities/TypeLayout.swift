import CIntentWorker

/// The memory layout of a type's values, from its metadata.
///
/// Source: docs/ABI/TypeMetadata.md of the Swift project.
enum TypeLayout {
    /// Whether the type's values are bits without reference counts.
    static func isTrivial(_ type: Any.Type) -> Bool {
        func ask<T>(_: T.Type) -> Bool { _isPOD(T.self) }
        return _openExistential(type, do: ask)
    }

    /// Turns the memory into the enumeration's first case without a payload; false when every case has a payload.
    static func storeEmptyCase(at address: UnsafeMutableRawPointer, of type: Any.Type) -> Bool {
        // SAFETY: the metadata describes an enumeration — the caller, which has it from `_forEachField`.
        intentd_make_empty_case(address, unsafeBitCast(type, to: UnsafeRawPointer.self))
    }

    /// Turns zeroed memory into an existential that is safe to copy, because it holds a number.
    static func storeExistential(at address: UnsafeMutableRawPointer, of type: Any.Type) {
        // SAFETY: the metadata of `any P` has its flags at offset 8. Bit 31 says that P is not limited to classes: the
        // existential is then three words of value and the value's type. Bits 24 to 29 are 1 for Error:
        // its existential is an object.
        let flags = unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: 8, as: UInt32.self)
        guard flags & (1 << 31) != 0, (flags >> 24) & 0x3f != 1 else { return }
        address.storeBytes(of: Int.self, toByteOffset: 24, as: Any.Type.self)
    }

    /// Allocates an object of the class with zeroed fields. It is never released.
    static func allocateObject(of type: AnyClass) -> UnsafeMutableRawPointer? {
        // SAFETY: the metadata describes a class of this program.
        intentd_allocate_object(unsafeBitCast(type, to: UnsafeRawPointer.self))
    }
}
