/// A host's decisions in a fleet. Uses no connection, clock or worker.
///
/// The database answers statements in the order in which they were sent, and answers on an earlier connection are never
/// delivered. An unknown run in the answer to a beat therefore shows that the answer to the statement that assigned the
/// run was lost, unless such a statement was open when the beat was sent. A run that is missing from the answer to a
/// beat was swept.
///
/// Times are instants on CLOCK_MONOTONIC, as the duration since the clock's start.
package struct NodeLoop: Sendable {
    private struct LiveRun: Sendable {
        var run: FleetRun
        var isStopping = false
    }

    /// The statements that are due or in progress on a connection.
    private struct Session: Sendable {
        let since: Duration
        /// True once the database has accepted a beat.
        var isAdmitted = false
        /// The instant at which the beat in progress was sent.
        var beatSent: Duration?
        /// True if a statement that can assign runs was open when the beat was sent.
        var takeBeforeBeat = false
        /// The maximum number of runs that the open `take` statement may return; nil if none is open.
        var takeSize: Int?
        /// The number of submissions in progress that can assign a run to this host.
        var submissionCount = 0
        /// True if the database has answered a beat since it last refused to let the host leave. The answer contains
        /// the runs that caused the refusal.
        var mayLeave = false
        var sweeps = false
        var maintains = false
        var leaves = false
        var committing: Set<Int64> = []
        /// The ends without a verdict, because another transaction has locked the run. They are sent again at
        /// `nextUnlock`, and do not delay other ends.
        var locked: Set<Int64> = []
        var nextBeat: Duration
        var nextPoll: Duration
        var nextSweep: Duration
        var nextMaintenance: Duration
        var nextCommit: Duration
        var nextUnlock: Duration = .zero
    }

    private let settings: NodeSettings
    private var session: Session?
    private var runs: [Int64: LiveRun] = [:]
    private var outbox: [Int64: FleetRunEnd]
    private var isDraining = false
    /// The number of runs from this host's own users, who take precedence over the fleet.
    private var localRunCount = 0
    private var hasLeft = false
    /// The instant until which the database is certain to regard this host as alive.
    private var leaseEnd: Duration?
    private var commitLimit = Self.batch
    private var jitter: UInt64
    private var armed: Duration?
    /// The ends in the outbox that are not on the disk yet, and the instant at which the first of them was added.
    private var unkept: Set<Int64> = []
    private var unkeptSince: Duration?

    static let batch = 500
    /// The time that an end may wait for the database's verdict before it is written to the host's disk. The database
    /// usually stores the end sooner, and the host then needs no copy. Until then, only intentd stores the end. If this
    /// service restarts, it receives the run in the answer to its first beat, and finds the end at intentd by the
    /// attempt's key.
    static let keepDelay: Duration = .milliseconds(250)

    /// - Parameters:
    ///   - outbox: The ends that an earlier process stored.
    ///   - running: The runs that an earlier process started and that still have their workers.
    package init(_ settings: NodeSettings, outbox: [FleetRunEnd] = [], running: [FleetRun] = [], seed: UInt64 = 1) {
        self.settings = settings
        self.outbox = Dictionary(outbox.map { ($0.run, $0) }) { $0.attempt > $1.attempt ? $0 : $1 }
        for run in running { runs[run.id] = LiveRun(run: run) }
        jitter = seed
    }

    package var runCount: Int { runs.count }
    package var outboxCount: Int { outbox.count }

    package mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .connected: begin(at: now)
        case .disconnected: session = nil
        case .hinted(.queue): session?.nextPoll = now
        case .hinted(.held): session?.nextBeat = now
        case .timerFired: armed = nil
        case .beaten(let held): beaten(held, &actions)
        case .took(let taken):
            // A full answer indicates that more runs may be waiting.
            if taken.count == session?.takeSize { session?.nextPoll = now }
            session?.takeSize = nil
            for run in taken { start(run, &actions) }
        case .submitting: session?.submissionCount += 1
        case .submitted(let run):
            session?.submissionCount -= 1
            if let run { start(run, &actions) } else { session?.nextPoll = now }
        case .committed(let verdicts):
            let locked = (session?.committing ?? []).subtracting(verdicts.map(\.run))
            if session?.locked.isEmpty == true, !locked.isEmpty { session?.nextUnlock = now + settings.poll }
            session?.locked.formUnion(locked)
            session?.committing = []
            commitLimit = Self.batch
            for verdict in verdicts {
                guard let end = outbox.removeValue(forKey: verdict.run) else { continue }
                unkept.remove(verdict.run)
                actions.append(.forget(end, verdict.kind))
            }
        case .swept(let count, let due):
            session?.sweeps = false
            if count > 0 { session?.nextPoll = now }
            if let due, let next = session?.nextSweep {
                // Not before the end of the lease, and not at the same time as the fleet's other hosts.
                let instant = now + due + .milliseconds(50 + random(200))
                session?.nextSweep = min(next, instant)
            }
        case .maintained: session?.maintains = false
        case .left:
            hasLeft = true
            actions.append(.finish)
        case .refused(let statement): refused(statement, at: now, &actions)
        case .failed(.finish):
            // The results did not cause the failure, so they are sent again.
            session?.committing = []
            session?.nextCommit = now + settings.poll
        case .failed(let statement): refused(statement, at: now, &actions)
        case .runEnded(let end): ended(end)
        case .cancelled(let run, let reason):
            // The answer that assigns the run may still be in progress. The next beat then returns the cancellation.
            if let live = runs[run] {
                stop(run, live.run.attempt, .cancelled(reason), &actions)
            } else {
                session?.nextBeat = now
            }
        case .localRunsCounted(let count):
            let wasFull = free == 0
            localRunCount = max(0, count)
            if wasFull, free > 0 { session?.nextPoll = now }
        case .drainRequested: isDraining = true
        }
        stopExclusive(at: now, &actions)
        sendDue(at: now, &actions)
        keepEnds(at: now, &actions)
        arm(at: now, &actions)
        return actions
    }

    // MARK: Events

    private mutating func begin(at now: Duration) {
        session = Session(
            since: now,
            nextBeat: now,
            nextPoll: now,
            nextSweep: now + settings.lease,
            nextMaintenance: now,
            nextCommit: now
        )
    }

    private mutating func start(_ run: FleetRun, _ actions: inout [Action]) {
        // The end of an attempt that this host has performed is in the outbox. Do not perform the attempt again.
        if let end = outbox[run.id], end.attempt >= run.attempt { return }
        if let live = runs[run.id] {
            if live.run.attempt >= run.attempt { return }
            actions.append(.stop(run: run.id, attempt: live.run.attempt, .swept))
        }
        runs[run.id] = LiveRun(run: run)
        actions.append(.start(run))
    }

    private mutating func beaten(_ held: [HeldRun], _ actions: inout [Action]) {
        guard let session, let sent = session.beatSent else { return }
        let takeWasLost = !session.takeBeforeBeat
        self.session?.beatSent = nil
        self.session?.isAdmitted = true
        self.session?.mayLeave = true
        leaseEnd = sent + settings.lease
        var attempts: [Int64: Int] = [:]
        for held in held {
            attempts[held.run.id] = held.run.attempt
            if takeWasLost { start(held.run, &actions) }
            if let answer = held.answer, runs[held.run.id]?.run.attempt == held.run.attempt {
                actions.append(.answer(run: held.run.id, attempt: held.run.attempt, answer))
            }
            if let reason = held.cancellation { stop(held.run.id, held.run.attempt, .cancelled(reason), &actions) }
        }
        for (id, live) in runs.sorted(by: { $0.key < $1.key }) where attempts[id] != live.run.attempt {
            stop(id, live.run.attempt, .swept, &actions)
        }
    }

    private mutating func refused(_ statement: NodeStatement, at now: Duration, _ actions: inout [Action]) {
        switch statement {
        case .beat:
            session?.beatSent = nil
            session?.isAdmitted = false
        case .take: session?.takeSize = nil
        case .sweep: session?.sweeps = false
        case .maintain: session?.maintains = false
        case .leave:
            session?.leaves = false
            session?.mayLeave = false
            session?.nextBeat = now
        case .finish(let ends):
            session?.committing = []
            session?.nextCommit = now + (commitLimit == 1 ? settings.poll : .zero)
            if commitLimit == 1, let end = ends.first, outbox[end.run] == end, end != end.withoutResult {
                outbox[end.run] = end.withoutResult
                unkept.insert(end.run)
            }
            // Commit one end at a time until the refused end is found.
            commitLimit = 1
        }
    }

    private mutating func ended(_ end: FleetRunEnd) {
        guard runs[end.run]?.run.attempt == end.attempt else { return }
        // Request runs now if no slot was free. Otherwise, hints and polls have already requested them.
        if free == 0 { session?.nextPoll = .zero }
        runs[end.run] = nil
        outbox[end.run] = end
        unkept.insert(end.run)
    }

    /// Writes the ends to the disk if the host is not connected, or if the database gives no verdict within
    /// ``keepDelay``.
    private mutating func keepEnds(at now: Duration, _ actions: inout [Action]) {
        guard !unkept.isEmpty else {
            unkeptSince = nil
            return
        }
        let since = unkeptSince ?? now
        unkeptSince = since
        guard session == nil || now >= since + Self.keepDelay else { return }
        for run in unkept.sorted() { if let end = outbox[run] { actions.append(.keep(end)) } }
        actions.append(.syncOutbox)
        unkept = []
        unkeptSince = nil
    }

    private mutating func stop(_ id: Int64, _ attempt: Int, _ reason: StopReason, _ actions: inout [Action]) {
        guard let live = runs[id], live.run.attempt == attempt, !live.isStopping else { return }
        runs[id]?.isStopping = true
        actions.append(.stop(run: id, attempt: attempt, reason))
    }

    private mutating func stopExclusive(at now: Duration, _ actions: inout [Action]) {
        guard let leaseEnd, now >= leaseEnd - settings.exclusiveMargin else { return }
        for (id, live) in runs.sorted(by: { $0.key < $1.key }) where live.run.policy == .exclusive {
            stop(id, live.run.attempt, .leaseEnds, &actions)
        }
    }

    // MARK: Statements

    private var free: Int {
        let reservedCount = session?.submissionCount ?? 0
        return isDraining ? 0 : max(0, settings.slots - runs.count - localRunCount - reservedCount)
    }

    /// True if a submission may assign its run to this host. While a `take` statement is open, it may fill all slots. A
    /// submission must not wait for a sweep or for maintenance, which can take a second.
    package var maySubmitHere: Bool {
        guard let session, session.isAdmitted, !session.leaves, !hasLeft else { return false }
        return session.takeSize == nil && !session.sweeps && !session.maintains && free > 0
    }

    /// True once the database has accepted a beat on the current connection.
    package var isAdmitted: Bool { session?.isAdmitted == true }

    /// True while the database is certain to regard this process as the host with its name.
    package func holdsName(at now: Duration) -> Bool { isAdmitted && leaseEnd ?? .zero > now }

    private mutating func sendDue(at now: Duration, _ actions: inout [Action]) {
        guard var due = session, !hasLeft else { return }
        defer { session = due }
        if now >= due.nextUnlock { due.locked = [] }
        if due.committing.isEmpty, outbox.count > due.locked.count, now >= due.nextCommit {
            let unlocked = due.locked.isEmpty ? outbox : outbox.filter { !due.locked.contains($0.key) }
            let ends = unlocked.values.sorted { $0.run < $1.run }.prefix(commitLimit)
            due.committing = Set(ends.map(\.run))
            actions.append(.send(.finish(Array(ends))))
        }
        if due.leaves { return }
        if isDraining, runs.isEmpty, outbox.isEmpty, due.mayLeave, due.beatSent == nil, due.takeSize == nil,
            due.submissionCount == 0
        {
            due.leaves = true
            actions.append(.send(.leave))
            return
        }
        if due.beatSent == nil, now >= due.nextBeat {
            due.beatSent = now
            due.takeBeforeBeat = due.takeSize != nil || due.submissionCount > 0
            due.nextBeat = now + settings.beatInterval
            actions.append(.send(.beat(free: free)))
        }
        guard due.isAdmitted else { return }
        if due.takeSize == nil, free > 0, now >= due.nextPoll {
            due.takeSize = free
            due.nextPoll = now + pause()
            actions.append(.send(.take(free: free)))
        }
        if !due.sweeps, now >= due.nextSweep {
            due.sweeps = true
            due.nextSweep = now + settings.lease / 3
            actions.append(.send(.sweep))
        }
        if !due.maintains, now >= due.nextMaintenance {
            due.maintains = true
            due.nextMaintenance = now + .seconds(3600)
            actions.append(.send(.maintain))
        }
    }

    /// Returns the time until the next poll: the setting ± 25 %, so that a fleet's hosts do not poll simultaneously.
    private mutating func pause() -> Duration { settings.poll * (750 + random(501)) / 1000 }

    /// Returns a number from 0 up to, but not including, a limit.
    private mutating func random(_ limit: Int) -> Int {
        jitter = jitter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(jitter >> 33) % limit
    }

    private mutating func arm(at now: Duration, _ actions: inout [Action]) {
        var instants: [Duration] = []
        if let session, !hasLeft, !session.leaves {
            if session.beatSent == nil { instants.append(session.nextBeat) }
            if session.isAdmitted, session.takeSize == nil, free > 0 { instants.append(session.nextPoll) }
            if session.isAdmitted, !session.sweeps { instants.append(session.nextSweep) }
            if session.isAdmitted, !session.maintains { instants.append(session.nextMaintenance) }
            if session.committing.isEmpty, !outbox.isEmpty {
                instants.append(outbox.count > session.locked.count ? session.nextCommit : session.nextUnlock)
            }
        }
        if let leaseEnd, runs.values.contains(where: { $0.run.policy == .exclusive && !$0.isStopping }) {
            instants.append(leaseEnd - settings.exclusiveMargin)
        }
        if let unkeptSince { instants.append(unkeptSince + Self.keepDelay) }
        guard let next = instants.min(), next != armed else { return }
        armed = next
        actions.append(.armTimer(at: next))
    }
}
