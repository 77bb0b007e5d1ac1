import IntentLauncherMessages

/// Reads values from several columns, and values that are stored as JSON.
extension Statement {
    /// Decodes the JSON in a column. Returns nil for NULL, and for a value that this version cannot decode.
    func decoded<Value: Decodable>(_ type: Value.Type, _ column: Int32) -> Value? {
        text(column).flatMap { try? WireCoding.decode(type, from: Array($0.utf8), as: .value) }
    }

    /// Reads the owner of a run from the consecutive columns `uid`, `account` and `agent`.
    func owner(from column: Int32) -> Requester {
        Requester(
            .local(user: UInt32(truncatingIfNeeded: integer(column) ?? -1), account: text(column + 1) ?? ""),
            agent: integer(column + 2).map { UInt32(truncatingIfNeeded: $0) }
        )
    }

    /// Reads the limits of a run from the consecutive columns `runtime_ms` to `queue_ms`, and from `ceiling_requested`.
    func limits(from column: Int32, isCeilingRequested: Int32) -> RunLimits {
        var limits = RunLimits()
        let paths = [
            \RunLimits.runtime, \.ceiling, \.longCeiling, \.grace, \.graceCancellable, \.killDelay, \.questionTimeout,
            \.queueTimeout,
        ]
        for (offset, path) in paths.enumerated() {
            limits[keyPath: path] = .milliseconds(integer(column + Int32(offset)) ?? 0)
        }
        limits.isCeilingRequested = (integer(isCeilingRequested) == 1).trueOrNil
        return limits
    }
}
