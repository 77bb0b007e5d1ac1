internal import IntentWire

/// All that the history has of one run but its output.
public struct RunStory: Sendable {
    public var summary: RecordedRun
    /// The process that asked for it.
    public var process: Int32
    /// What that called itself.
    public var software: String
    /// The key of the wish.
    public var key: String?
    /// The run that it is another try of.
    public var retryOf: String?
    /// W3C Trace Context.
    public var traceparent: String?
    /// By parameter; those of ``secretNames`` are in nobody's record, and files are names without contents.
    public var values: [String: RecordedValue]
    /// Parameters whose values are not recorded.
    public var secretNames: [String]
    public var limits: Limits
    public var isProgressReporting: Bool
    public var isLongRunning: Bool
    public var isCancellable: Bool
    /// In the order of happening.
    public var changes: [Change]
    /// What came of it; nil while it has not ended.
    public var end: End?
    /// When nothing was left of it.
    public var departure: Departure?
    /// What is kept of what it printed.
    public var printedByteCount: Int64

    /// The clocks that held for it.
    public struct Limits: Hashable, Sendable {
        public var runtime: Duration
        public var ceiling: Duration
        public var longCeiling: Duration
        public var grace: Duration
        public var graceCancellable: Duration
        public var killDelay: Duration
        public var question: Duration
        public var queue: Duration
    }

    /// Something that happened to it.
    public struct Change: Hashable, Sendable {
        /// In milliseconds since 1970.
        public var wallMilliseconds: Int64
        /// Since its acceptance.
        public var after: Duration
        public var event: Event

        public enum Event: Hashable, Sendable {
            case phase(RunPhase, reason: StopReason?)
            case question(String, parameter: String?)
            case answer(Answer)
            /// Somebody asked for its end.
            case cancel(user: UInt32, process: Int32, software: String)
            /// Sent to its processes, by name.
            case signal(String)
            /// Where its threads were when most of a limit had passed.
            case observation([ObservedThread], omittedCount: Int)
        }
    }

    /// An answer to a question of a run.
    public struct Answer: Hashable, Sendable {
        /// The question's number.
        public var question: UInt64
        /// Who gave it; nil where an earlier version recorded it.
        public var user: UInt32?
        public var process: Int32?
        /// What the program called itself.
        public var software: String
        /// True: it came with the wish to perform.
        public var isInAdvance: Bool
        /// Nil where it is secret, or of no parameter, so that nobody can say whether it is.
        public var value: RecordedValue?
    }

    /// One thread of a worker, as /proc showed it.
    public struct ObservedThread: Hashable, Sendable {
        public var name: String
        /// The letter of proc(5): R, S, D and so on.
        public var state: String
        /// The kernel function in which it waited.
        public var waitChannel: String?
        public var processorTime: Duration
    }

    public struct End: Sendable {
        public var wallMilliseconds: Int64
        /// Since its acceptance.
        public var after: Duration
        public var result: RunResult
        /// The value as it is on record, without the contents of files.
        public var value: RecordedValue?
        /// The clock that ended it: `queue`, `start`, `total`, `silence`, `ceiling`, `longCeiling` or `question`.
        public var clock: String?
        public var progress: RunProgress?
        /// How long before the end that was reported.
        public var progressAge: Duration?
        /// How long before the end its progress advanced last.
        public var advanceAge: Duration?
    }

    public struct Departure: Hashable, Sendable {
        public var wallMilliseconds: Int64
        /// Since its acceptance.
        public var after: Duration
    }
}

/// A value on record: as ``RunValue``, and a file by its name alone.
public indirect enum RecordedValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([RecordedValue])
    case object([String: RecordedValue])
    case file(name: String)
}

