import CIntentWorker

/// What the metadata of a type tells of its values in memory.
///
/// Source: docs/ABI/TypeMetadata.md of the Swift project.
enum TypeLayout {
    /// True: its values are bits, and nothing is counted.
    static func isTrivial(_ type: Any.Type) -> Bool {
        func ask<T>(_: T.Type) -> Bool { _isPOD(T.self) }
        return _openExistential(type, do: ask)
    }

    /// Makes the memory the enum's first case without payload; false when every case has one.
    static func makeEmptyCase(at place: UnsafeMutableRawPointer, of type: Any.Type) -> Bool {
        // SAFETY: the metadata is that of an enum — the caller's, from `_forEachField`.
        intentd_make_empty_case(place, unsafeBitCast(type, to: UnsafeRawPointer.self))
    }

    /// Makes zero bits a box of any protocol's type that can be copied: one that holds a number.
    static func makeSomething(at place: UnsafeMutableRawPointer, of type: Any.Type) {
        // SAFETY: the metadata of `any P` has its flags at 8: bit 31 says that P takes more than classes, and then a box is
        // three words of a value and the value's type; bits 24 to 29 are 1 for Error, whose box is an object.
        let flags = unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: 8, as: UInt32.self)
        guard flags & (1 << 31) != 0, (flags >> 24) & 0x3f != 1 else { return }
        place.storeBytes(of: Int.self, toByteOffset: 24, as: Any.Type.self)
    }

    /// An object of the class, with all its parts zero; it is never ended.
    static func allocateObject(of type: AnyClass) -> UnsafeMutableRawPointer? {
        // SAFETY: the metadata is that of a class of this program.
        intentd_allocate_object(unsafeBitCast(type, to: UnsafeRawPointer.self))
    }
}
