/// Which runs on record a client asks for.
package struct HistoryQuery: Hashable, Sendable, Codable {
    /// Accepted at that moment or later, in milliseconds since 1970.
    package var sinceMilliseconds: Int64?
    /// Accepted before that moment.
    package var untilMilliseconds: Int64?
    package var app: String?
    package var intent: String?
    /// A state of a live run, the kind of an outcome, `live` or `ended`.
    package var state: String?
    /// Whose runs; nil: the caller's own. Others than his own are shown to operators alone.
    package var user: UInt32?
    /// Runs of everybody; to operators alone.
    package var everybody: Bool?
    /// At most so many, the newest.
    package var count: Int?
    /// Those with a number below this: the rest of an earlier answer.
    package var before: Int64?

    package init(
        sinceMilliseconds: Int64? = nil,
        untilMilliseconds: Int64? = nil,
        app: String? = nil,
        intent: String? = nil,
        state: String? = nil,
        user: UInt32? = nil,
        everybody: Bool? = nil,
        count: Int? = nil,
        before: Int64? = nil
    ) {
        self.sinceMilliseconds = sinceMilliseconds
        self.untilMilliseconds = untilMilliseconds
        self.app = app
        self.intent = intent
        self.state = state
        self.user = user
        self.everybody = everybody
        self.count = count
        self.before = before
    }
}

/// Which runs shall go from the record: all that any of these names; with none, what is not kept by configuration.
package struct PruneWish: Hashable, Sendable, Codable {
    /// Those that ended longer ago.
    package var keepMilliseconds: Int64?
    /// All but so many, the newest.
    package var keepCount: Int64?

    package init(keepMilliseconds: Int64? = nil, keepCount: Int64? = nil) {
        self.keepMilliseconds = keepMilliseconds
        self.keepCount = keepCount
    }
}

/// Some runs on record, the newest first.
package struct HistoryPage: Hashable, Sendable, Codable {
    package var runs: [RecordedRun]
    /// Where the rest begins, for ``HistoryQuery/before``; nil when this is all.
    package var next: Int64?

    package init(runs: [RecordedRun], next: Int64?) {
        self.runs = runs
        self.next = next
    }
}

/// A run on record, on one line.
package struct RecordedRun: Hashable, Sendable, Codable {
    /// Rises with every run of this history, and is never given twice.
    package var number: Int64
    package var run: RunID
    package var app: String
    package var intent: String
    package var user: UInt32
    /// The name of the owner's account at that time; nil where it had none.
    package var userName: String?
    package var door: Door
    /// Where it is; nil when it has ended.
    package var state: RunState?
    /// The kind of its outcome; nil when it has not ended.
    package var outcome: String?
    package var reason: CancellationReason?
    package var message: String?
    /// In milliseconds since 1970, by the clock of the wall as it was then.
    package var acceptedMilliseconds: Int64
    package var endedMilliseconds: Int64?
    /// From its acceptance to its place.
    package var queuedMilliseconds: Int64?
    /// From its place to its outcome.
    package var runtimeMilliseconds: Int64?
    package var exitCode: Int32?
    package var exitSignal: Int32?
    package var usage: ResourceUsage?
    package var isolation: IsolationGrade?

    package init(
        number: Int64,
        run: RunID,
        app: String,
        intent: String,
        user: UInt32,
        door: Door,
        acceptedMilliseconds: Int64
    ) {
        self.number = number
        self.run = run
        self.app = app
        self.intent = intent
        self.user = user
        self.door = door
        self.acceptedMilliseconds = acceptedMilliseconds
    }
}

/// What a run used, as the kernel counted.
package struct ResourceUsage: Hashable, Sendable, Codable {
    package var userMicroseconds: Int64
    package var systemMicroseconds: Int64
    package var peakMemoryByteCount: Int64?

    package init(userMicroseconds: Int64, systemMicroseconds: Int64, peakMemoryByteCount: Int64?) {
        self.userMicroseconds = userMicroseconds
        self.systemMicroseconds = systemMicroseconds
        self.peakMemoryByteCount = peakMemoryByteCount
    }
}

