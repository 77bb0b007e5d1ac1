import IntentHash
package import IntentLauncherMessages

/// The notifications about runs and schedules (`[Notify]`).
extension RunTable {
    /// Counts the end of a run, and starts the notification that `[Notify]` requests for it, if any.
    mutating func notify(of run: Run, _ outcome: RunOutcome, at now: Now) -> [Action] {
        notifications.closed(run.id)
        if run.accepted.entryPoint == .notification {
            let failure = Notifications.Result(outcome) == .success ? nil : outcome.phrase
            return notifications.outbox.ended(run.request, failure: failure, at: now).map(Action.notify)
        }
        var lines: [Action] = []
        var rule = retryRule(for: run, outcome)
        if rule != nil, let reason = obstacle(toRepeating: run) {
            rule = nil
            lines = [.log(RunLine(.notRepeated(reason), of: run))]
        }
        let failure = rule.map { _ in
            Retries.Failure(
                series: series(of: run),
                outcome: outcome.reason?.name ?? outcome.kindName,
                message: message(of: run, outcome)
            )
        }
        let next = notifications.retries.ended(run, under: rule, failure, at: now)
        if let next, let rule {
            return [.log(RunLine(.repeats(number: next.number, of: rule.count, after: next.pause), of: run))]
        }
        if let rule { lines = [.log(RunLine(.gaveUp(count: rule.count), of: run))] }
        return lines + count(run, outcome, at: now)
    }

    /// Returns the error of a run on one line, without the run's secret values.
    private func message(of run: Run, _ outcome: RunOutcome) -> String {
        let secrets = run.secretNames.map { run.values.byName[$0] }
        // The secret values of an adopted run may be unknown and so cannot be hidden. Omit the message.
        guard !secrets.contains(nil) else { return "" }
        let denial = run.machine.account.details?.denial
        return Notification.message(of: outcome, denial, hiding: secrets.flatMap { $0?.texts ?? [] })
    }

    private mutating func count(_ run: Run, _ outcome: RunOutcome, at now: Now) -> [Action] {
        // A notification must not cause another notification when it ends. A shortcut reports the ends of its steps.
        guard !run.isOfShortcut, let rule = notifyRule(for: run), let result = Notifications.Result(outcome),
            !rule.targets.isEmpty || ScheduleKey.name(in: run.accepted.key) != nil
        else { return [] }
        let age = now.boottime - run.acceptedAt.boottime
        return count(
            result,
            of: series(of: run),
            under: rule,
            run: run.id,
            key: run.accepted.key,
            outcome: outcome.reason?.name ?? outcome.kindName,
            message: message(of: run, outcome),
            age: age,
            at: now
        )
    }

    /// Counts a start of a schedule that did not result in a run.
    mutating func startFailed(_ failure: StartFailure, _ origin: RequestOrigin, at now: Now) -> [Action] {
        let answer = Action.answer(origin.client, id: origin.id, .startFailureNoted)
        guard let name = ScheduleKey.name(in: failure.key), let app = AppName(failure.app) else { return [answer] }
        let intent = String(failure.intent.prefix(scalars: 200))
        let series = Notifications.Series(
            app: app,
            intent: intent,
            user: account(of: origin.user).payer,
            .schedule(String(name.prefix(scalars: 200)))
        )
        // The unit reports each start that ends with an error. The run decides, or intentctl has reported the error.
        guard !notifications.hasCounted(failure.key, of: series),
            !runs.values.contains(where: { $0.accepted.key == failure.key && self.series(of: $0) == series })
        else { return [answer] }
        return [answer]
            + count(
                .failure,
                of: series,
                under: seriesRules[series],
                key: failure.key,
                outcome: "notStarted",
                message: Notification.line("the start did not result in a run: \(failure.message)"),
                age: .zero,
                at: now
            )
    }

