package import IntentWire

/// Which runs have a slot, which wait in the backlog, and which one is admitted next.
///
/// A slot counts against the total, its user and its app. The next slot goes to the user with the fewest slots, and
/// among equals to the user admitted the longest ago, so that a user who floods the queue delays only their own runs.
/// Among one user's runs that fit, interactive runs go first, then the oldest. A run that does not fit keeps its rank
/// and blocks no run behind it. A run with an open question gives up its slot, up to `MaxWaiting=` runs. When the
/// question is answered or the run ends, the run takes a slot again, even if none is free.
package struct AdmissionQueue: Sendable {
    /// The properties of a run that decide when it is admitted.
    package struct Ticket: Hashable, Sendable {
        package var run: RunID
        package var user: Caller
        package var app: AppName
        /// The run that this one retries. It must have ended, with its slot released, before this one is admitted.
        package var predecessor: RunID?
        /// True when a person waits for the run at a terminal.
        package var isInteractive: Bool

        package init(
            run: RunID,
            user: Caller,
            app: AppName,
            predecessor: RunID? = nil,
            isInteractive: Bool = false
        ) {
            self.isInteractive = isInteractive
            self.run = run
            self.user = user
            self.app = app
            self.predecessor = predecessor
        }
    }

    /// Why a run is refused by the backlog.
    package enum Refusal: Equatable, Sendable {
        /// The number of runs that are already waiting.
        case queueFull(Int)
        /// The number of the user's runs that wait already: the user's share is full.
        case userShareFull(Int)
    }

    /// The limit that keeps a run in the backlog.
    package enum Obstacle: Equatable, Sendable {
        /// `--retry-of`: that run has not ended.
        case predecessor(RunID)
        /// `MaxRunsPerApp=`.
        case appLimit(Int)
        /// `MaxRunsPerUser=`.
        case userLimit(Int)
        /// `MaxRuns=`.
        case limit(Int)
    }

    private enum Stage: Sendable {
        /// Waits in the backlog. Goes to admitted, or leaves.
        case queued
        /// Has a slot. Goes to resting or to asking with a question, or leaves.
        case admitted
        /// Its question is open, and it has no slot. Goes to admitted, or leaves.
        case resting
        /// Its question is open, and it keeps its slot because `MaxWaiting=` runs rest. Goes to resting when one of
        /// those stops resting, to admitted, or leaves.
        case asking
    }

    private struct Member: Sendable {
        var ticket: Ticket
        var stage: Stage
    }

    /// When the capacity shrinks, admitted runs keep their slots.
    var capacity: RunTable.Capacity { didSet { mayAdmit = true } }
    private var members: [RunID: Member] = [:]
    /// Queued runs, oldest first. Runs that have left the queue are removed in batches.
    private var order: [RunID] = []
    /// Runs in the stage `asking`, oldest question first.
    private var asking: [RunID] = []
    private var restingCount = 0
    /// Runs that are not admitted before their owner reconnects.
    private var heldRuns: Set<RunID> = []
    private var slotCount = 0
    private var slotsOfUser = Tally<Caller>()
    private var slotsOfApp = Tally<AppName>()
    private var queuedOfUser = Tally<Caller>()
    /// When a user was last admitted, as a number that rises by two with every admission. Only users with runs have
    /// one.
    private var turns: [Caller: UInt64] = [:]
    private var lastTurn: UInt64 = 0
    private var membersOfUser = Tally<Caller>()
    /// `MaxRunsPerApp=`, as of the app's newest run.
    private var appLimits: [AppName: Int] = [:]
    /// True when a run may fit now that did not before.
    private var mayAdmit = false

    /// How fast runs are admitted from the backlog.
    package var pace = AdmissionPace()

    /// The number of runs in the backlog.
    package private(set) var queuedCount = 0

    /// The number of runs with an open question.
    package var askingCount: Int { restingCount + asking.count }

    package init(capacity: RunTable.Capacity) {
        self.capacity = capacity
    }

    /// Why a run is refused; nil when it is accepted. A run that fits at once needs no room in the backlog.
    package func refusal(of ticket: Ticket, appLimit: Int) -> Refusal? {
        if !isBehind(ticket), hasFreeSlot(for: ticket.user, ticket.app, appLimit: appLimit) { return nil }
        if queuedCount >= capacity.queueCount { return .queueFull(queuedCount) }
        let ownCount = queuedOfUser[ticket.user]
        // A user may have at most as many waiting runs as there is room left, so that any number of full shares leaves
        // room for the next user.
        return ownCount >= capacity.queueCount - queuedCount ? .userShareFull(ownCount) : nil
    }

    /// The limit that keeps a queued run from getting a slot. Of several, the limit that concerns the fewest other
    /// runs.
    package func obstacle(of run: RunID) -> Obstacle? {
        guard let member = members[run], case .queued = member.stage else { return nil }
        let ticket = member.ticket
        if let predecessor = ticket.predecessor, isBehind(ticket) { return .predecessor(predecessor) }
        let appLimit = appLimits[ticket.app] ?? 0
        if slotsOfApp[ticket.app] >= appLimit { return .appLimit(appLimit) }
        if slotsOfUser[ticket.user] >= capacity.runCountPerUser { return .userLimit(capacity.runCountPerUser) }
        return slotCount >= capacity.runCount ? .limit(capacity.runCount) : nil
    }

    /// Appends a run to the backlog. From now on the limit applies to all runs of the app.
    package mutating func join(_ ticket: Ticket, appLimit: Int) {
        members[ticket.run] = Member(ticket: ticket, stage: .queued)
        // A new user ranks just before the user admitted last, and behind all others: a user with one run at a time
        // gains nothing from being new each time.
        if turns[ticket.user] == nil { turns[ticket.user] = max(lastTurn, 1) - 1 }
        membersOfUser.add(ticket.user)
        order.append(ticket.run)
        queuedCount += 1
        queuedOfUser.add(ticket.user)
        appLimits[ticket.app] = appLimit
        mayAdmit = true
    }

    /// Keeps a run from being admitted until it is released.
    package mutating func hold(_ run: RunID) { heldRuns.insert(run) }

    package mutating func release(_ run: RunID) {
        if heldRuns.remove(run) != nil { mayAdmit = true }
    }

    /// Adopts a run that already has a slot, whatever the limits are now.
    package mutating func adopt(_ ticket: Ticket, appLimit: Int) {
        appLimits[ticket.app] = appLimit
        members[ticket.run] = Member(ticket: ticket, stage: .admitted)
        membersOfUser.add(ticket.user)
        occupySlot(ticket)
    }

    /// Admits the runs that fit now, and returns them in order of admission.
    package mutating func admit() -> [RunID] {
        guard mayAdmit else { return [] }
        mayAdmit = false
        var admitted: [RunID] = []
        while queuedCount > 0, let ticket = next() {
            leaveQueue(ticket)
            occupySlot(ticket)
            lastTurn += 2
            turns[ticket.user] = lastTurn
            members[ticket.run]?.stage = .admitted
            admitted.append(ticket.run)
        }
        if !admitted.isEmpty { order.removeAll { members[$0]?.stage != .queued } }
        return admitted
    }

    /// A run's question is open.
    package mutating func questionOpened(_ run: RunID) {
        guard let member = members[run], case .admitted = member.stage else { return }
        if restingCount < capacity.waitingCount {
            rest(member.ticket)
        } else {
            members[run]?.stage = .asking
            asking.append(run)
        }
    }

    /// A run's question was answered, or the run must end.
    package mutating func questionClosed(_ run: RunID) {
        guard let member = members[run] else { return }
        switch member.stage {
        case .queued, .admitted: return
        case .resting:
            occupySlot(member.ticket)
            restingCount -= 1
            restNext()
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
        if membersOfUser[member.ticket.user] == 0 { turns[member.ticket.user] = nil }
        // A retry of the run may have waited for this.
        mayAdmit = true
        switch member.stage {
        case .queued:
            leaveQueue(member.ticket)
            // Removing them one by one would take quadratic time when all leave.
            if order.count > 2 * queuedCount + 32 { order.removeAll { members[$0]?.stage != .queued } }
        case .admitted:
            releaseSlot(member.ticket)
        case .resting:
            restingCount -= 1
            restNext()
        case .asking:
            asking.removeAll { $0 == run }
            releaseSlot(member.ticket)
        }
    }

    // MARK: Private

    /// The run to admit next; nil when no run fits.
    private func next() -> Ticket? {
        guard slotCount < capacity.runCount else { return nil }
        var best: (ticket: Ticket, rank: Rank)?
        for run in order {
            guard let member = members[run], case .queued = member.stage else { continue }
            let ticket = member.ticket
            guard !heldRuns.contains(run), !isBehind(ticket),
                hasFreeSlot(for: ticket.user, ticket.app, appLimit: appLimits[ticket.app] ?? 0)
            else { continue }
            let rank = Rank(
                slotCount: slotsOfUser[ticket.user],
                turn: turns[ticket.user] ?? 0,
                isInteractive: ticket.isInteractive
            )
            // Among equals the oldest wins.
            if best.map({ rank < $0.rank }) ?? true { best = (ticket, rank) }
        }
        return best?.ticket
    }

    /// The order among runs that fit, most important criterion first.
    private struct Rank: Comparable {
        var slotCount: Int
        var turn: UInt64
        var isInteractive: Bool

        static func < (left: Rank, right: Rank) -> Bool {
            (left.slotCount, left.turn, left.isInteractive ? 0 : 1)
                < (right.slotCount, right.turn, right.isInteractive ? 0 : 1)
        }
    }

    /// True until the run that the ticket retries has ended and released its slot.
    private func isBehind(_ ticket: Ticket) -> Bool { ticket.predecessor.map { members[$0] != nil } ?? false }

    private func hasFreeSlot(for user: Caller, _ app: AppName, appLimit: Int) -> Bool {
        slotCount < capacity.runCount && slotsOfUser[user] < capacity.runCountPerUser && slotsOfApp[app] < appLimit
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

    /// One run fewer waits without a slot, so the run with the oldest question can release its slot.
    private mutating func restNext() {
        guard restingCount < capacity.waitingCount, !asking.isEmpty else { return }
        if let next = members[asking.removeFirst()] { rest(next.ticket) }
    }
}

extension AdmissionQueue.Obstacle: CustomStringConvertible {
    package var description: String {
        switch self {
        case .predecessor(let run): "run \(run), which it retries, has not ended"
        case .appLimit(let count): "other runs of its app occupy all slots of the app (MaxRunsPerApp=\(count))"
        case .userLimit(let count): "other runs of its user occupy all slots of the user (MaxRunsPerUser=\(count))"
        case .limit(let count): "other runs occupy all slots (MaxRuns=\(count))"
        }
    }
}

/// A count for each key.
private struct Tally<Key: Hashable & Sendable>: Sendable {
    private var counts: [Key: Int] = [:]

    subscript(key: Key) -> Int { counts[key] ?? 0 }

    mutating func add(_ key: Key) { counts[key, default: 0] += 1 }

    mutating func remove(_ key: Key) {
        let count = self[key] - 1
        counts[key] = count > 0 ? count : nil
    }
}
