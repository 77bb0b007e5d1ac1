package import IntentProtocol

/// A fleet run as stored in the database: queued, running or ended.
package struct FleetRecord: Sendable, Equatable {
    package var id: Int64
    package var owner: String
    package var app: String
    package var intent: String
    package var state: State
    package var arguments: String
    package var submitted: Timestamp
    package var started: Timestamp?
    package var finished: Timestamp?
    /// For a live run, the time since its submission; for an ended run, the time between submission and end. Measured
    /// by the database's clock.
    package var age: Duration
    package var attempt: Int
    package var node: String?
    /// The reason for the run's end. While the run is stopping, the reason for its cancellation.
    package var reason: String?
    package var result: String?
    package var report: String?
    package var question: String?
    package var key: String?

    package enum State: String, Sendable {
        case queued, running, done, failed, cancelled
    }

    /// The columns for a live run, from `run r` joined with its progress `p`.
    static let liveColumns = """
        r.id, r.owner, r.intent, r.state, r.args, (extract(epoch from r.submitted) * 1000)::bigint, \
        (extract(epoch from r.started) * 1000)::bigint, null, \
        (extract(epoch from clock_timestamp() - r.submitted) * 1000)::bigint, r.attempt, r.node, r.cancel, null, p.report, \
        r.question
        """
    /// The columns for an ended run, from `history h`.
    static let endedColumns = """
        h.id, h.owner, h.intent, h.state, h.args, (extract(epoch from h.submitted) * 1000)::bigint, \
        (extract(epoch from h.started) * 1000)::bigint, (extract(epoch from h.finished) * 1000)::bigint, \
        (extract(epoch from h.finished - h.submitted) * 1000)::bigint, h.attempt, h.node, h.reason, h.result, null::jsonb, \
        null::jsonb
        """

    /// Creates a record from a row with the columns above; nil if the row is malformed.
    package init?(_ row: [String?]) {
        func time(_ column: Int) -> Timestamp? {
            row[column].flatMap { Int64($0) }.map { Timestamp(millisecondsSince1970: $0) }
        }
        guard row.count >= 15, let id = row[0].flatMap({ Int64($0) }), let owner = row[1],
            let name = row[2]?.split(scalar: "/", maxSplits: 1), name.count == 2,
            let state = row[3].flatMap(State.init), let arguments = row[4], let submitted = time(5),
            let age = row[8].flatMap({ Int64($0) }), let attempt = row[9].flatMap({ Int($0) })
        else { return nil }
        self.id = id
        self.owner = owner
        app = String(name[0])
        intent = String(name[1])
        self.state = state
        self.arguments = arguments
        self.submitted = submitted
        started = time(6)
        finished = time(7)
        self.age = .milliseconds(max(0, age))
        self.attempt = attempt
        node = row[10]
        reason = row[11]
        result = row[12]
        report = row[13]
        question = row[14]
    }
}

extension FleetRecord {
    package var run: RunID { RunID(fleet: id) }

    /// The state for clients; nil when the run has ended.
    package var runState: RunState? {
        switch state {
        case .queued: .queued
        case .running: reason != nil ? .stopping : question != nil ? .asking : .running
        case .done, .failed, .cancelled: nil
        }
    }

    package var progress: ProgressReport? { WireCoding.value(in: report) }
    package var openQuestion: OpenQuestion? { WireCoding.value(in: question) }

    package var live: LiveRun? {
        runState.map { state in
            LiveRun(
                run: run,
                app: app,
                intent: intent,
                state: state,
                age: age,
                progress: progress,
                reason: state == .stopping ? reason.map(CancellationReason.init(name:)) : nil,
                waitsFor: state == .queued ? "a host of the fleet" : nil,
                title: node.map { "on \($0)" },
                asks: openQuestion.map { String($0.question.text.prefix(scalars: 300)) }
            )
        }
    }

