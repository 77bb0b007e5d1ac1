package import IntentWire

/// Who has a place, who waits for one, and who gets the next.
///
/// A place counts for the whole, for its user and for its app. The next place goes to the user who has the fewest, among
/// those to the one who got one the longest ago: whoever floods the queue waits for his own runs, and others do not. Of
/// his runs that fit, those go first for which somebody waits at a terminal, and then in the order of their coming. One
/// that does not fit keeps its rank and blocks nobody behind it. A run with an open question has no place, as long as not too many do; it takes one again with its answer or
/// its end, even where none is free.
package struct AdmissionQueue: Sendable {
    /// What counts for a run's place.
    package struct Ticket: Hashable, Sendable {
        package var run: RunID
        package var user: Caller
        package var app: AppName
        /// Of which nothing may be left when it gets its place; nil: of none.
        package var predecessor: RunID?
        /// Somebody waits for it, and sees that.
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

    /// Why a run cannot even wait.
    package enum Refusal: Equatable, Sendable {
        /// That many wait already.
        case queueFull(Int)
        /// That many of its user do, who has no right to more of the queue.
        case userShareFull(Int)
    }

    /// Which limit keeps a run from a place.
    package enum Obstacle: Equatable, Sendable {
        /// `--retry-of`: that run is not over.
        case predecessor(RunID)
        /// `MaxRunsPerApp=`.
        case appLimit(Int)
        /// `MaxRunsPerUser=`.
        case userLimit(Int)
        /// `MaxRuns=`.
        case limit(Int)
    }

    private enum Stage: Sendable {
        /// Waits for a place. Goes to placed, or leaves.
        case queued
        /// Has a place. Goes to resting or to asking with a question, or leaves.
        case placed
        /// Its question is open, and it has no place. Goes to placed, or leaves.
        case resting
        /// Its question is open, and it has its place, because too many rest. Goes to resting when one of them does not
        /// any more, to placed, or leaves.
        case asking
    }

    private struct Member: Sendable {
        var ticket: Ticket
        var stage: Stage
    }

    /// Those who have a place keep it when there are fewer.
    var capacity: RunTable.Capacity { didSet { mayAdmit = true } }
    private var members: [RunID: Member] = [:]
    /// In the order of their coming; those that left are cleared away now and then.
    private var order: [RunID] = []
    /// Those that ask in their places, in the order of their questions.
    private var asking: [RunID] = []
    private var restingCount = 0
    /// Those that wait for somebody who wants them.
    private var heldRuns: Set<RunID> = []
    private var placeCount = 0
    private var placesOfUser = Tally<Caller>()
    private var placesOfApp = Tally<AppName>()
    private var queuedOfUser = Tally<Caller>()
    /// When each user got a place last, as a number that rises by two with every place; nobody who has no run is in it.
    private var turns: [Caller: UInt64] = [:]
    private var lastTurn: UInt64 = 0
    private var membersOfUser = Tally<Caller>()
    /// `MaxRunsPerApp=`, as it was when a run of the app came last.
    private var appLimits: [AppName: Int] = [:]
    /// True when somebody may fit now who did not before.
    private var mayAdmit = false

    /// How fast places become free.
    package var pace = AdmissionPace()

    /// Runs that wait for a place.
    package private(set) var queuedCount = 0

    /// Runs with an open question.
    package var askingCount: Int { restingCount + asking.count }

    package init(capacity: RunTable.Capacity) {
        self.capacity = capacity
    }

    /// Why a run may not come, or nil. One that fits at once needs no room in the queue.
    package func refusal(of ticket: Ticket, appLimit: Int) -> Refusal? {
        if !isBehind(ticket), hasPlace(for: ticket.user, ticket.app, appLimit: appLimit) { return nil }
        if queuedCount >= capacity.queueCount { return .queueFull(queuedCount) }
        let ownCount = queuedOfUser[ticket.user]
        // As much as is free besides: whoever comes finds room, however many have filled their share.
        return ownCount >= capacity.queueCount - queuedCount ? .userShareFull(ownCount) : nil
    }

    /// What keeps a run that waits from a place: where there are several, the one that the fewest others meet.
    package func obstacle(of run: RunID) -> Obstacle? {
        guard let member = members[run], case .queued = member.stage else { return nil }
        let ticket = member.ticket
        if let predecessor = ticket.predecessor, isBehind(ticket) { return .predecessor(predecessor) }
        let appLimit = appLimits[ticket.app] ?? 0
        if placesOfApp[ticket.app] >= appLimit { return .appLimit(appLimit) }
        if placesOfUser[ticket.user] >= capacity.runCountPerUser { return .userLimit(capacity.runCountPerUser) }
        return placeCount >= capacity.runCount ? .limit(capacity.runCount) : nil
    }

    /// A run has come, last in the queue; its app's limit holds from now on for all of its runs.
    package mutating func join(_ ticket: Ticket, appLimit: Int) {
        members[ticket.run] = Member(ticket: ticket, stage: .queued)
        // Before the one who was served last, and behind all others: who comes again and again is not new each time.
        if turns[ticket.user] == nil { turns[ticket.user] = max(lastTurn, 1) - 1 }
        membersOfUser.add(ticket.user)
        order.append(ticket.run)
        queuedCount += 1
        queuedOfUser.add(ticket.user)
        appLimits[ticket.app] = appLimit
        mayAdmit = true
    }

    /// A run waits, and gets no place until it is released.
    package mutating func hold(_ run: RunID) { heldRuns.insert(run) }

    package mutating func release(_ run: RunID) {
        if heldRuns.remove(run) != nil { mayAdmit = true }
    }

    /// A run that has a place already: it is taken up, whatever the limits are by now.
    package mutating func takeUp(_ ticket: Ticket, appLimit: Int) {
        appLimits[ticket.app] = appLimit
        members[ticket.run] = Member(ticket: ticket, stage: .placed)
        membersOfUser.add(ticket.user)
        takePlace(ticket)
    }

    /// The runs that get a place now, in the order in which they get it.
    package mutating func admit() -> [RunID] {
        guard mayAdmit else { return [] }
        mayAdmit = false
        var admitted: [RunID] = []
        while queuedCount > 0, let ticket = next() {
            leaveQueue(ticket)
            takePlace(ticket)
            lastTurn += 2
            turns[ticket.user] = lastTurn
            members[ticket.run]?.stage = .placed
            admitted.append(ticket.run)
        }
        if !admitted.isEmpty { order.removeAll { members[$0]?.stage != .queued } }
        return admitted
    }

    /// A run's question is open.
    package mutating func questionOpened(_ run: RunID) {
        guard let member = members[run], case .placed = member.stage else { return }
        if restingCount < capacity.waitingCount {
            rest(member.ticket)
        } else {
            members[run]?.stage = .asking
            asking.append(run)
        }
    }

    /// It is answered, or the run must end.
    package mutating func questionClosed(_ run: RunID) {
        guard let member = members[run] else { return }
        switch member.stage {
        case .queued, .placed: return
        case .resting:
            takePlace(member.ticket)
            restingCount -= 1
            restNext()
        case .asking:
            asking.removeAll { $0 == run }
        }
        members[run]?.stage = .placed
    }

    /// Nothing of a run is left.
    package mutating func leave(_ run: RunID) {
        guard let member = members.removeValue(forKey: run) else { return }
        heldRuns.remove(run)
        membersOfUser.remove(member.ticket.user)
        if membersOfUser[member.ticket.user] == 0 { turns[member.ticket.user] = nil }
        // Another try of it may have waited for this.
        mayAdmit = true
        switch member.stage {
        case .queued:
            leaveQueue(member.ticket)
            // One by one this would take the square of the queue's length when all leave.
            if order.count > 2 * queuedCount + 32 { order.removeAll { members[$0]?.stage != .queued } }
        case .placed:
            releasePlace(member.ticket)
        case .resting:
            restingCount -= 1
            restNext()
        case .asking:
            asking.removeAll { $0 == run }
            releasePlace(member.ticket)
        }
    }

    // MARK: Private

    /// Who gets a place next; nil when nobody fits.
    private func next() -> Ticket? {
        guard placeCount < capacity.runCount else { return nil }
        var best: (ticket: Ticket, rank: Rank)?
        for run in order {
            guard let member = members[run], case .queued = member.stage else { continue }
            let ticket = member.ticket
            guard !heldRuns.contains(run), !isBehind(ticket),
                hasPlace(for: ticket.user, ticket.app, appLimit: appLimits[ticket.app] ?? 0)
            else { continue }
            let rank = Rank(
                placeCount: placesOfUser[ticket.user],
                turn: turns[ticket.user] ?? 0,
                isInteractive: ticket.isInteractive
            )
            // Of equal ones the first that came stays.
            if best.map({ rank < $0.rank }) ?? true { best = (ticket, rank) }
        }
        return best?.ticket
    }

    /// What decides between those that fit, the most important first.
    private struct Rank: Comparable {
        var placeCount: Int
        var turn: UInt64
        var isInteractive: Bool

        static func < (left: Rank, right: Rank) -> Bool {
            (left.placeCount, left.turn, left.isInteractive ? 0 : 1)
                < (right.placeCount, right.turn, right.isInteractive ? 0 : 1)
        }
    }

    /// True while something is left of the run that it is another try of.
    private func isBehind(_ ticket: Ticket) -> Bool { ticket.predecessor.map { members[$0] != nil } ?? false }

    private func hasPlace(for user: Caller, _ app: AppName, appLimit: Int) -> Bool {
        placeCount < capacity.runCount && placesOfUser[user] < capacity.runCountPerUser && placesOfApp[app] < appLimit
    }

    private mutating func takePlace(_ ticket: Ticket) {
        placeCount += 1
        placesOfUser.add(ticket.user)
        placesOfApp.add(ticket.app)
    }

    private mutating func releasePlace(_ ticket: Ticket) {
        placeCount -= 1
        placesOfUser.remove(ticket.user)
        placesOfApp.remove(ticket.app)
        mayAdmit = true
    }

    private mutating func leaveQueue(_ ticket: Ticket) {
        queuedCount -= 1
        queuedOfUser.remove(ticket.user)
    }

    private mutating func rest(_ ticket: Ticket) {
        members[ticket.run]?.stage = .resting
        restingCount += 1
        releasePlace(ticket)
    }

    /// One rests no more: the first that asks in its place may.
    private mutating func restNext() {
        guard restingCount < capacity.waitingCount, !asking.isEmpty else { return }
        if let next = members[asking.removeFirst()] { rest(next.ticket) }
    }
}

extension AdmissionQueue.Obstacle: CustomStringConvertible {
    package var description: String {
        switch self {
        case .predecessor(let run): "run \(run), of which it is another try, is not over"
        case .appLimit(let count): "its app's other runs take all the places that it has (MaxRunsPerApp=\(count))"
        case .userLimit(let count): "its user's other runs take all the places that one has (MaxRunsPerUser=\(count))"
        case .limit(let count): "other runs take all places (MaxRuns=\(count))"
        }
    }
}

/// How many of each.
private struct Tally<Key: Hashable & Sendable>: Sendable {
    private var counts: [Key: Int] = [:]

    subscript(key: Key) -> Int { counts[key] ?? 0 }

    mutating func add(_ key: Key) { counts[key, default: 0] += 1 }

    mutating func remove(_ key: Key) {
        let count = self[key] - 1
        counts[key] = count > 0 ? count : nil
    }
}
