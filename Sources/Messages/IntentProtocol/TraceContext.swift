/// Validates the `traceparent` header of W3C Trace Context, which identifies a request across programs
/// (www.w3.org/TR/trace-context).
package enum TraceContext {
    /// Returns true for `VERSION-TRACE-PARENT-FLAGS` in lower-case hexadecimal, in which the trace and parent ids are
    /// not zero.
    package static func isValid(_ traceparent: String) -> Bool {
        guard traceparent.utf8.count <= 256 else { return false }
        let parts = traceparent.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count >= 4, parts.prefix(4).map(\.count) == [2, 32, 16, 2] else { return false }
        guard parts.prefix(4).allSatisfy({ $0.allSatisfy(isDigit) }) else { return false }
        // Only versions later than 00 may have further fields, and version ff is invalid.
        let version = String(Substring(parts[0]))
        guard version != "ff", parts.count == 4 || version != "00" else { return false }
        return parts[1...2].allSatisfy { id in id.contains { $0 != UInt8(ascii: "0") } }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
