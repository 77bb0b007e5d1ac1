package import IntentProtocol

/// One fact about one run, to be put on record in the order of saying.
package struct RunRecord: Equatable, Sendable {
    package var run: RunID
    package var fact: Fact

    package init(_ run: RunID, _ fact: Fact) {
        self.run = run
        self.fact = fact
    }

    package enum Fact: Equatable, Sendable {
        /// The first of every run.
        case accepted(AcceptedRun)
        /// The run goes to another state; with the worker that it gets, where that is new.
        case state(RunState, reason: CancellationReason?, slot: SlotID?)
        /// Its question, with the state `asking`.
        case asked(Question)
        /// Somebody answered its question.
        case answered(RecordedAnswer)
        /// Somebody asked for its end.
        case cancelAsked(CallerProcess)
        case signalled(StopSignal)
        /// What was seen of its worker when most of a limit had passed.
        case observed(WorkerObservation)
        /// A piece of what it printed.
        case printed(OutputStream, text: String)
        /// So many bytes of what it printed from here on are on no record.
        case leftOut(OutputStream, byteCount: Int64)
        /// Its outcome is decided. No other end ever follows.
        case ended(RecordedEnd)
        /// Nothing of it is left.
        case gone(Departure)
    }

    /// True when something waits until this is on disk: a client that is told of it, or a worker.
    package var isAwaited: Bool {
        switch fact {
        case .accepted, .ended, .asked, .answered, .cancelAsked: true
        case .state(let state, _, _):
            switch state {
            // Of these somebody may act: the worker begins, a person answers, a clock stops it.
            case .queued, .starting, .asking, .stopping: true
            // Its own report, which the launcher's word outlives.
            case .running: false
            }
        case .signalled, .observed, .printed, .leftOut, .gone: false
        }
    }
}

/// A run as it was accepted. It never changes.
package struct AcceptedRun: Equatable, Sendable, Codable {
    package var caller: CallerProcess
    package var door: Door
    package var request: RequestID
    /// `--key`: the same wish again by this name is the same run.
    package var key: String?
    /// The run that this one is another try of.
    package var retryOf: RunID?
    /// W3C Trace Context.
    package var traceparent: String?
    package var app: AppName
    package var intent: String
    package var traits: IntentTraits
    /// Without those of ``secretNames``.
    package var values: [String: IntentValue]
    /// Parameters whose values are in nobody's record.
    package var secretNames: [String]
    package var fileCount: Int
    /// The parameter whose options were asked for; nil for a run that performs.
    package var query: String?
    /// The language of the one who asked.
    package var locale: String?
    package var onDisconnect: DisconnectRule
    package var limits: RunLimits

    package init(
        caller: CallerProcess,
        door: Door,
        request: RequestID,
        key: String? = nil,
        retryOf: RunID? = nil,
        traceparent: String? = nil,
        app: AppName,
        intent: String,
        traits: IntentTraits,
        values: [String: IntentValue],
        secretNames: [String] = [],
        fileCount: Int,
        query: String? = nil,
        locale: String? = nil,
        onDisconnect: DisconnectRule = .cancel,
        limits: RunLimits
    ) {
        self.caller = caller
        self.door = door
        self.request = request
        self.key = key
        self.retryOf = retryOf
        self.traceparent = traceparent
        self.app = app
        self.intent = intent
        self.traits = traits
        self.values = values
        self.secretNames = secretNames
        self.fileCount = fileCount
        self.query = query
        self.locale = locale
        self.onDisconnect = onDisconnect
        self.limits = limits
    }
}

/// What came of a run, with what is known in that moment.
package struct RecordedEnd: Equatable, Sendable, Codable {
    package var outcome: RunOutcome
    package var account: RunAccount
    /// The newest that it reported.
    package var progress: ProgressReport?
    /// When it reported that, on CLOCK_MONOTONIC.
    package var progressNanoseconds: Int64?
    /// When its progress advanced last, on the same clock.
    package var advanceNanoseconds: Int64?
    /// The clock that ended it, where one did.
    package var clock: LimitClock?
    /// The serial of its `finished`.
    package var lastSerial: UInt64

    package init(
        outcome: RunOutcome,
        account: RunAccount,
        progress: ProgressReport? = nil,
        progressNanoseconds: Int64? = nil,
        advanceNanoseconds: Int64? = nil,
        clock: LimitClock? = nil,
        lastSerial: UInt64 = 0
    ) {
        self.outcome = outcome
        self.account = account
        self.progress = progress
        self.progressNanoseconds = progressNanoseconds
        self.advanceNanoseconds = advanceNanoseconds
        self.clock = clock
        self.lastSerial = lastSerial
    }
}

/// What the kernel says of a worker that is gone, and what its end took.
package struct Departure: Equatable, Sendable {
    /// Nil when it never had a process, or its launcher died with it.
    package var end: SlotEnd?
    package var account: RunAccount

    package init(end: SlotEnd? = nil, account: RunAccount) {
        self.end = end
        self.account = account
    }
}
