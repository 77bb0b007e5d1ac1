import IntentLauncherMessages

/// The approvals that stay open after their run, and approve later requests of the agent for the intent.
///
/// A user leaves an approval open for a time that the operator permits (`ApproveFor=`). It ends with `intentd`: after a
/// restart, a person is asked again. Times are CLOCK_BOOTTIME, which advances while the machine sleeps.
struct StandingApprovals: Sendable {
    /// The requests that one approval can cover.
    struct Scope: Hashable, Sendable {
        var requester: Requester
        /// What the client says about itself. An agent can say anything, so this part protects only against mistakes.
        var software: String
        var app: AppName
        var intent: String

        init(_ run: RunTable.Run) {
            requester = run.requester
            software = run.caller.software
            app = run.app.name
            intent = run.intent.name
        }
    }

    struct Entry: Sendable {
        var scope: Scope
        /// The run to which the approval was given.
        var run: RunID
        /// The answer that approved the run.
        var notice: AnswerNotice
        /// The requests that the approval covers, as text for users.
        var text: String
        var begin: Now.Boottime
        var end: Now.Boottime
        /// The files that the question has shown, except those that the run may change.
        var files: Set<PassedFile>
        /// The limits that the question has shown.
        var limits: RunLimits

        func description(at now: Now) -> StandingApproval {
            StandingApproval(
                run: run,
                app: scope.app.text,
                intent: scope.intent,
                user: notice.user,
                text: text,
                remaining: max(.zero, end - now.boottime)
            )
        }
    }

    /// The maximum number of open approvals of one user's runs. The one that ends first makes room.
    static let countLimit = 64

    private var entries: [Scope: Entry] = [:]

    /// The open approvals, those that end first at the beginning.
    func open(at now: Now) -> [Entry] {
        entries.values.filter { now.boottime < $0.end }.sorted { ($0.end, $0.run.text) < ($1.end, $1.run.text) }
    }

    /// Adds an approval. It replaces an earlier approval with the same scope.
    mutating func add(_ entry: Entry, at now: Now) {
        entries = entries.filter { now.boottime < $1.end }
        entries[entry.scope] = entry
        let own = open(at: now).filter { $0.scope.requester.user == entry.scope.requester.user }
        if own.count > Self.countLimit, let first = own.first { entries[first.scope] = nil }
    }

    /// Removes and returns the approval that a run has left; nil if it is not open.
    mutating func remove(leftBy run: RunID, at now: Now) -> Entry? {
        guard let entry = open(at: now).first(where: { $0.run == run }) else { return nil }
        entries[entry.scope] = nil
        return entry
    }

    /// Returns the approval that covers a run, or nil if a person must approve the run.
    ///
    /// - Parameter longest: The longest time for which the operator now lets approvals stay open.
    func entry(covering run: RunTable.Run, upTo longest: Duration, at now: Now) -> Entry? {
        guard let entry = entries[Scope(run)], now.boottime < min(entry.end, entry.begin + longest),
            let files = run.files, files.count == run.fileCount, entry.files.isSuperset(of: files),
            run.accepted.limits.runtime <= entry.limits.runtime, run.accepted.limits.ceiling <= entry.limits.ceiling,
            run.accepted.limits.longCeiling <= entry.limits.longCeiling
        else { return nil }
        return entry
    }
}

/// Approvals that stay open.
extension RunTable {
    /// Returns the longest time for which an approval of the intent may stay open; nil if it covers its run alone. No
    /// approval stays open for an intent that destroys data, or that another user must confirm.
    static func longestApproval(of intent: IntentDeclaration, _ app: InstalledApp) -> Duration? {
        let rule = app.agentRule(for: intent)
        // The requester writes the steps of such a shortcut, so that its name says nothing about the next one.
        if app.shortcut?.isPersonal == true { return nil }
        guard rule.effect ?? intent.effect != .destroys, app.confirmRule(for: intent) == .caller else { return nil }
        return rule.approvalTime
    }

    /// Returns what the approval of a run can cover beyond the run; nil if it covers the run alone.
    func approvalScope(of run: Run) -> ApprovalScope? {
        // The effect of an adopted run's intent, and its files, are not on record. A fleet passes on no scope.
        guard !isOfFleet(run.owner), run.machine.isAwaitingApproval, run.isDeclared, run.files != nil,
            let longest = Self.longestApproval(of: run.intent, run.app)
        else { return nil }
        return ApprovalScope(text: ApprovalTerms(run).scopeText, longest: longest)
    }

