import Glibc

/// The trace that this process belongs to, by the usual variable.
enum TraceParent {
    static var ofEnvironment: String? {
        guard let text = getenv("TRACEPARENT").map({ String(cString: $0) }) else { return nil }
        // Whatever else stands there is none of the user's doing, and no reason to refuse his run.
        return text.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}/) != nil
            && !text.hasPrefix("00-0000000000000000")
            ? text : nil
    }
}
