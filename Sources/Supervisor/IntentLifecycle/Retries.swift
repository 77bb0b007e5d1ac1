import IntentHash
package import IntentLauncherMessages

/// The repetitions of failed runs (`Retry=`). The history stores them, so that they survive a crash, but without files and
/// values that are not recorded: such a repetition is lost with this process.
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
        /// The failure to count if the repetition is not performed.
        var failure: Failure
        /// True if the request needs files or answers that are not recorded; otherwise nil.
        package var isIncomplete: Bool?
        /// The parameters with secret values, which are not recorded; nil without one.
        package var secrets: [String]?
    }

    /// The failure of a run.
    struct Failure: Equatable, Sendable, Codable {
        var series: Notifications.Series
        var outcome: String
        var message: String
    }

    private struct Entry: Sendable {
        var retry: Retry
        var due: Now.Boottime?
        /// The values and answers that are not recorded; nil after a restart of `intentd`.
        var unrecorded: (values: [String: IntentValue], answers: AnswersInAdvance?)?
    }

    /// The maximum number of waiting repetitions of one account. Further failed runs are not repeated.
    private static let countPerAccount = 200
    private static let prefix = "retry "
    private var entries: [RequestID: Entry] = [:]
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
        entries[retry.request.request] = Entry(retry: retry, due: now.boottime + rest)
    }

    /// Handles the end of a run.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - rule: The rule for the run; nil if the run has succeeded, or must not be repeated.
    ///   - failure: The failure to count if the repetition is not performed; nil without a rule.
    /// - Returns: The number of the next repetition and the pause before it; nil if none follows.
    mutating func ended(
        _ run: RunTable.Run,
        under rule: RetryRule?,
        _ failure: Failure?,
        at now: Now
    ) -> (number: Int, pause: Duration)? {
        let number = (remove(run.request)?.number ?? 0) + 1
        guard let rule, let failure, number <= rule.count,
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
            fileCount: accepted.fileCount,
            limit: accepted.limits.runtime,
            ceiling: accepted.limits.isCeilingRequested == true ? accepted.limits.ceiling : nil,
            onDisconnect: .continue,
            locale: accepted.locale,
            retryOf: run.id,
            entryPoint: accepted.entryPoint,
            traceparent: accepted.traceparent,
            answers: run.answers.map { AnswersInAdvance(confirmations: $0.confirmations, others: $0.others) }
        )
        let secrets = run.values.byName.filter { run.secretNames.contains($0.key) }
        let isIncomplete = accepted.fileCount > 0 || run.answers?.values?.isEmpty == false
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
            due: now.wall + pause.nanoseconds,
            failure: failure,
            isIncomplete: isIncomplete.trueOrNil,
            secrets: secrets.isEmpty ? nil : secrets.keys.sorted()
        )
        entries[request.request] = Entry(retry: retry, due: now.boottime + pause, unrecorded: (secrets, run.answers))
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

    /// Returns true if a run is a repetition.
    func contains(_ request: RequestID) -> Bool { entries[request] != nil }

    /// Returns true if a repetition of a run waits for its time, or is in progress.
    func awaits(_ run: RunID) -> Bool { entries.values.contains { $0.retry.request.retryOf == run } }

    /// Returns the repetitions that are due, with the values that are not recorded, if this process knows them.
    mutating func due(at now: Now) -> [Retry] {
        let due = entries.filter { $0.value.due.map { $0 <= now.boottime } == true }
        for request in due.keys { entries[request]?.due = nil }
        return due.values.map { entry in
            guard let (values, answers) = entry.unrecorded else { return entry.retry }
            var retry = entry.retry
            retry.request.values.merge(values) { $1 }
            retry.request.answers = answers
            // The files, if any, are kept apart.
            retry.isIncomplete = nil
            return retry
        }.sorted { ($0.due, $0.request.request.text) < ($1.due, $1.request.request.text) }
    }
}
