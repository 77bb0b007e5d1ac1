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

/// An answer as it is kept.
package struct RecordedAnswer: Hashable, Sendable, Codable {
    package var question: UInt64
    /// Who gave it; nil in what an earlier version recorded.
    package var user: UInt32?
    package var process: Int32?
    package var software: String?
    /// True when it came with the wish to perform.
    package var isInAdvance: Bool?
    /// Nil where it is secret, or of no parameter, so that nobody can say whether it is.
    package var value: IntentValue?

    package init(question: UInt64) {
        self.question = question
    }

    package init(_ notice: AnswerNotice, value: IntentValue?) {
        question = notice.question
        user = notice.user
        process = notice.process
        software = notice.software
        isInAdvance = notice.isInAdvance
        self.value = value
    }
}

/// A caller with the process that asks: as the kernel names both, and as the process names itself.
package struct CallerProcess: Hashable, Sendable, Codable {
    package var user: UInt32
    /// The name of the user's account; nil where it has none.
    package var account: String?
    /// The process that made the connection.
    package var process: Int32
    /// The `software` of its hello.
    package var software: String

    package var caller: Caller { .local(user: user, account: account ?? "") }

    package init(user: UInt32, account: String? = nil, process: Int32 = 0, software: String = "") {
        self.user = user
        self.account = account
        self.process = process
        self.software = software
    }

    package init(_ caller: Caller, process: Int32 = 0, software: String = "") {
        self.init(
            user: caller.uid,
            account: caller.account.isEmpty ? nil : caller.account,
            process: process,
            software: software
        )
    }
}

/// The way by which a wish came, as its client says.
package enum Door: String, Hashable, Sendable, Codable, CaseIterable {
    case commandLine
    case socket
    case mcp
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

/// Which of a run's clocks ran out.
package enum LimitClock: String, Hashable, Sendable, Codable {
    /// `QueueTimeout=`: no place became free.
    case queue
    /// `Runtime=` before `perform()` began.
    case start
    /// `Runtime=` of an intent whose progress moves nothing.
    case total
    /// `Runtime=` without progress that advances.
    case silence
    /// `Ceiling=`.
    case ceiling
    /// `LongCeiling=`.
    case longCeiling
    /// `QuestionTimeout=`.
    case question
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

/// Where a worker's threads were at one moment, as /proc shows them.
package struct WorkerObservation: Hashable, Sendable, Codable {
    package var threads: [Thread]
    /// Those that did not fit in here.
    package var omittedThreadCount: Int

    package init(threads: [Thread], omittedThreadCount: Int = 0) {
        self.threads = threads
        self.omittedThreadCount = omittedThreadCount
    }

    package struct Thread: Hashable, Sendable, Codable {
        package var name: String
        /// The letter of proc(5): R, S, D and so on.
        package var state: String
        /// The kernel function in which it waits; nil where it runs, or the kernel does not tell.
        package var waitChannel: String?
        /// Processor time so far, in milliseconds.
        package var processorMilliseconds: Int64

        package init(name: String, state: String, waitChannel: String?, processorMilliseconds: Int64) {
            self.name = name
            self.state = state
            self.waitChannel = waitChannel
            self.processorMilliseconds = processorMilliseconds
        }
    }
}
