package import IntentLauncherMessages

/// The rules that determine which runs cause a notification when they end (`[Notify]`).
///
/// A new `intentd` starts the counts at zero, because an old failure may have been fixed in the meantime.
package struct Notifications: Sendable {
    /// A series of runs that are counted together: the runs of one intent for one account.
    package struct Series: Hashable, Sendable {
        package var app: AppName
        package var intent: String
        package var user: Caller

        package init(app: AppName, intent: String, user: Caller) {
            self.app = app
            self.intent = intent
            self.user = user
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

    /// The consecutive failures of one series.
    private struct Failures: Sendable {
        var count = 0
        /// True once `After=` consecutive failures have been reported. If the rule names no intent for failures, true
        /// once that many runs have failed.
        var isReported = false
    }

    private struct Hour: Sendable {
        var start: Now.Boottime
        var count = 0
        var isLimited = false
    }

    private static let hour: Duration = .seconds(3600)
    private var failures: [Series: Failures] = [:]
    private var hours: [AppUser: Hour] = [:]

    package init() {}

    /// Counts a run that has ended, and decides whether it causes a notification.
    package mutating func ended(
        _ result: Result,
        of series: Series,
        under rule: NotifyRule,
        perHour: Int,
        at now: Now
    ) -> Decision {
        // Do not count the runs of an app without a rule. Most apps have none.
        guard !rule.targets.isEmpty else { return .none }
        switch result {
        case .failure:
            var row = failures[series] ?? Failures()
            row.count += 1
            defer { failures[series] = row }
            guard row.count >= rule.after, !row.isReported else { return .none }
            guard let target = rule.onFailure else {
                row.isReported = true
                return .none
            }
            // If `PerHour=` suppresses this notification, the next failure triggers it again.
            let decision = report(.failure, to: target, count: row.count, about: series, perHour: perHour, at: now)
            if case .report = decision { row.isReported = true }
            return decision
        case .success:
            let row = failures.removeValue(forKey: series)
            if let row, row.isReported, let target = rule.onRecovery {
                return report(.recovery, to: target, count: row.count, about: series, perHour: perHour, at: now)
            }
            guard let target = rule.onSuccess else { return .none }
            return report(.success, to: target, count: 0, about: series, perHour: perHour, at: now)
        }
    }

    /// Decides whether `PerHour=` permits a notification about a run that has ended.
    private mutating func report(
        _ event: Notification.Event,
        to target: NotifyRule.Target,
        count: Int,
        about series: Series,
        perHour: Int,
        at now: Now
    ) -> Decision {
        let pair = AppUser(app: series.app, user: series.user)
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

extension RunTable {
    /// Starts the notification that the app's `[Notify]` section requests for the end of a run, if any.
    mutating func notify(of run: Run, _ outcome: RunOutcome, at now: Now) -> [Action] {
        let rule = run.app.notifyRule(for: run.intent)
        // A notification must not cause another notification when it ends.
        guard !run.isOffRecord, run.query == nil, run.accepted.entryPoint != .notification,
            !rule.targets.contains(where: { $0.app == run.app.name && $0.isName(of: run.intent) }),
            let result = Notifications.Result(outcome)
        else { return [] }
        let series = Notifications.Series(
            app: run.app.name,
            intent: run.intent.name,
            user: account(of: run.owner).payer
        )
        let limit = capacity.notificationsPerHour
        switch notifications.ended(result, of: series, under: rule, perHour: limit, at: now) {
        case .none: return []
        case .limited: return [.log(RunLine(.unreported(perHour: limit), of: run))]
        case .report(let event, let target, let count):
            let secrets = run.secretNames.map { run.values.byName[$0] }
            // The secret values of an adopted run may be unknown and so cannot be hidden. Omit the message.
            let message =
                secrets.contains(nil)
                ? "" : Notification.message(of: outcome, hiding: secrets.flatMap { $0?.texts ?? [] })
            return [
                .notify(
                    Notification(
                        target: target,
                        event: event,
                        run: run.id,
                        app: run.app.name,
                        intent: run.intent.name,
                        user: run.owner,
                        outcome: outcome,
                        message: message,
                        count: count,
                        age: now.boottime - run.acceptedAt.boottime
                    )
                )
            ]
        }
    }
}

extension NotifyRule.Target {
    fileprivate func isName(of other: IntentDeclaration) -> Bool {
        other.answers(to: intent)
    }
}

extension IntentValue {
    /// Every string and number in the value, in the form that an error message may repeat.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .int(let number): ["\(number)"]
        case .double(let number): ["\(number)"]
        case .array(let values): values.flatMap(\.texts)
        case .object(let members): members.values.flatMap(\.texts)
        case .file(let file): [file.name]
        case .null, .bool: []
        }
    }
}