    /// The run's end; nil until the run has ended.
    package var end: RunEnd? {
        guard runState == nil else { return nil }
        if let end = RunEnd(stored: result, run: id) { return end }
        let outcome: RunOutcome =
            switch state {
            case .cancelled: .cancelled(CancellationReason(name: reason ?? "userCancelled"))
            case .failed where reason == "hostLost":
                .hostLost(
                    message:
                        "the host '\(node ?? "?")' was lost in attempt \(attempt); Fleet= of the app permits no other attempt"
                )
            case .done, .failed, .queued, .running: .failed(message: reason ?? "the fleet recorded no reason")
            }
        return RunEnd(run: run, outcome: outcome, account: RunAccount())
    }

    /// Returns the run's summary, as history shows it.
    ///
    /// - Parameter user: The owner's uid on this host.
    package func summary(user: UInt32) -> RecordedRun {
        var summary = RecordedRun(
            number: id,
            run: run,
            app: app,
            intent: intent,
            user: user,
            entryPoint: .socket,
            accepted: submitted
        )
        summary.userName = owner
        summary.state = runState
        summary.queued = started.map { max(.zero, $0 - submitted) }
        guard let end else { return summary }
        summary.outcome = end.outcome.kindName
        summary.message = end.outcome.message
        if case .cancelled(let reason) = end.outcome { summary.reason = reason }
        summary.ended = finished
        summary.runtime = started.flatMap { start in finished.map { max(.zero, $0 - start) } }
        summary.isolation = end.account.isolation
        switch end.account.processEnd {
        case .exited(let code): summary.exitCode = code
        case .signaled(let signal): summary.exitSignal = signal
        case nil: break
        }
        return summary
    }

    /// Returns everything that the fleet has recorded about the run.
    ///
    /// - Parameter user: The owner's uid on this host.
    package func story(user: UInt32) -> RunStory {
        var changes: [Recorded<RunChange>] = []
        func add(_ state: RunState, at time: Timestamp) {
            let change = RunChange.state(state, reason: nil, slot: nil)
            changes.append(Recorded(time: time, after: max(.zero, time - submitted), event: change))
        }
        add(.queued, at: submitted)
        if let started { add(.running, at: started) }
        if state == .running, reason == nil, let question = openQuestion?.question {
            add(.asking, at: started ?? submitted)
            let change = RunChange.question(question)
            changes.append(Recorded(time: started ?? submitted, after: .zero, event: change))
        }
        let given = FleetArguments(json: arguments)
        return RunStory(
            summary: summary(user: user),
            process: 0,
            software: node.map { "the fleet, attempt \(attempt) on \($0)" } ?? "the fleet",
            request: RequestID(randomBits: 0, UInt64(bitPattern: id)),
            key: key,
            retryOf: nil,
            traceparent: given?.traceparent,
            traits: [],
            values: given?.values ?? [:],
            secretNames: [],
            fileCount: given?.files?.count ?? 0,
            limits: RunLimits(),
            changes: changes,
            end: end.flatMap { end in
                finished.map {
                    Recorded(
                        time: $0,
                        after: max(.zero, $0 - submitted),
                        event: RecordedEnd(outcome: end.outcome, account: end.account)
                    )
                }
            },
            exit: nil,
            printedByteCount: 0
        )
    }
}

extension FleetRunEnd {
    /// The end to report to clients once the database has committed it; nil if only the database knows what clients
    /// receive.
    package var forClients: RunEnd? {
        // The database may have queued the run again.
        state == .lost ? nil : RunEnd(stored: result, run: run)
    }
}

extension RunEnd {
    /// Decodes a fleet run's result; nil if it is missing or malformed.
    fileprivate init?(stored result: String?, run: Int64) {
        guard let end = WireCoding.value(Self.self, in: result) else { return nil }
        self = end
        self.run = RunID(fleet: run)
        // Clients fetch the run's files from the host that performed the run.
        fileCount = 0
    }
}
