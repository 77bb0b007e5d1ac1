/// How many times the fleet may execute one run of an intent: `Fleet=`.
package enum RunPolicy: String, Codable, Sendable {
    /// At most once. A lost host's run ends as `hostLost`.
    case once
    /// Repeated on another host after the lost host's lease has ended, up to the number of attempts in the host's
    /// offer.
    case retryable
    /// At most once, and the host stops the run before its lease ends.
    case exclusive
}
