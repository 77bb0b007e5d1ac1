/// The order of the parts in which a page sends its input: each part is passed to the relay once.
package struct LinkInput: Sendable {
    package enum Decision: Equatable, Sendable {
        case write
        /// The browser has repeated a request, because the answer was lost.
        case repeated
        case refuse(WebRefusal)
    }

    private var acceptedCount: UInt64 = 0

    package init() {}

    package mutating func receive(serial: UInt64, byteCount: Int) -> Decision {
        guard byteCount <= WebLimits.partByteCount else { return .refuse(.tooLarge) }
        if serial == acceptedCount, serial > 0 { return .repeated }
        guard serial == acceptedCount + 1 else { return .refuse(.wrongSerial) }
        acceptedCount = serial
        return .write
    }
}
