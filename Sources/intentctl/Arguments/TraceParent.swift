import Glibc

/// Reads the W3C trace context of this process from `TRACEPARENT`.
enum TraceParent {
    static var ofEnvironment: String? {
        guard let text = getenv("TRACEPARENT").map({ String(cString: $0) }) else { return nil }
        // Ignore an invalid value. The user may not have set the variable, so it must not prevent the run.
        // An id that contains only zeros is invalid (https://www.w3.org/TR/trace-context/#traceparent-header).
        guard let parts = text.wholeMatch(of: /00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/),
            [parts.1, parts.2].allSatisfy({ id in id.contains { $0 != "0" } })
        else { return nil }
        return text
    }
}