extension RunStory {
    init(_ story: IntentWire.RunStory) {
        summary = RecordedRun(story.summary)
        process = story.process
        software = story.software
        key = story.key
        retryOf = story.retryOf?.text
        traceparent = story.traceparent
        values = story.values.mapValues(RecordedValue.init)
        secretNames = story.secretNames
        limits = Limits(story.limits)
        isProgressReporting = story.traits.contains(.progressReporting)
        isLongRunning = story.traits.contains(.longRunning)
        isCancellable = story.traits.contains(.cancellable)
        changes = story.changes.map(Change.init)
        let signals = story.changes.compactMap { change in
            if case .signal(let signal) = change.event { signal.rawValue } else { nil }
        }
        end = story.end.map { End($0, of: story, signals: signals) }
        departure = story.departure.map {
            Departure(wallMilliseconds: $0.time.millisecondsSince1970, after: $0.after)
        }
        printedByteCount = story.printedByteCount
    }
}

extension RunStory.Limits {
    init(_ limits: RunLimits) {
        runtime = limits.runtime
        ceiling = limits.ceiling
        longCeiling = limits.longCeiling
        grace = limits.grace
        graceCancellable = limits.graceCancellable
        killDelay = limits.killDelay
        question = limits.questionTimeout
        queue = limits.queueTimeout
    }
}

extension RunStory.Change {
    init(_ change: RecordedChange) {
        wallMilliseconds = change.time.millisecondsSince1970
        after = change.after
        event =
            switch change.event {
            case .state(let state, let reason, _): .phase(RunPhase(state), reason: reason.map(StopReason.init))
            case .question(let question): .question(question.text, parameter: question.parameter)
            case .answer(let answer):
                .answer(
                    RunStory.Answer(
                        question: answer.question,
                        user: answer.user,
                        process: answer.process,
                        software: answer.software ?? "",
                        isInAdvance: answer.isInAdvance ?? false,
                        value: answer.value.map(RecordedValue.init)
                    )
                )
            case .cancel(let caller):
                .cancel(user: caller.user, process: caller.process, software: caller.software)
            case .signal(let signal): .signal(signal.rawValue)
            case .observation(let seen):
                .observation(
                    seen.threads.map { thread in
                        RunStory.ObservedThread(
                            name: thread.name,
                            state: thread.state,
                            waitChannel: thread.waitChannel,
                            processorTime: thread.processorTime
                        )
                    },
                    omittedCount: seen.omittedThreadCount
                )
            }
    }
}

extension RunStory.End {
    init(_ end: RecordedOutcome, of story: IntentWire.RunStory, signals: [String]) {
        wallMilliseconds = end.time.millisecondsSince1970
        after = end.after
        clock = end.clock?.rawValue
        progress = end.progress.map(RunProgress.init)
        progressAge = end.progressAge
        advanceAge = end.advanceAge
        var outcome = end.outcome
        if case .done(let returned?, let dialog) = outcome {
            value = RecordedValue(returned)
            // Contents of files are not on record, so the value is told apart from the outcome.
            outcome = .done(value: nil, dialog: dialog)
        }
        let departure = story.departure
        result = RunResult(
            run: story.summary.run.text,
            // Without a value there is no file that could be missing.
            ending: RunEnding(outcome, files: []) ?? .done(value: nil, dialog: nil),
            runtime: story.summary.runtime ?? .zero,
            signals: signals,
            leftoverProcessCount: departure?.leftoverProcessCount ?? 0,
            processEnd: departure?.processEnd.map(WorkerExit.init),
            hadLateResult: departure?.hadLateResult ?? false,
            isolation: story.summary.isolation.map(WorkerIsolation.Grade.init)
        )
        result.take(end.details)
    }
}

extension RecordedValue {
    init(_ value: IntentValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .int(let value): .int(value)
            case .double(let value): .double(value)
            case .string(let value): .string(value)
            case .array(let values): .array(values.map(RecordedValue.init))
            case .object(let members): .object(members.mapValues(RecordedValue.init))
            case .file(let file): .file(name: file.name)
            }
    }
}
