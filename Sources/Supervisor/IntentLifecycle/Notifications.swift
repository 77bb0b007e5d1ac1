package import IntentLauncherMessages

/// The rules that determine which runs cause a notification (`[Notify]`), and the notifications that are not delivered.
///
/// The history stores every change (``drainChanges()``), so that the counts and the outbox survive a crash.
package struct Notifications: Sendable {
    /// Runs that are counted together: the runs of one schedule, or of one intent with equal values, for one account.
    package struct Series: Hashable, Sendable, Codable {
        package var app: AppName
        package var intent: String
        package var uid: UInt32
        package var account: String
        package var subject: Subject

        /// What the runs of a series have in common, apart from the intent and the account.
        package enum Subject: Hashable, Sendable {
            case schedule(String)
            /// A digest of the values that are not secret.
            case values(String)
        }

        package init(app: AppName, intent: String, user: Caller, _ subject: Subject) {
            self.app = app
            self.intent = intent
            uid = user.uid
            account = user.account
            self.subject = subject
        }

        package var user: Caller { .local(user: uid, account: account) }
        /// The schedule that starts the runs; nil for other runs.
        package var schedule: String? { if case .schedule(let name) = subject { name } else { nil } }

        /// The name of the row that stores the series. A schedule keeps its row if its intent changes.
        var row: String {
            switch subject {
            case .schedule(let name): "series \(uid) \(account) schedule \(name)"
            case .values(let digest): "series \(uid) \(account) \(app) \(intent) \(digest)"
            }
        }
    }

    package enum Result: Equatable, Sendable {
        case success
        case failure
    }

    package enum Decision: Equatable, Sendable {
        case report(Notification.Event, to: NotifyRule.Target, count: Int)
        /// `PerHour=` suppresses the notification. Returned only for the first suppressed notification within an hour.
        case limited
        case none
    }

    /// The state of a series. Times are on CLOCK_REALTIME, in nanoseconds, because they survive a reboot.
    package struct Row: Equatable, Sendable, Codable {
        package var series: Series
        /// The number of consecutive failures.
        package var failures = 0
        /// True once `After=` consecutive failures have been reported. If the rule names no intent for failures, true
        /// once that many runs have failed.
        var isReported = false
        package var lastSuccess: Int64?
        package var lastMilliseconds: Int64?
        /// The time from which `ExpectEvery=` expects a success: the last success, or the first run.
        var expectedSince: Int64
        /// True once the lack of a success was reported.
        var isOverdue = false
        /// The key of a schedule's last start, with which a start without a run is reported once.
        var lastKey: String?
        var changed: Int64
    }

    private struct Hour: Sendable {
        var start: Now.Boottime
        var count = 0
        var isLimited = false
    }

    private static let hour: Duration = .seconds(3600)
    /// The maximum number of series of one account. Further series replace the one that changed first.
    private static let seriesLimit = 1000
    private var rows: [Caller: [String: Row]] = [:]
    private var hours: [AppUser: Hour] = [:]
    var outbox = NotificationOutbox()
    var retries = Retries()
    /// The rows to store, by name; nil for a row to remove.
    private var changes: [String: String?] = [:]
    /// The runs with a question that was reported, with the question's number and the instant of the reminder.
    private var questions: [RunID: (number: UInt64, reminder: Now.Boottime?)] = [:]
    /// True after an event that may make a notification due.
    var mustCheck = false

    package init() {}

    /// True if ``RunTable/settleNotifications(at:)`` has work.
    var isUnsettled: Bool { mustCheck || !changes.isEmpty || outbox.hasChanges || !retries.changes.isEmpty }

    /// The series of schedules, sorted.
    package var schedules: [Row] {
        rows.values.flatMap(\.values).filter { $0.series.schedule != nil }.sorted { $0.series.row < $1.series.row }
    }

    /// Removes and returns the rows that the history must store; nil for a row to remove.
    mutating func drainChanges() -> [(name: String, value: String?)] {
        mustCheck = false
        let drained = changes.merging(outbox.drainChanges()) { $1 }.merging(retries.drainChanges()) { $1 }
        changes = [:]
        return drained.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Restores the rows that an earlier `intentd` has stored. Rows that this version cannot read are ignored.
    mutating func recall(_ stored: [String: String], at now: Now) {
        mustCheck = true
        for (name, value) in stored {
            if name.hasPrefix(utf8: Self.questionPrefix) {
                guard let run = RunID(name.dropFirst(scalars: Self.questionPrefix.scalarCount)) else { continue }
                questions[run] = UInt64(value).map { ($0, nil) }
            } else if let row = try? WireCoding.decodeFile(Row.self, from: Array(value.utf8)), row.series.row == name {
                if rows[row.series.user]?[name] == nil { rows[row.series.user, default: [:]][name] = row }
            } else {
                outbox.recall(name, value, at: now)
                retries.recall(name, value, at: now)
            }
        }
    }

    /// Returns true if the last counted start of a schedule has this key.
    func hasCounted(_ key: String, of series: Series) -> Bool {
        rows[series.user]?[series.row]?.lastKey.map { $0 == key || $0.hasPrefix(utf8: "\(key)#") } == true
    }

    /// Counts a run that has ended, and decides whether it causes a notification.
    package mutating func ended(
        _ result: Result,
        of series: Series,
        under rule: NotifyRule,
        lasting duration: Duration? = nil,
        key: String? = nil,
        isInstalled: Bool = true,
        perHour: Int,
        at now: Now
    ) -> Decision {
        let known = rows[series.user]?[series.row]
        // Do not count the runs of an app without a rule. Most apps have none.
        guard !rule.targets.isEmpty || series.schedule != nil else { return .none }
        var row = known ?? Row(series: series, expectedSince: now.wall, changed: now.wall)
        row.series = series
        row.changed = now.wall
        row.lastMilliseconds = duration?.milliseconds ?? row.lastMilliseconds
        if series.schedule != nil { row.lastKey = key ?? row.lastKey }
        defer { set(row, for: series) }
        switch result {
        case .failure:
            row.failures += 1
            guard row.failures >= rule.after, !row.isReported else { return .none }
            guard let target = rule.onFailure else {
                row.isReported = true
                return .none
            }
            // If `PerHour=` suppresses this notification, the next failure triggers it again.
            let decision = report(
                .failure,
                to: target,
                count: row.failures,
                about: series,
                isInstalled: isInstalled,
                perHour: perHour,
                at: now
            )
            if case .report = decision { row.isReported = true }
            return decision
        case .success:
            defer {
                row.failures = 0
                row.isReported = false
                row.isOverdue = false
                row.lastSuccess = now.wall
                row.expectedSince = now.wall
            }
            if row.isReported || row.isOverdue, let target = rule.onRecovery {
                return report(.recovery, to: target, count: row.failures, about: series, perHour: perHour, at: now)
            }
            guard let target = rule.onSuccess else { return .none }
            return report(.success, to: target, count: 0, about: series, perHour: perHour, at: now)
        }
    }

    /// Returns the schedules that have had no success for `ExpectEvery=`, once each, and the next instant to check.
    mutating func overdue(
        under rule: (Series) -> NotifyRule,
        perHour: Int,
        at now: Now
    ) -> (reports: [(Series, Decision)], next: Now.Boottime?) {
        var reports: [(Series, Decision)] = []
        var next: Now.Boottime?
        for row in schedules where !row.isOverdue {
            let rule = rule(row.series)
            guard let every = rule.expectEvery, let target = rule.onFailure else { continue }
            let rest = every - .nanoseconds(now.wall - row.expectedSince)
            if rest > .zero {
                let instant = now.boottime + max(rest, .seconds(1))
                next = next.map { min($0, instant) } ?? instant
                continue
            }
            var row = row
            row.isOverdue = true
            set(row, for: row.series)
            let decision = report(
                .overdue,
                to: target,
                count: row.failures,
                about: row.series,
                perHour: perHour,
                at: now
            )
            reports.append((row.series, decision))
        }
        return (reports, next)
    }

    // MARK: Questions

    private static let questionPrefix = "question "

    /// Notes that a run's question is reported. The reminder follows after three quarters of the remaining time.
    ///
    /// - Returns: False if an earlier `intentd` has reported the question.
    mutating func asked(_ run: RunID, _ number: UInt64, remaining: Duration, at now: Now) -> Bool {
        let isNew = questions[run]?.number != number
        questions[run] = (number, now.boottime + remaining / 4 * 3)
        if isNew { changes[Self.questionPrefix + run.text] = "\(number)" }
        mustCheck = true
        return isNew
    }

    /// Forgets the question of a run that has ended, or has received an answer.
    mutating func closed(_ run: RunID) {
        if questions.removeValue(forKey: run) != nil {
            changes.updateValue(nil, forKey: Self.questionPrefix + run.text)
        }
    }

    var nextReminder: Now.Boottime? { questions.values.lazy.compactMap(\.reminder).min() }

    mutating func dueReminders(at now: Now) -> [RunID] {
        let due = questions.filter { $0.value.reminder.map { $0 <= now.boottime } == true }.map(\.key)
        for run in due { questions[run]?.reminder = nil }
        return due.sorted { $0.text < $1.text }
    }

    // MARK: Private

    private mutating func set(_ row: Row, for series: Series) {
        let name = series.row
        // Other runs that succeed need no state, and their values may never occur again.
        guard series.schedule != nil || row.failures > 0 else {
            if rows[series.user]?.removeValue(forKey: name) != nil { changes.updateValue(nil, forKey: name) }
            return
        }
        if rows[series.user]?[name] == nil, let own = rows[series.user], own.count >= Self.seriesLimit,
            let oldest = own.min(by: { ($0.value.changed, $0.key) < ($1.value.changed, $1.key) })?.key
        {
            rows[series.user]?[oldest] = nil
            changes.updateValue(nil, forKey: oldest)
        }
        rows[series.user, default: [:]][name] = row
        changes[name] = String(foreign: WireCoding.encode(row))
    }

    /// Decides whether `PerHour=` permits a notification.
    mutating func report(
        _ event: Notification.Event,
        to target: NotifyRule.Target,
        count: Int,
        about series: Series,
        isInstalled: Bool = true,
        perHour: Int,
        at now: Now
    ) -> Decision {
        // A client can report failed starts of any number of unknown apps, which therefore share one limit.
        let pair = AppUser(app: isInstalled ? series.app : target.app, user: series.user)
        // Remove expired entries. Otherwise the table would grow with every user and app that ever had a run.
        if hours[pair] == nil { hours = hours.filter { now.boottime - $0.value.start < Self.hour } }
        var hour = hours[pair] ?? Hour(start: now.boottime)
        if now.boottime - hour.start >= Self.hour { hour = Hour(start: now.boottime) }
        defer { hours[pair] = hour }
        guard hour.count < perHour else {
            defer { hour.isLimited = true }
            return hour.isLimited ? .none : .limited
        }
        hour.count += 1
        return .report(event, to: target, count: count)
    }
}

extension Notifications.Series.Subject: Codable {
    private enum CodingKeys: CaseName { case schedule, values }
    private enum ScheduleCodingKeys: String, CodingKey { case _0 = "name" }
    private enum ValuesCodingKeys: String, CodingKey { case _0 = "digest" }
}

extension Notifications.Result {
    /// Classifies an outcome as a success or a failure. Returns nil for a run that was cancelled for a reason other
    /// than its deadline.
    package init?(_ outcome: RunOutcome) {
        switch outcome.described.detail {
        case .result: self = .success
        // A cancellation that another cause than the intent's deadline requested is neither a success nor a failure.
        case .reason(let reason) where reason.row.cause != .intent: return nil
        case .message, .question, .reason, .exit: self = .failure
        }
    }
}
