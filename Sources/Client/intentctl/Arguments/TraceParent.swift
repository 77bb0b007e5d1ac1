/// Reads the W3C trace context of this process from `TRACEPARENT`.
package enum TraceParent {
    /// The value; nil if it is not set or invalid. The user may not have set it, so it must not prevent the run.
    static var ofEnvironment: String? { environmentText("TRACEPARENT").flatMap { isValid($0) ? $0 : nil } }

    /// Returns true for a value of version 00 of https://www.w3.org/TR/trace-context/#traceparent-header.
    package static func isValid(_ text: String) -> Bool {
        let parts = text.split(scalar: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 32, 16, 2], parts[0] == "00" else { return false }
        // An id that contains only zeros is invalid.
        return parts.allSatisfy { $0.utf8.allSatisfy("0123456789abcdef".utf8.contains) }
            && parts[1...2].allSatisfy { $0.utf8.contains { $0 != UInt8(ascii: "0") } }
    }
}