    /// Tells a person that a run waits for an answer, unless a person has started the run and is asked directly.
    mutating func notify(of open: OpenQuestion, in run: Run, at now: Now) -> [Action] {
        guard let target = notifyRule(for: run)?.onQuestion, !run.isInteractive || open.needsOther == true,
            notifications.asked(run.id, open.question.number, remaining: open.remaining, at: now)
        else { return [] }
        return notify(.question, to: target, about: run, remaining: open.remaining, at: now)
    }

    /// Performs what is due, stores what has changed, and arms the timer for what is due next.
    mutating func settleNotifications(at now: Now) -> [Action] {
        var actions = notifications.outbox.due(at: now).map(Action.notify)
        actions += notifications.retries.due(at: now).map { .notify(.retry($0)) }
        for id in notifications.dueReminders(at: now) {
            guard let run = runs[id], let target = notifyRule(for: run)?.onQuestion,
                let open = openQuestion(of: run, at: now)
            else { continue }
            actions += notify(.reminder, to: target, about: run, remaining: open.remaining, at: now)
        }
        let (reports, next) = notifications.overdue(
            under: { [seriesRules] in seriesRules[$0] },
            perHour: capacity.notificationsPerHour,
            at: now
        )
        for (series, decision) in reports {
            let every = seriesRules[series].expectEvery.map(TimeSpan.format) ?? ""
            actions += carry(out: decision, about: series, at: now) { notification in
                notification.message =
                    "the schedule '\(series.schedule ?? "")' had no success for \(every) (ExpectEvery=)"
            }
        }
        let stored = notifications.drainChanges().map { change in
            Action.record(RunRecord(RunID(randomBits: 0), .stored(name: change.name, value: change.value)))
        }
        if let due = [next, notifications.outbox.next, notifications.retries.next, notifications.nextReminder]
            .compactMap(\.self).min()
        {
            actions.append(.armTimer(.notifications, at: .boottime(due)))
        }
        return stored + actions
    }

    /// The state of the schedules' runs, sorted, for metrics.
    package var scheduleRows: [Notifications.Row] { notifications.schedules }
    /// The number of notifications that are not delivered.
    package var undeliveredCount: Int { notifications.outbox.count }

    // MARK: Private

    /// Returns the rule for repetitions of a run that has failed; nil for a run that must not be repeated.
    private func retryRule(for run: Run, _ outcome: RunOutcome) -> RetryRule? {
        guard Notifications.Result(outcome) == .failure else { return nil }
        if case .unanswered = outcome { return nil }
        return retryRule(for: run)
    }

    private func retryRule(for run: Run) -> RetryRule? {
        guard !run.isOffRecord, run.query == nil, run.accepted.entryPoint != .notification, !run.isOfAgent,
            !run.isOfShortcut, run.app.shortcut == nil, !isOfFleet(run.owner)
        else { return nil }
        let rule = run.app.retryRule(for: run.intent)
        return rule.count > 0 ? rule : nil
    }

    /// Returns true if a run's files are needed again if it fails.
    package func mayRepeat(_ run: RunID) -> Bool { runs[run].flatMap { retryRule(for: $0) } != nil }

    /// Returns true while the files of a run may be needed: it is live, or waits for a repetition.
    package func needsFiles(of run: RunID) -> Bool { runs.contains(run) || notifications.retries.awaits(run) }

    /// Returns why a failed run is not repeated although `Retry=` requests it; nil if it can be repeated.
    private func obstacle(toRepeating run: Run) -> String? {
        if run.fileCount > 0, !repeatableFiles.contains(run.id) {
            return "a file can be read only once, or intentd has restarted since the run began"
        }
        if run.secretNames.contains(where: { run.values.byName[$0] == nil }) {
            return "its secret values are not recorded, and intentd has restarted since the run began"
        }
        return nil
    }

