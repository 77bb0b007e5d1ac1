import IntentHash
package import IntentLauncherMessages

/// The repetitions of failed runs (`Retry=`). The history stores them, so that they survive a crash.
package struct Retries: Sendable {
    /// A repetition that waits for its time, or is in progress.
    package struct Retry: Equatable, Sendable, Codable {
        package var request: PerformRequest
        package var uid: UInt32
        package var account: String
        /// The number of this repetition, from 1.
        var number: Int
        /// The time of the repetition, in nanoseconds since 1970.
        var due: Int64
    }

    /// The maximum number of waiting repetitions of one account. Further failed runs are not repeated.
    private static let countPerAccount = 200
    private static let prefix = "retry "
    private var entries: [RequestID: (retry: Retry, due: Now.Boottime?)] = [:]
    private(set) var changes: [String: String?] = [:]

    var next: Now.Boottime? { entries.values.lazy.compactMap(\.due).min() }

    mutating func drainChanges() -> [String: String?] {
        defer { changes = [:] }
        return changes
    }

    /// Restores a repetition of an earlier `intentd`. If its run is live, the repeated request finds the run.
    mutating func recall(_ name: String, _ value: String, at now: Now) {
        guard let retry = try? WireCoding.decodeFile(Retry.self, from: Array(value.utf8)),
            name == Self.prefix + retry.request.request.text
        else { return }
        let rest = max(Duration.zero, min(.nanoseconds(retry.due - now.wall), .seconds(86_400)))
        entries[retry.request.request] = (retry, now.boottime + rest)
    }

    /// Handles the end of a run.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - rule: The rule for the run; nil if the run has succeeded, or must not be repeated.
    /// - Returns: The number of the next repetition and the pause before it; nil if none follows.
    mutating func ended(_ run: RunTable.Run, under rule: RetryRule?, at now: Now) -> (number: Int, pause: Duration)? {
        let number = (remove(run.request)?.number ?? 0) + 1
        guard let rule, number <= rule.count,
            entries.values.count(where: { $0.retry.uid == run.owner.uid }) < Self.countPerAccount
        else { return nil }
        let pause = rule.backoff.pause(afterAttempt: number)
        let digest = SHA256.hexadecimal(of: "retry of \(run.id)".utf8)
        let accepted = run.accepted
        var request = PerformRequest(
            request: RequestID(digest.prefix(scalars: 32)) ?? RequestID(randomBits: 0, 0),
            app: accepted.app.text,
            intent: accepted.intent,
            values: accepted.values.byName,
            limit: accepted.limits.runtime,
            ceiling: accepted.limits.isCeilingRequested == true ? accepted.limits.ceiling : nil,
            onDisconnect: .continue,
            locale: accepted.locale,
            retryOf: run.id,
            entryPoint: accepted.entryPoint,
            traceparent: accepted.traceparent,
            answers: run.answers
        )
        // Each run has a key of its own. The prefix names the schedule.
        request.key = accepted.key.map { key in
            let start = key.utf8.lastIndex(of: UInt8(ascii: "#")).map { Substring(key.utf8[..<$0]) } ?? Substring(key)
            return "\(start)#\(number)"
        }
        if request.key.map({ $0.utf8.count > PerformRequest.keyByteLimit }) == true { request.key = nil }
        let retry = Retry(
            request: request,
            uid: run.owner.uid,
            account: run.owner.account,
            number: number,
            due: now.wall + pause.nanoseconds
        )
        entries[request.request] = (retry, now.boottime + pause)
        changes[Self.prefix + request.request.text] = String(foreign: WireCoding.encode(retry))
        return (number, pause)
    }

    /// Removes the repetition of a failed run.
    mutating func cancel(after run: RunID) {
        for retry in entries.values where retry.retry.request.retryOf == run && retry.due != nil {
            remove(retry.retry.request.request)
        }
    }

    /// Removes a repetition that was refused.
    @discardableResult
    mutating func remove(_ request: RequestID) -> Retry? {
        guard let entry = entries.removeValue(forKey: request) else { return nil }
        changes.updateValue(nil, forKey: Self.prefix + request.text)
        return entry.retry
    }

    /// Returns the repetitions that are due.
    mutating func due(at now: Now) -> [Retry] {
        let due = entries.filter { $0.value.due.map { $0 <= now.boottime } == true }
        for request in due.keys { entries[request]?.due = nil }
        return due.values.map(\.retry).sorted { ($0.due, $0.request.request.text) < ($1.due, $1.request.request.text) }
    }
}