    /// Returns the error for an approval that must not stay open for the requested time, or nil.
    func refusal(ofLeavingOpen time: Duration, _ question: Question, _ value: IntentValue, _ run: Run) -> ErrorReport? {
        guard question.number == Self.approvalNumber, !question.isDeclined(by: value) else {
            return ErrorReport(.badAnswer, "only the approval of an agent's request can stay open")
        }
        guard let scope = approvalScope(of: run) else {
            return ErrorReport(
                .badAnswer,
                "the approval of \(run.app.name)/\(run.intent.name) covers this run alone",
                hint: """
                    ApproveFor= in [Agents] permits approvals that stay open, but not for intents that destroy data, or \
                    with Confirm= or ConfirmGroups= in [Access]
                    """
            )
        }
        guard time > .zero, time <= scope.longest else {
            return ErrorReport(
                .badAnswer,
                "expected a time of at most \(TimeSpan.format(scope.longest)), got \(TimeSpan.format(time))",
                hint: "ApproveFor= in [Agents] sets the maximum"
            )
        }
        return nil
    }

    /// Keeps an approval open, and returns its description for the record.
    mutating func leaveOpen(for time: Duration, _ notice: AnswerNotice, of run: Run, at now: Now) -> StandingApproval {
        let entry = StandingApprovals.Entry(
            scope: StandingApprovals.Scope(run),
            run: run.id,
            notice: notice,
            text: ApprovalTerms(run).scopeText,
            begin: now.boottime,
            end: now.boottime + time,
            files: Set((run.files ?? []).filter { if case .copy = $0.contents { true } else { false } }),
            limits: run.accepted.limits
        )
        standing.add(entry, at: now)
        return entry.description(at: now)
    }

    /// Approves a run that a standing approval covers; nil if a person must approve it.
    mutating func approveInAdvance(_ id: RunID, _ question: Question, at now: Now) -> [Action]? {
        if let run = runs[id], var notice = approval(ofShortcutOf: run) {
            runs[id]?.standingApproval = run.shortcut
            notice.isInAdvance = true
            notice.digest = question.digest
            return close(question, of: id, with: .bool(true), notice, at: now)
        }
        guard let run = runs[id], let longest = Self.longestApproval(of: run.intent, run.app),
            let entry = standing.entry(covering: run, upTo: longest, at: now)
        else { return nil }
        runs[id]?.standingApproval = entry.run
        var notice = entry.notice
        notice.isInAdvance = true
        notice.digest = question.digest
        notice.standing = entry.description(at: now)
        return close(question, of: id, with: .bool(true), notice, at: now)
    }

    /// Ends a standing approval, and the waiting runs that it covers.
    mutating func revoke(_ text: String, _ origin: RequestOrigin, at now: Now) -> [Action] {
        let id = RunID(text)
        let hosts = permittedHosts.open(at: now).map(\.permission).filter {
            $0.run == id && origin.may(.cancel, withRunOf: $0.requester)
        }
        let open = standing.open(at: now).first { $0.run == id && origin.may(.cancel, withRunOf: $0.scope.requester) }
        guard let id, open != nil || !hosts.isEmpty else {
            return refuse(
                origin,
                ErrorReport(
                    .unknownRun,
                    "you have no standing approval of run '\(WireCoding.excerpt(text))'",
                    hint: "'intentctl status' lists the standing approvals"
                )
            )
        }
        let entry = open.flatMap { _ in standing.remove(leftBy: id, at: now) }
        let lines =
            entry.map { [RunLine(.revoked(by: origin.user.uid), of: $0)] }
            ?? hosts.prefix(1).map { RunLine(.revoked(by: origin.user.uid), of: $0) }
        let covered = runs.values.filter { $0.standingApproval == id && $0.machine.isWaiting }.map(\.id)
        let message = "the approval of run \(id), which covered the run, was revoked"
        return lines.map { .log($0) } + store(permittedHosts.removeAll(at: now) { hosts.contains($0) })
            + covered.sorted { $0.text < $1.text }
            .flatMap { run in withRun(run, at: now) { $0.forbid(message, at: now) } }
            + [.answer(origin.client, id: origin.id, .revoked(run: id))]
    }

    /// Returns the standing approvals that a user may see.
    func standingApprovals(visibleTo origin: RequestOrigin, at now: Now) -> [StandingApproval]? {
        let visible = standing.open(at: now).filter { origin.may(.see, withRunOf: $0.scope.requester) }
        let hosts = permittedHosts.open(at: now).filter { origin.may(.see, withRunOf: $0.permission.requester) }
        let all =
            visible.map { $0.description(at: now) } + hosts.map { $0.permission.description(remaining: $0.remaining) }
        return all.isEmpty ? nil : all
    }
}
