package import IntentLauncherMessages

/// The runs with a slot and the runs in the backlog. Decides which run is admitted next.
///
/// A slot counts against the total limit, the user's limit and the app's limit. The next slot goes to the user with the
/// fewest slots in proportion to their weight. Users with the same number of slots take turns. A user with many runs in
/// the backlog therefore delays only their own runs. Among one user's runs that fit, those with the highest priority
/// are admitted first, then interactive runs, then the oldest. A run that does not fit keeps its rank and does not
/// block the runs behind it.
///
/// Up to `MaxWaiting=` runs, shared by ``FairShare``, have an open question and no slot. When the question is closed or
/// the run must end, the run continues at once. If no slot is free for it, it keeps its place among these runs until
/// one is. Answers therefore never exceed the limits on slots.
///
/// A run has claims under the `Concurrency=` and `Exclusive=` limits. It keeps its claims until it leaves the queue,
/// even while its question is open, because its process still uses the shared resources.
package struct AdmissionQueue: Sendable {
    /// The slots that one account has of an app.
    private struct AppShare: Hashable, Sendable {
        var app: AppName
        var account: Account
    }

    private struct Member: Sendable {
        var ticket: Ticket
        var stage: Stage
        var claims: [ConcurrencyCounts.Claim]
        /// The run's position in the order of arrival: a newer run has a higher number.
        var number: UInt64
        /// True once a newer run has replaced this run. This run must then end.
        var isReplaced = false
    }

    /// The limits on slots and on the backlog. If the limits shrink, admitted runs keep their slots.
    var capacity: RunTable.Capacity { didSet { mayAdmit = true } }
    private var members: [RunID: Member] = [:]
    /// Queued runs, oldest first. Runs that have left the backlog are removed in batches.
    private var order: [RunID] = []
    /// Runs in the `asking` stage, oldest question first.
    private var asking: [RunID] = []
    /// Runs in the `resumed` stage, oldest first.
    private var resumed: [RunID] = []
    /// The places of `MaxWaiting=`: the runs that are resting or resumed.
    private var waiting = SharedPool()
    /// Runs that stay in the backlog until their owner reconnects.
    private var heldRuns: Set<RunID> = []
    private var slotCount = 0
    private var slotsOfAccount = Tally<Account>()
    private var slotsOfApp = Tally<AppName>()
    private var slotsOfShare = Tally<AppShare>()
    private var queuedOfAccount = Tally<Account>()
    private var counts = ConcurrencyCounts()
    /// The number of runs with unknown claims, by app. Claims are unknown until the app has described its intents.
    private var undescribedOfApp = Tally<AppName>()
    private var lastNumber: UInt64 = 0
    /// The order in which different users' runs are admitted.
    private var turns = AdmissionTurns()
    private var membersOfAccount = Tally<Account>()
    /// The value of `MaxRunsPerApp=` for each app when the app's newest run arrived.
    private var appLimits: [AppName: Int] = [:]
    /// True if the last changes may allow another run to be admitted. ``admit()`` resets it.
    private var mayAdmit = false

    /// The estimate of the time until the next run is admitted.
    package var pace = AdmissionPace()

    /// The number of runs in the backlog.
    package private(set) var queuedCount = 0

    /// Returns true if limits of `Concurrency=` or `Exclusive=` count the run.
    func hasClaims(_ run: RunID) -> Bool { members[run]?.claims.isEmpty == false }

    /// True if a run waits for a slot.
    var isWaitedFor: Bool { queuedCount > 0 || !resumed.isEmpty }

    /// The number of runs in the backlog, with a slot, or with an open question.
    var count: Int { members.count }

    /// Returns true if the run has a slot.
    package func hasSlot(_ run: RunID) -> Bool {
        switch members[run]?.stage {
        case .admitted, .asking: true
        case .queued, .resting, .resumed, nil: false
        }
    }

    /// The number of runs with an open question.
    package var askingCount: Int { waiting.count - resumed.count + asking.count }

    package init(capacity: RunTable.Capacity) {
        self.capacity = capacity
    }

    /// Returns the reason to refuse a run, or nil if the run is accepted. A run that can start immediately needs no
    /// room in the backlog.
    package func refusal(of ticket: Ticket, appLimit: Int) -> Refusal? {
        if let claim = counts.refusal(of: ticket.claims ?? []) { return .limitReached(claim) }
        if !isBehind(ticket), hasFreeSlot(for: ticket.account, ticket.app, appLimit: appLimit),
            counts.obstacle(to: ticket.claims ?? []) == nil
        {
            return nil
        }
        return .of(own: queuedOfAccount[ticket.account], taken: queuedCount, limit: capacity.queueCount)
    }

    /// Returns the reason why a queued run stays in the backlog. If several reasons apply, returns the one that affects
    /// the fewest other runs.
    package func obstacle(of run: RunID) -> Obstacle? {
        guard let member = members[run], case .queued = member.stage else { return nil }
        let ticket = member.ticket
        if let predecessor = ticket.predecessor, isBehind(ticket) { return .predecessor(predecessor) }
        if isUndescribed(ticket) { return .undescribed }
        if let claim = counts.obstacle(to: member.claims) { return .concurrency(claim) }
        let appLimit = appLimits[ticket.app] ?? 0
        if slotsOfApp[ticket.app] >= appLimit { return .appLimit(appLimit) }
        if !hasShare(ticket.account, of: ticket.app, appLimit: appLimit) { return .appShare(appLimit) }
        if slotsOfAccount[ticket.account] >= capacity.runCountPerUser { return .userLimit(capacity.runCountPerUser) }
        return slotCount >= capacity.runCount ? .limit(capacity.runCount) : nil
    }

    /// Appends a run to the backlog. From now on, `appLimit` applies to all runs of the app.
    package mutating func join(_ ticket: Ticket, appLimit: Int) {
        enroll(ticket, .queued, appLimit: appLimit)
        order.append(ticket.run)
        queuedCount += 1
        queuedOfAccount.add(ticket.account)
        mayAdmit = true
    }

    /// Keeps a run in the backlog until ``release(_:)`` is called.
    package mutating func hold(_ run: RunID) { heldRuns.insert(run) }

    package mutating func release(_ run: RunID) {
        if heldRuns.remove(run) != nil { mayAdmit = true }
    }

    /// Adopts a run that already has a slot, regardless of the current limits.
    package mutating func adopt(_ ticket: Ticket, appLimit: Int) {
        enroll(ticket, .admitted, appLimit: appLimit)
        counts.begin(members[ticket.run]?.claims ?? [])
        occupySlot(ticket)
    }

    /// Sets a run's claims and priority, after the operator has changed the limits or the app has described its
    /// intents.
    package mutating func setClaims(_ claims: [ConcurrencyClaim], priority: Int, of run: RunID) {
        guard var member = members[run] else { return }
        member.ticket.priority = priority
        if member.ticket.claims != claims {
            leaveLimits(member)
            member.ticket.claims = claims
            member.claims = counts.join(claims)
            if hasBegun(member) { counts.begin(member.claims) }
        }
        members[run] = member
        mayAdmit = true
    }

    /// Returns the older runs that a new run replaces, oldest first: runs of the same user that exceed a limit with
    /// `replace`.
    package mutating func replacements(by run: RunID) -> [RunID] {
        guard let newest = members[run] else { return [] }
        var replaced: [RunID] = []
        for claim in newest.claims where claim.limit.overflow == .replace {
            let rivals = members.values.filter { member in
                !member.isReplaced && member.ticket.run != run && member.claims.contains { $0.number == claim.number }
            }
            let excess = rivals.count + 1 - claim.limit.count
            guard excess > 0 else { continue }
            let own = rivals.filter { $0.ticket.user == newest.ticket.user }.sorted { $0.number < $1.number }
            for member in own.prefix(excess) {
                members[member.ticket.run]?.isReplaced = true
                replaced.append(member.ticket.run)
            }
        }
        return replaced
    }

    /// Admits the runs that fit now, and returns them in order of admission.
    package mutating func admit() -> [RunID] {
        guard mayAdmit else { return [] }
        mayAdmit = false
        var admitted: [RunID] = []
        while isWaitedFor, let ticket = next() {
            if case .resumed = members[ticket.run]?.stage {
                stopWaiting(ticket)
                occupySlot(ticket)
                continue
            }
            leaveQueue(ticket)
            occupySlot(ticket)
            counts.begin(members[ticket.run]?.claims ?? [])
            turns.admitted(ticket.account, weight: capacity.weight(of: ticket.account))
            members[ticket.run]?.stage = .admitted
            admitted.append(ticket.run)
        }
        if !admitted.isEmpty { order.removeAll { members[$0]?.stage != .queued } }
        return admitted
    }

    /// Records that a run's question has opened. Releases the run's slot if its user's share of `MaxWaiting=` has room.
    package mutating func questionOpened(_ run: RunID) {
        guard let member = members[run] else { return }
        switch member.stage {
        case .queued, .resting, .asking: return
        case .resumed:
            resumed.removeAll { $0 == run }
            members[run]?.stage = .resting
        case .admitted where waiting.hasRoom(for: member.ticket.account, limit: capacity.waitingCount):
            rest(member.ticket)
        case .admitted:
            members[run]?.stage = .asking
            asking.append(run)
        }
    }

    /// Records that a run's question was answered, or that the run must end. The run needs a slot again.
    package mutating func questionClosed(_ run: RunID) {
        guard let member = members[run] else { return }
        switch member.stage {
        case .queued, .admitted, .resumed: return
        case .resting:
            resumed.append(run)
            members[run]?.stage = .resumed
            mayAdmit = true
        case .asking:
            asking.removeAll { $0 == run }
            members[run]?.stage = .admitted
        }
    }

    /// Removes a run that has ended and released its slot.
    package mutating func leave(_ run: RunID) {
        guard let member = members.removeValue(forKey: run) else { return }
        heldRuns.remove(run)
        membersOfAccount.remove(member.ticket.account)
        if membersOfAccount[member.ticket.account] == 0 { turns.leave(member.ticket.account) }
        leaveLimits(member)
        // A retry of this run may be waiting for its end, and can be admitted now.
        mayAdmit = true
        switch member.stage {
        case .queued:
            leaveQueue(member.ticket)
            // Remove runs from the order in batches. Removing them one at a time would take quadratic time if all runs
            // left.
            if order.count > 2 * queuedCount + 32 { order.removeAll { members[$0]?.stage != .queued } }
        case .admitted:
            releaseSlot(member.ticket)
        case .resting, .resumed:
            stopWaiting(member.ticket)
        case .asking:
            asking.removeAll { $0 == run }
            releaseSlot(member.ticket)
        }
    }

    // MARK: Private

    /// Returns the run to admit next, or nil if no run fits.
    private func next() -> Ticket? {
        guard slotCount < capacity.runCount else { return nil }
        var best: (ticket: Ticket, rank: Rank)?
        for run in resumed.isEmpty ? order : resumed + order {
            guard let member = members[run], mayBegin(member) else { continue }
            let ticket = member.ticket
            guard hasFreeSlot(for: ticket.account, ticket.app, appLimit: appLimits[ticket.app] ?? 0) else { continue }
            let rank = Rank(
                slotCount: slotsOfAccount[ticket.account],
                weight: capacity.weight(of: ticket.account),
                turn: turns[ticket.account],
                priority: ticket.priority,
                isInteractive: ticket.isInteractive
            )
            // Among runs of equal rank, the oldest run is chosen.
            if best.map({ rank < $0.rank }) ?? true { best = (ticket, rank) }
        }
        return best?.ticket
    }

    /// Returns true if the run needs only a slot: its question has closed, or it is queued, and no other run blocks it.
    private func mayBegin(_ member: Member) -> Bool {
        switch member.stage {
        case .admitted, .resting, .asking: false
        case .resumed: true
        case .queued:
            !heldRuns.contains(member.ticket.run) && !isBehind(member.ticket) && !isUndescribed(member.ticket)
                && counts.obstacle(to: member.claims) == nil
        }
    }

    /// The order among runs that fit, most important criterion first.
    private struct Rank: Comparable {
        var slotCount: Int
        var weight: Int
        var turn: AdmissionTurns.Turn
        var priority: Int
        var isInteractive: Bool

        static func < (left: Rank, right: Rank) -> Bool {
            (left.slotCount * right.weight, left.turn, right.priority, left.isInteractive ? 0 : 1)
                < (right.slotCount * left.weight, right.turn, left.priority, right.isInteractive ? 0 : 1)
        }
    }

    /// Returns true if the ticket is for a retry of a run that has not left the queue yet.
    private func isBehind(_ ticket: Ticket) -> Bool { ticket.predecessor.map { members[$0] != nil } ?? false }

    private func hasFreeSlot(for account: Account, _ app: AppName, appLimit: Int) -> Bool {
        slotCount < capacity.runCount && slotsOfAccount[account] < capacity.runCountPerUser
            && hasShare(account, of: app, appLimit: appLimit)
    }

    /// Returns true if the app has a free slot for the account. Its last one is for an account without a slot of the app.
    private func hasShare(_ account: Account, of app: AppName, appLimit: Int) -> Bool {
        let isFirst = slotsOfShare[AppShare(app: app, account: account)] == 0
        return slotsOfApp[app] < (isFirst ? appLimit : appLimit - 1)
    }

    private mutating func enroll(_ ticket: Ticket, _ stage: Stage, appLimit: Int) {
        turns.join(ticket.account) { [queuedOfAccount] in queuedOfAccount[$0] > 0 }
        appLimits[ticket.app] = appLimit
        lastNumber += 1
        if ticket.claims == nil { undescribedOfApp.add(ticket.app) }
        let claims = counts.join(ticket.claims ?? [])
        members[ticket.run] = Member(ticket: ticket, stage: stage, claims: claims, number: lastNumber)
        membersOfAccount.add(ticket.account)
    }

    private mutating func leaveLimits(_ member: Member) {
        if hasBegun(member) { counts.end(member.claims) }
        counts.leave(member.claims)
        if member.ticket.claims == nil { undescribedOfApp.remove(member.ticket.app) }
    }

    /// Returns true if the run's claims are unknown. Also returns true if the run has claims and another of its app's
    /// runs has unknown claims, because both runs may have a claim on the same key.
    private func isUndescribed(_ ticket: Ticket) -> Bool {
        guard let claims = ticket.claims else { return true }
        return !claims.isEmpty && undescribedOfApp[ticket.app] > 0
    }

    private func hasBegun(_ member: Member) -> Bool {
        switch member.stage {
        case .queued: false
        case .admitted, .resting, .resumed, .asking: true
        }
    }

    private mutating func occupySlot(_ ticket: Ticket) {
        slotCount += 1
        slotsOfAccount.add(ticket.account)
        slotsOfApp.add(ticket.app)
        slotsOfShare.add(AppShare(app: ticket.app, account: ticket.account))
    }

    private mutating func releaseSlot(_ ticket: Ticket) {
        slotCount -= 1
        slotsOfAccount.remove(ticket.account)
        slotsOfApp.remove(ticket.app)
        slotsOfShare.remove(AppShare(app: ticket.app, account: ticket.account))
        mayAdmit = true
    }

    private mutating func leaveQueue(_ ticket: Ticket) {
        queuedCount -= 1
        queuedOfAccount.remove(ticket.account)
    }

    private mutating func rest(_ ticket: Ticket) {
        members[ticket.run]?.stage = .resting
        waiting.add(ticket.account)
        releaseSlot(ticket)
    }

    /// Releases the run's place among the waiting runs. Releases the slots of the `asking` runs with the oldest
    /// questions for which there is room now.
    private mutating func stopWaiting(_ ticket: Ticket) {
        waiting.remove(ticket.account)
        resumed.removeAll { $0 == ticket.run }
        members[ticket.run]?.stage = .admitted
        for run in asking {
            guard let next = members[run], waiting.hasRoom(for: next.ticket.account, limit: capacity.waitingCount)
            else {
                continue
            }
            asking.removeAll { $0 == run }
            rest(next.ticket)
        }
    }
}
