import IntentWire

/// The keys of an app's `[Limits]` and `[Intent NAME]` that limit concurrent runs, and order the runs that wait.
enum ConcurrencyKey: String, SettingKey {
    case concurrency = "Concurrency"
    case exclusive = "Exclusive"
    case priority = "Priority"

    /// True for a key that an app must not run without: its runs could damage what they share.
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
                    of: "a number from 1 to \(DaemonSettings.countMax), and what it counts"
                ),
                standard: "no limit",
                example: "1 by=customer",
                """
                The number of concurrent runs.
                In
                .Li [Limits] ,
                all runs of the app count; in
                .Li [Intent NAME] ,
                all runs of the intent count.
                With
                .Cm by= ,
                the runs that have equal values of that parameter count together, and runs without a value are a group of their own.
                Intents without the parameter are not limited.
                The parameter may be neither a file nor secret.
                .Pp
                The key may be given several times, with and without
                .Cm by= .
                All limits hold at once, and so do
                .Cm MaxRuns= ,
                .Cm MaxRunsPerUser=
                and
                .Cm MaxRunsPerApp= .
                A run that one limit keeps waiting delays no run that fits.
                A run counts from its start until its processes have exited, also while it waits for an answer.
                .Pp
                The last word says what happens to one run more.
                With
                .Cm queue ,
                which is the default, it waits in the backlog.
                With
                .Cm refuse ,
                it fails with the error
                .Ql busy ;
                runs that wait in the backlog count.
                With
                .Cm replace ,
                the oldest run of the user that counts, waiting or working, is cancelled with the reason
                .Ql replaced ,
                and the new run begins when that one has ended.
                A run never replaces a run of another user, and waits for it instead.
                .Pp
                An empty value clears all limits of the section.
                An app with a mistake in this key does not run.
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
                at most one run works on a state folder at a time: one for each user, or one of all users with
                .Cm State=shared .
                In
                .Li [Intent NAME] ,
                the runs of all intents with this key exclude one another, and other runs work beside them;
                .Cm no
                exempts an intent from the app's key.
                The second word is that of
                .Cm Concurrency= .
                An app with a mistake in this key does not run.
                """
            )
        case .priority:
            SettingManual(
                .count(Self.priorities),
                standard: "0",
                example: "10",
                """
                Which of a user's waiting runs begins first: the one with the highest number, then one for which a person
                waits at a terminal, then the oldest.
                The key never delays a run of another user.
                In
                .Li [Intent NAME] ,
                it replaces the key of
                .Li [Limits] .
                """
            )
        }
    }
}

extension ConcurrencyRules {
    /// Applies an assignment of `[Limits]` or `[Intent NAME]`.
    ///
    /// - Returns: False if the key is not one of ``ConcurrencyKey``.
    /// - Throws: ``ConfigurationProblem``, which keeps the app from running if the key is a protection.
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
            throw problem("expected \(form) with a number from 1 to \(DaemonSettings.countMax), got '\(value)'")
        }
        var limit = ConcurrencyLimit(.all, count: count)
        var rest = words.dropFirst()
        if let word = rest.first, word.hasPrefix("by=") {
            let name = String(word.dropFirst("by=".count))
            guard !name.isEmpty, !name.contains(where: { !$0.isLetter && !$0.isNumber && $0 != "_" }) else {
                throw problem("expected the name of one parameter after by=, got '\(name)'")
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
        guard value == "no" else { throw problem("expected \(form), got '\(value)'") }
        return .none
    }

    private func overflow(
        _ words: ArraySlice<String>,
        form: String
    ) throws(ConfigurationProblem) -> ConcurrencyLimit.Overflow {
        guard let word = words.first else { return .queue }
        guard words.count == 1, let overflow = ConcurrencyLimit.Overflow(rawValue: word) else {
            throw problem("expected \(form), got '\(value)'")
        }
        return overflow
    }
}