/// All that is on record of one run but its output.
package struct RunStory: Hashable, Sendable, Codable {
    package var summary: RecordedRun
    package var process: Int32
    package var software: String
    package var request: RequestID
    package var key: String?
    package var retryOf: RunID?
    package var traceparent: String?
    package var traits: IntentTraits
    package var values: [String: IntentValue]
    package var secretNames: [String]
    package var fileCount: Int
    package var limits: RecordedLimits
    package var changes: [RecordedChange]
    package var end: RecordedOutcome?
    package var departure: RecordedDeparture?
    package var printedByteCount: Int64

    package init(
        summary: RecordedRun,
        process: Int32,
        software: String,
        request: RequestID,
        key: String?,
        retryOf: RunID?,
        traceparent: String?,
        traits: IntentTraits,
        values: [String: IntentValue],
        secretNames: [String],
        fileCount: Int,
        limits: RecordedLimits,
        changes: [RecordedChange],
        end: RecordedOutcome?,
        departure: RecordedDeparture?,
        printedByteCount: Int64
    ) {
        self.summary = summary
        self.process = process
        self.software = software
        self.request = request
        self.key = key
        self.retryOf = retryOf
        self.traceparent = traceparent
        self.traits = traits
        self.values = values
        self.secretNames = secretNames
        self.fileCount = fileCount
        self.limits = limits
        self.changes = changes
        self.end = end
        self.departure = departure
        self.printedByteCount = printedByteCount
    }
}

/// The clocks that held for a run, in milliseconds.
package struct RecordedLimits: Hashable, Sendable, Codable {
    package var runtime: Int64
    package var ceiling: Int64
    package var longCeiling: Int64
    package var grace: Int64
    package var graceCancellable: Int64
    package var killDelay: Int64
    package var question: Int64
    package var queue: Int64

    package init(
        runtime: Int64,
        ceiling: Int64,
        longCeiling: Int64,
        grace: Int64,
        graceCancellable: Int64,
        killDelay: Int64,
        question: Int64,
        queue: Int64
    ) {
        self.runtime = runtime
        self.ceiling = ceiling
        self.longCeiling = longCeiling
        self.grace = grace
        self.graceCancellable = graceCancellable
        self.killDelay = killDelay
        self.question = question
        self.queue = queue
    }
}

/// Something that happened to a run.
package struct RecordedChange: Hashable, Sendable, Codable {
    /// In milliseconds since 1970.
    package var wallMilliseconds: Int64
    /// Since its acceptance, on CLOCK_MONOTONIC.
    package var afterMilliseconds: Int64
    package var event: Event

    package init(wallMilliseconds: Int64, afterMilliseconds: Int64, event: Event) {
        self.wallMilliseconds = wallMilliseconds
        self.afterMilliseconds = afterMilliseconds
        self.event = event
    }

    package enum Event: Hashable, Sendable {
        case state(RunState, reason: CancellationReason?, slot: SlotID?)
        case question(Question)
        case answer(RecordedAnswer)
        case cancel(CallerProcess)
        case signal(StopSignal)
        case observation(WorkerObservation)
    }
}

/// What came of a run on record.
package struct RecordedOutcome: Hashable, Sendable, Codable {
    package var wallMilliseconds: Int64
    package var afterMilliseconds: Int64
    package var outcome: RunOutcome
    package var clock: LimitClock?
    package var progress: ProgressReport?
    /// How long before the end that was reported.
    package var progressAgeMilliseconds: Int64?
    /// How long before the end its progress advanced last.
    package var advanceAgeMilliseconds: Int64?
    package var lastSerial: UInt64
    /// What came beside the outcome; nil when that was nothing.
    package var details: RunDetails?

    package init(
        wallMilliseconds: Int64,
        afterMilliseconds: Int64,
        outcome: RunOutcome,
        clock: LimitClock?,
        progress: ProgressReport?,
        progressAgeMilliseconds: Int64?,
        advanceAgeMilliseconds: Int64?,
        lastSerial: UInt64,
        details: RunDetails? = nil
    ) {
        self.wallMilliseconds = wallMilliseconds
        self.afterMilliseconds = afterMilliseconds
        self.outcome = outcome
        self.details = details
        self.clock = clock
        self.progress = progress
        self.progressAgeMilliseconds = progressAgeMilliseconds
        self.advanceAgeMilliseconds = advanceAgeMilliseconds
        self.lastSerial = lastSerial
    }
}

