import IntentLauncherMessages

/// The keys of `[Limits]` and `[Intent NAME]` in an app's file that limit concurrent runs and order waiting runs.
enum ConcurrencyKey: String, SettingKey {
    case concurrency = "Concurrency"
    case exclusive = "Exclusive"
    case priority = "Priority"

    /// True if an invalid value prevents the app from running, because concurrent runs could damage data that they
    /// share.
    var isProtection: Bool {
        switch self {
        case .concurrency, .exclusive: true
        case .priority: false
        }
    }

    static let priorities = -100...100

    var manual: SettingManual {
        switch self {
        case .concurrency:
            SettingManual(
                .value(
                    name: "number [by=parameter] [queue | refuse | replace]",
                    of: "a number from 1 to \(DaemonSettings.countMax), optionally a parameter and a rule"
                ),
                standard: "no limit",
                example: "1 by=customer",
                """
                The maximum number of concurrent runs.
                In
                .Li [Limits] ,
                all runs of the app are counted; in
                .Li [Intent NAME] ,
                all runs of the intent.
                With
                .Cm by= ,
                runs with equal values of the parameter are counted together, and runs without a value form a separate
                group.
                A default counts as a value.
                Intents without the parameter are not limited.
                The parameter must be neither a file nor secret.
                .Pp
                The key may be given several times, with and without
                .Cm by= .
                All limits apply, in addition to
                .Cm MaxRuns= ,
                .Cm MaxRunsPerUser=
                and
                .Cm MaxRunsPerApp= .
                A run that waits because of a limit does not delay other runs.
                A run is counted from its start until its processes have exited, even while it waits for an answer,
                after a restart of intentd, and after a change of the limit.
                .Pp
                The last word determines what happens to a run that exceeds the limit.
                With
                .Cm queue ,
                which is the default, it waits in the backlog.
                With
                .Cm refuse ,
                it fails with the error
                .Ql busy ;
                runs in the backlog are counted as well.
                With
                .Cm replace ,
                the oldest counted run of the same user, whether it is waiting or running, is cancelled with the reason
                .Ql replaced ,
                and the new run begins when the old run has ended.
                A run never replaces a run of another user; it waits instead.
                .Pp
                An empty value clears all limits of the section.
                If the key is invalid, the app does not run.
                """
            )
        case .exclusive:
            SettingManual(
                .value(name: "state [queue | refuse | replace] | no", of: "state or no"),
                standard: "no",
                example: "state",
                """
                With
                .Cm state ,
                only one run at a time uses a state folder: one run of each user, or one run of all users with
                .Cm State=shared .
                In
                .Li [Intent NAME] ,
                the runs of all intents with this key exclude one another, and runs of other intents are not affected;
                .Cm no
                exempts an intent from the key in
                .Li [Limits] .
                The second word has the same meaning as in
                .Cm Concurrency= .
                If the key is invalid, the app does not run.
                """
            )
        case .priority:
            SettingManual(
                .count(Self.priorities),
                standard: "0",
                example: "10",
                """
                The priority of runs in the backlog among the runs of the same user.
                The run with the highest number begins first, then a run for which a person waits at a terminal, then
                the oldest run.
                The key never delays runs of other users.
                In
                .Li [Intent NAME] ,
                the key overrides the key in
                .Li [Limits] .
                """
            )
        }
    }
}

extension ConcurrencyRules {
    /// Applies an assignment from `[Limits]` or `[Intent NAME]`.
    ///
    /// - Returns: False if the key is not a ``ConcurrencyKey``.
    /// - Throws: ``ConfigurationProblem``, which prevents the app from running if the key is a protection.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        guard let key = ConcurrencyKey(rawValue: assignment.key) else { return false }
        let isReset = assignment.value.isEmpty
        do {
            switch key {
            case .concurrency:
                if isReset { limits = [] } else { add(try assignment.concurrencyLimit()) }
            case .exclusive: exclusivity = isReset ? nil : try assignment.exclusivity()
            case .priority: priority = isReset ? nil : try assignment.count(in: ConcurrencyKey.priorities)
            }
        } catch {
            throw key.isProtection ? error.keepingAppFromRunning : error.keeping(priority ?? 0)
        }
        return true
    }
}

extension UnitFile.Assignment {
    fileprivate func concurrencyLimit() throws(ConfigurationProblem) -> ConcurrencyLimit {
        let form = "NUMBER [by=PARAMETER] [queue|refuse|replace]"
        let words = value.words
        guard let first = words.first, let count = Int(first), (1...DaemonSettings.countMax).contains(count) else {
            throw problem("expected \(form) with a number from 1 to \(DaemonSettings.countMax), got '\(excerpt)'")
        }
        var limit = ConcurrencyLimit(.all, count: count)
        var rest = words.dropFirst()
        if let word = rest.first, word.hasPrefix(utf8: "by=") {
            let name = String(word.dropFirst(scalars: 3))
            guard !name.isEmpty, name.unicodeScalars.allSatisfy(\.properties.isXIDContinue) else {
                throw problem("expected the name of one parameter after by=, got '\(WireCoding.excerpt(name))'")
            }
            limit.scope = .parameter(name)
            rest = rest.dropFirst()
        }
        limit.overflow = try overflow(rest, form: form)
        return limit
    }

    fileprivate func exclusivity() throws(ConfigurationProblem) -> ConcurrencyRules.Exclusivity {
        let words = value.words
        let form = "state [queue|refuse|replace], or no"
        if words.first == "state" { return .state(try overflow(words.dropFirst(), form: form)) }
        guard value == "no" else { throw problem("expected \(form), got '\(excerpt)'") }
        return .none
    }

    private func overflow(
        _ words: ArraySlice<String>,
        form: String
    ) throws(ConfigurationProblem) -> ConcurrencyLimit.Overflow {
        guard let word = words.first else { return .queue }
        guard words.count == 1, let overflow = ConcurrencyLimit.Overflow(rawValue: word) else {
            throw problem("expected \(form), got '\(excerpt)'")
        }
        return overflow
    }
}
