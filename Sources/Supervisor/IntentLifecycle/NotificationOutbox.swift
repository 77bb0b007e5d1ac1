import IntentHash
package import IntentLauncherMessages

/// The notifications that are not delivered. A failed delivery is repeated after a growing pause, until it succeeds or
/// is given up.
package struct NotificationOutbox: Sendable {
    /// A notification to deliver.
    package struct Delivery: Equatable, Sendable, Codable {
        package var notification: Notification
        /// The number of this attempt, from 1.
        package var attempt: Int
        /// The time of the first attempt, in nanoseconds since 1970.
        var created: Int64
        /// The request of this attempt, which performs the notification at most once, even after a crash.
        package var request: RequestID

        init(_ notification: Notification, attempt: Int, created: Int64) {
            self.notification = notification
            self.attempt = attempt
            self.created = created
            let digest = SHA256.hexadecimal(of: "\(notification.id) \(created) \(attempt)".utf8)
            request = RequestID(digest.prefix(scalars: 32)) ?? RequestID(randomBits: 0, UInt64(attempt))
        }
    }

    /// What happens to a delivery.
    package enum Step: Equatable, Sendable {
        case perform(Delivery)
        case repeated(Delivery, reason: String, after: Duration)
        case gaveUp(Delivery, reason: String)
        /// Perform a failed run again.
        case retry(Retries.Retry)
        /// `PerHour=` suppresses the notification.
        case limited(Notifications.Series, perHour: Int)
    }

    /// The maximum number of undelivered notifications about one account. A further notification replaces the oldest.
    static let countPerAccount = 100
    /// The time for which a delivery is repeated.
    static let patience: Duration = .seconds(86_400)
    private static let backoff = Backoff(first: .seconds(10), longest: .seconds(3600))

    private var deliveries: [String: (delivery: Delivery, due: Now.Boottime?)] = [:]
    private var changes: [String: String?] = [:]

    /// The number of notifications that are not delivered.
    package var count: Int { deliveries.count }

    /// The instant of the next attempt; nil if no attempt is due.
    var next: Now.Boottime? { deliveries.values.lazy.compactMap(\.due).min() }

    var hasChanges: Bool { !changes.isEmpty }

    mutating func drainChanges() -> [String: String?] {
        defer { changes = [:] }
        return changes
    }

    /// Adds a notification. Returns its first attempt, and the notification that is given up because of the limit.
    mutating func add(_ notification: Notification, at now: Now) -> [Step] {
        let delivery = Delivery(notification, attempt: 1, created: now.wall)
        guard deliveries[Self.row(delivery)] == nil else { return [] }
        let own = deliveries.filter { $0.value.delivery.notification.user == notification.user }
        var steps: [Step] = []
        if own.count >= Self.countPerAccount,
            let oldest = own.min(by: { ($0.value.delivery.created, $0.key) < ($1.value.delivery.created, $1.key) })
        {
            remove(oldest.key)
            let reason = "\(Self.countPerAccount) notifications about this user are waiting"
            steps.append(.gaveUp(oldest.value.delivery, reason: reason))
        }
        set(delivery, due: nil)
        return steps + [.perform(delivery)]
    }

    /// Restores a delivery of an earlier `intentd`. It is due at once, because its attempt may have been interrupted.
    mutating func recall(_ name: String, _ value: String, at now: Now) {
        guard let delivery = try? WireCoding.decodeFile(Delivery.self, from: Array(value.utf8)),
            Self.row(delivery) == name, deliveries[name] == nil
        else { return }
        deliveries[name] = (delivery, now.boottime)
    }

    /// Returns the attempts that are due.
    mutating func due(at now: Now) -> [Step] {
        let due = deliveries.filter { $0.value.due.map { $0 <= now.boottime } == true }
        for name in due.keys { deliveries[name]?.due = nil }
        return due.values.map(\.delivery).sorted { $0.created < $1.created }.map(Step.perform)
    }

    /// Handles the end of an attempt.
    ///
    /// - Parameter failure: The reason of a failure; nil after a success.
    mutating func ended(_ request: RequestID, failure: String?, at now: Now) -> [Step] {
        guard let (name, entry) = deliveries.first(where: { $0.value.delivery.request == request }) else { return [] }
        let delivery = entry.delivery
        remove(name)
        guard let failure else { return [] }
        guard .nanoseconds(now.wall - delivery.created) < Self.patience else {
            return [.gaveUp(delivery, reason: failure)]
        }
        let pause = Self.backoff.pause(afterAttempt: delivery.attempt)
        set(
            Delivery(delivery.notification, attempt: delivery.attempt + 1, created: delivery.created),
            due: now.boottime + pause
        )
        return [.repeated(delivery, reason: failure, after: pause)]
    }

    private mutating func set(_ delivery: Delivery, due: Now.Boottime?) {
        let name = Self.row(delivery)
        deliveries[name] = (delivery, due)
        changes[name] = String(foreign: WireCoding.encode(delivery))
    }

    private mutating func remove(_ name: String) {
        deliveries[name] = nil
        changes.updateValue(nil, forKey: name)
    }

    private static func row(_ delivery: Delivery) -> String { "delivery \(delivery.notification.id)" }
}
