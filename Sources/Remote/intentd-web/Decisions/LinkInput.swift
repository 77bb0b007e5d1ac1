/// Checks the serial numbers of a page's input, so that each part is passed to the relay exactly once and in order.
package struct LinkInput: Sendable {
    package enum Decision: Equatable, Sendable {
        case write
        /// The part has already been accepted. The browser repeated the request because it did not receive the
        /// response.
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
