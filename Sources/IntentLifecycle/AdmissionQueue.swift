package import IntentWire

/// The runs with a slot and the runs in the backlog. Decides which run is admitted next.
///
/// A slot counts against the total limit, the user's limit and the app's limit. The next slot goes to the user with the
/// fewest slots in proportion to their weight. Users with the same number of slots take turns. A user with many runs in
/// the backlog therefore delays only their own runs. Among one user's runs that fit, those with the highest priority
/// are admitted first, then interactive runs, then the oldest. A run that does not fit keeps its rank and does not
/// block the runs behind it. Up to `MaxWaiting=` runs with an open question release their slots. When the question is
/// closed or the run must end, the run gets a slot again, even if none is free.
///
/// A run has claims under the `Concurrency=` and `Exclusive=` limits. It keeps its claims until it leaves the queue,
/// even while its question is open, because its process still uses the shared resources.
package struct AdmissionQueue: Sendable {
    /// The properties of a run that decide when it is admitted.
    package struct Ticket: Hashable, Sendable {
        package var run: RunID
        package var user: Caller
        package var app: AppName
        /// The run that this run retries. It must end and release its slot before this run is admitted.
        package var predecessor: RunID?
        /// True if a user is waiting for the run at a terminal.
        package var isInteractive = false
        /// The run's claims; nil until its app has described its intents. Until then, the run stays in the backlog.
        package var claims: [ConcurrencyClaim]? = []
        /// `Priority=`: a run with a higher number is admitted first.
        package var priority = 0

        package init(run: RunID, user: Caller, app: AppName) {
            self.run = run
            self.user = user
            self.app = app
        }
    }

    /// The reason why the backlog refuses a run.
    package enum Refusal: Equatable, Sendable {
        /// The backlog is full, and contains this number of runs.
        case queueFull(Int)
        /// The user's share of the backlog is full, and contains this number of runs.
        case userShareFull(Int)
        /// A `Concurrency=` or `Exclusive=` limit with `refuse` has been reached.
        case limitReached(ConcurrencyClaim)
    }

    private enum Stage: Sendable {
        /// The run waits in the backlog until it is admitted or leaves the queue.
        case queued
        /// The run has a slot. It becomes resting or asking when a question opens, or leaves the queue.
        case admitted
        /// The run has an open question and no slot. It becomes admitted when the question closes, or leaves the queue.
        case resting
        /// The run has an open question, and keeps its slot because `MaxWaiting=` other runs are resting. It becomes
        /// resting when one of those runs stops resting, becomes admitted when the question closes, or leaves the
        /// queue.
        case asking
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
    private var restingCount = 0
    /// Runs that stay in the backlog until their owner reconnects.
    private var heldRuns: Set<RunID> = []
    private var slotCount = 0
    private var slotsOfUser = Tally<Caller>()
    private var slotsOfApp = Tally<AppName>()
    private var queuedOfUser = Tally<Caller>()
    private var counts = ConcurrencyCounts()
    /// The number of runs with unknown claims, by app. Claims are unknown until the app has described its intents.
    private var undescribedOfApp = Tally<AppName>()
    private var lastNumber: UInt64 = 0
    /// The order in which different users' runs are admitted.
    private var turns = AdmissionTurns()
    private var membersOfUser = Tally<Caller>()
    /// The value of `MaxRunsPerApp=` for each app when the app's newest run arrived.
    private var appLimits: [AppName: Int] = [:]
    /// True if the last changes may allow another run to be admitted. ``admit()`` resets it.
    private var mayAdmit = false

    /// The estimate of the time until the next run is admitted.
    package var pace = AdmissionPace()

    /// The number of runs in the backlog.
    package private(set) var queuedCount = 0

    /// The number of runs in the backlog, with a slot, or with an open question.
    var count: Int { members.count }

    /// The number of runs with an open question.
    package var askingCount: Int { restingCount + asking.count }

    package init(capacity: RunTable.Capacity) {
        self.capacity = capacity
    }

    /// Returns the reason to refuse a run, or nil if the run is accepted. A run that can start immediately needs no
    /// room in the backlog.
    package func refusal(of ticket: Ticket, appLimit: Int) -> Refusal? {
        if let claim = counts.refusal(of: ticket.claims ?? []) { return .limitReached(claim) }
        if !isBehind(ticket), hasFreeSlot(for: ticket.user, ticket.app, appLimit: appLimit),
            counts.obstacle(to: ticket.claims ?? []) == nil
        {
            return nil
        }
        if queuedCount >= capacity.queueCount { return .queueFull(queuedCount) }
        let ownCount = queuedOfUser[ticket.user]
        // A user may have at most as many waiting runs as there are free entries in the backlog. The backlog therefore
        // always has room for another user.
        return ownCount >= capacity.queueCount - queuedCount ? .userShareFull(ownCount) : nil
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
        if slotsOfUser[ticket.user] >= capacity.runCountPerUser { return .userLimit(capacity.runCountPerUser) }
        return slotCount >= capacity.runCount ? .limit(capacity.runCount) : nil
    }

    /// Appends a run to the backlog. From now on, `appLimit` applies to all runs of the app.
    package mutating func join(_ ticket: Ticket, appLimit: Int) {
        enroll(ticket, .queued, appLimit: appLimit)
        order.append(ticket.run)
        queuedCount += 1
        queuedOfUser.add(ticket.user)
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
        while queuedCount > 0, let ticket = next() {
            leaveQueue(ticket)
            occupySlot(ticket)
            counts.begin(members[ticket.run]?.claims ?? [])
            turns.admitted(ticket.user, weight: capacity.weight(of: ticket.user))
            members[ticket.run]?.stage = .admitted
            admitted.append(ticket.run)
        }
        if !admitted.isEmpty { order.removeAll { members[$0]?.stage != .queued } }
        return admitted
    }

    /// Records that a run's question has opened. Releases the run's slot unless `MaxWaiting=` runs are resting already.
    package mutating func questionOpened(_ run: RunID) {
        guard let member = members[run], case .admitted = member.stage else { return }
        if restingCount < capacity.waitingCount {
            rest(member.ticket)
        } else {
            members[run]?.stage = .asking
            asking.append(run)
        }
    }

    /// Records that a run's question was answered, or that the run must end. The run then has a slot again.
    package mutating func questionClosed(_ run: RunID) {
        guard let member = members[run] else { return }
        switch member.stage {
        case .queued, .admitted: return
        case .resting:
            occupySlot(member.ticket)
            restingCount -= 1
            releaseNextAskingSlot()
        case .asking:
            asking.removeAll { $0 == run }
        }
        members[run]?.stage = .admitted
    }

    /// Removes a run that has ended and released its slot.
    package mutating func leave(_ run: RunID) {
        guard let member = members.removeValue(forKey: run) else { return }
        heldRuns.remove(run)
        membersOfUser.remove(member.ticket.user)
        if membersOfUser[member.ticket.user] == 0 { turns.leave(member.ticket.user) }
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
        case .resting:
            restingCount -= 1
            releaseNextAskingSlot()
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
        for run in order {
            guard let member = members[run], case .queued = member.stage else { continue }
            let ticket = member.ticket
            guard !heldRuns.contains(run), !isBehind(ticket), !isUndescribed(ticket),
                hasFreeSlot(for: ticket.user, ticket.app, appLimit: appLimits[ticket.app] ?? 0),
                counts.obstacle(to: member.claims) == nil
            else { continue }
            let rank = Rank(
                slotCount: slotsOfUser[ticket.user],
                weight: capacity.weight(of: ticket.user),
                turn: turns[ticket.user],
                priority: ticket.priority,
                isInteractive: ticket.isInteractive
            )
            // Among runs of equal rank, the oldest run is chosen.
            if best.map({ rank < $0.rank }) ?? true { best = (ticket, rank) }
        }
        return best?.ticket
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

    private func hasFreeSlot(for user: Caller, _ app: AppName, appLimit: Int) -> Bool {
        slotCount < capacity.runCount && slotsOfUser[user] < capacity.runCountPerUser && slotsOfApp[app] < appLimit
    }

    private mutating func enroll(_ ticket: Ticket, _ stage: Stage, appLimit: Int) {
        turns.join(ticket.user) { [queuedOfUser] in queuedOfUser[$0] > 0 }
        appLimits[ticket.app] = appLimit
        lastNumber += 1
        if ticket.claims == nil { undescribedOfApp.add(ticket.app) }
        let claims = counts.join(ticket.claims ?? [])
        members[ticket.run] = Member(ticket: ticket, stage: stage, claims: claims, number: lastNumber)
        membersOfUser.add(ticket.user)
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
        case .admitted, .resting, .asking: true
        }
    }

    private mutating func occupySlot(_ ticket: Ticket) {
        slotCount += 1
        slotsOfUser.add(ticket.user)
        slotsOfApp.add(ticket.app)
    }

    private mutating func releaseSlot(_ ticket: Ticket) {
        slotCount -= 1
        slotsOfUser.remove(ticket.user)
        slotsOfApp.remove(ticket.app)
        mayAdmit = true
    }

    private mutating func leaveQueue(_ ticket: Ticket) {
        queuedCount -= 1
        queuedOfUser.remove(ticket.user)
    }

    private mutating func rest(_ ticket: Ticket) {
        members[ticket.run]?.stage = .resting
        restingCount += 1
        releaseSlot(ticket)
    }

    /// Called when a run has stopped resting. Releases the slot of the `asking` run with the oldest question, if
    /// `MaxWaiting=` permits another resting run.
    private mutating func releaseNextAskingSlot() {
        guard restingCount < capacity.waitingCount, !asking.isEmpty else { return }
        if let next = members[asking.removeFirst()] { rest(next.ticket) }
    }
}
