/// How often the fleet may perform a run of an intent: `Fleet=`.
package enum RunPolicy: String, Codable, Sendable {
    /// At most once. A run of a lost host ends as `hostLost`.
    case once
    /// Again on another host after the lease of a lost host, as often as the host's offer says.
    case retryable
    /// At most once, and the host stops the run before its lease ends.
    case exclusive
}