    /// Handles a repetition that was not performed: the failure of the run before it is the last one.
    mutating func repetitionRefused(_ request: RequestID, _ reason: String, at now: Now) -> [Action] {
        // The run of a repetition that an earlier `intentd` began ends later.
        guard !runs.values.contains(where: { $0.request == request }),
            let retry = notifications.retries.remove(request)
        else { return [] }
        return count(
            .failure,
            of: retry.failure.series,
            under: seriesRules[retry.failure.series],
            run: retry.request.retryOf,
            key: retry.request.key,
            outcome: retry.failure.outcome,
            message: retry.failure.message + "; not repeated: \(reason)",
            age: .zero,
            at: now
        )
    }

    /// Returns the rule for the notifications about a run; nil for a run that causes none.
    private func notifyRule(for run: Run) -> NotifyRule? {
        let rule = run.app.notifyRule(for: run.intent)
        guard !run.isOffRecord, run.query == nil, run.accepted.entryPoint != .notification,
            !rule.targets.contains(where: { $0.app == run.app.name && run.intent.answers(to: $0.intent) })
        else { return nil }
        return rule
    }

    private var seriesRules: SeriesRules { SeriesRules(installed: installed, others: capacity.notify) }

    private func series(of run: Run) -> Notifications.Series {
        let subject: Notifications.Series.Subject =
            ScheduleKey.name(in: run.accepted.key).map { .schedule($0) }
            ?? .values(SHA256.hexadecimal(of: run.accepted.values.json))
        return Notifications.Series(
            app: run.app.name,
            intent: run.intent.name,
            user: account(of: run.owner).payer,
            subject
        )
    }

    private mutating func count(
        _ result: Notifications.Result,
        of series: Notifications.Series,
        under rule: NotifyRule,
        run: RunID? = nil,
        key: String? = nil,
        outcome: String,
        message: String,
        age: Duration,
        at now: Now
    ) -> [Action] {
        let decision = notifications.ended(
            result,
            of: series,
            under: rule,
            lasting: run == nil ? nil : age,
            key: key,
            isInstalled: run != nil || installed[series.app] != nil,
            perHour: capacity.notificationsPerHour,
            at: now
        )
        return carry(out: decision, about: series, at: now) { notification in
            notification.run = run
            notification.outcome = outcome
            notification.message = message
            notification.started = now.wall - age.nanoseconds
            notification.milliseconds = age.milliseconds
        }
    }

    private mutating func notify(
        _ event: Notification.Event,
        to target: NotifyRule.Target,
        about run: Run,
        remaining: Duration,
        at now: Now
    ) -> [Action] {
        let series = series(of: run)
        let decision = notifications.report(
            event,
            to: target,
            count: 0,
            about: series,
            perHour: capacity.notificationsPerHour,
            at: now
        )
        let age = now.boottime - run.acceptedAt.boottime
        return carry(out: decision, about: series, at: now) { notification in
            notification.run = run.id
            notification.message =
                "waits for an answer, for \(TimeSpan.format(.seconds(remaining.components.seconds))): "
                + "'intentctl answer \(run.id)'"
            notification.started = now.wall - age.nanoseconds
            notification.milliseconds = age.milliseconds
        }
    }

    private mutating func carry(
        out decision: Notifications.Decision,
        about series: Notifications.Series,
        at now: Now,
        _ fill: (inout Notification) -> Void
    ) -> [Action] {
        switch decision {
        case .none: return []
        case .limited: return [.notify(.limited(series, perHour: capacity.notificationsPerHour))]
        case .report(let event, let target, let count):
            var notification = Notification(
                target: target,
                event: event,
                series: series,
                message: "",
                count: count,
                started: now.wall
            )
            fill(&notification)
            return notifications.outbox.add(notification, at: now).map(Action.notify)
        }
    }
}

/// The current rules of series. The rule for all apps applies to an app that is not installed.
private struct SeriesRules {
    var installed: [AppName: InstalledApp]
    var others: NotifyRule

    subscript(series: Notifications.Series) -> NotifyRule {
        let intent = IntentDeclaration(name: series.intent, title: series.intent)
        return installed[series.app]?.notifyRule(for: intent) ?? others
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