/// The moment when nothing of a run was left, and what the kernel said then.
package struct RecordedDeparture: Hashable, Sendable, Codable {
    package var wallMilliseconds: Int64
    package var afterMilliseconds: Int64
    package var processEnd: ProcessEnd?
    package var exceeded: SandboxLimit?
    package var leftoverProcessCount: Int
    package var hadLateResult: Bool

    package init(
        wallMilliseconds: Int64,
        afterMilliseconds: Int64,
        processEnd: ProcessEnd?,
        exceeded: SandboxLimit?,
        leftoverProcessCount: Int,
        hadLateResult: Bool
    ) {
        self.wallMilliseconds = wallMilliseconds
        self.afterMilliseconds = afterMilliseconds
        self.processEnd = processEnd
        self.exceeded = exceeded
        self.leftoverProcessCount = leftoverProcessCount
        self.hadLateResult = hadLateResult
    }
}

/// A part of what a run printed.
package struct LogPage: Hashable, Sendable, Codable {
    package var pieces: [LogPiece]
    /// For the next part; nil when this is all that there is now.
    package var next: Int64?

    package init(pieces: [LogPiece], next: Int64?) {
        self.pieces = pieces
        self.next = next
    }
}

package struct LogPiece: Hashable, Sendable, Codable {
    package var serial: Int64
    package var wallMilliseconds: Int64
    package var stream: OutputStream
    package var text: String
    /// Something is missing before it: it printed more than is kept.
    package var followsGap: Bool
    /// How many bytes that are; nil where nobody counted.
    package var leftOutByteCount: Int64?

    package init(
        serial: Int64,
        wallMilliseconds: Int64,
        stream: OutputStream,
        text: String,
        followsGap: Bool,
        leftOutByteCount: Int64? = nil
    ) {
        self.serial = serial
        self.wallMilliseconds = wallMilliseconds
        self.stream = stream
        self.text = text
        self.followsGap = followsGap
        self.leftOutByteCount = leftOutByteCount
    }
}

extension RecordedChange.Event: Codable {
    private enum Kind: String { case state, question, answer, cancel, signal, observation }
    private enum Key: String, CodingKey {
        case state, reason, slot, question, user, process, software, signal, observation
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try decoder.messageKind(Kind.self) {
        case .state:
            self = .state(
                try container.decode(RunState.self, forKey: .state),
                reason: try container.decodeIfPresent(CancellationReason.self, forKey: .reason),
                slot: try container.decodeIfPresent(SlotID.self, forKey: .slot)
            )
        case .question: self = .question(try container.decode(Question.self, forKey: .question))
        case .answer: self = .answer(try RecordedAnswer(from: decoder))
        case .cancel:
            self = .cancel(
                CallerProcess(
                    user: try container.decode(UInt32.self, forKey: .user),
                    process: try container.decode(Int32.self, forKey: .process),
                    software: try container.decode(String.self, forKey: .software)
                )
            )
        case .signal: self = .signal(try container.decode(StopSignal.self, forKey: .signal))
        case .observation:
            self = .observation(try container.decode(WorkerObservation.self, forKey: .observation))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .state(let state, let reason, let slot):
            try encoder.encodeMessage(Kind.state)
            try container.encode(state, forKey: .state)
            try container.encodeIfPresent(reason, forKey: .reason)
            try container.encodeIfPresent(slot, forKey: .slot)
        case .question(let question):
            try encoder.encodeMessage(Kind.question)
            try container.encode(question, forKey: .question)
        case .answer(let answer): try encoder.encodeMessage(Kind.answer, answer)
        case .cancel(let caller):
            try encoder.encodeMessage(Kind.cancel)
            try container.encode(caller.user, forKey: .user)
            try container.encode(caller.process, forKey: .process)
            try container.encode(caller.software, forKey: .software)
        case .signal(let signal):
            try encoder.encodeMessage(Kind.signal)
            try container.encode(signal, forKey: .signal)
        case .observation(let observation):
            try encoder.encodeMessage(Kind.observation)
            try container.encode(observation, forKey: .observation)
        }
    }
}
