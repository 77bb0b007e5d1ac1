import IntentHash
package import IntentLauncherMessages

/// What a run of a shortcut does next, from its beginning until its end.
///
/// Its input is an event, and its output is a list of actions to perform in order. Another machine that receives the
/// same plan, the same values and the recorded runs continues where this one stopped: each step has a key, and a key
/// with a recorded run is never requested again.
package struct ShortcutMachine: Sendable {
    package enum Action: Equatable, Sendable {
        /// Request the run of a step, or of an undo.
        indirect case request(StepRequest)
        /// Cancel the run with this key.
        case cancel(key: String, CancellationReason)
        indirect case ask(Question)
        /// Follow a live run that an earlier `intentd` requested with this key.
        case follow(key: String, RunID)
        case report(ProgressReport)
        /// Store what the recorded runs do not contain.
        case store(ShortcutNotes)
        /// The shortcut has ended, and so have all its runs.
        indirect case end(ShortcutEnd)
    }

    /// What a machine cannot derive from the plan and the recorded runs.
    package struct ShortcutNotes: Equatable, Sendable, Codable {
        /// The answers to questions, by step.
        package var answers: [String: IntentValue] = [:]
        /// The end of each pause, in nanoseconds since 1970, by step.
        package var pauses: [String: Int64] = [:]
        /// The secret parameters of the intents of the steps' apps, by app and intent. After a restart, a step can end before
        /// its app has described its intents, and its undo must not be recorded with secret values.
        var secretNames: [String: [String: [String]]] = [:]
        /// The approval of an agent's shortcut, which also covers its steps; nil if no person has given one.
        package internal(set) var approval: AnswerNotice?

        package init() {}
    }

    /// Why the steps no longer continue.
    enum Stop: Equatable, Sendable {
        case failed(message: String)
        case declined
        case cancelled
    }

    /// The run of a step that has ended, in the order of the ends.
    struct Ended: Equatable, Sendable {
        var step: String
        var run: RunID
        var app: String
        var undo: IntentReference?
        /// True if the run's undo is code that has ended with its process.
        var hasClosure: Bool
    }

    enum Phase: Equatable, Sendable {
        /// The recorded runs are not known yet.
        case recalling
        case performing
        /// The live runs are ending. Then the undo begins, or the shortcut ends.
        case stopping
        /// The runs with these indices in `ended` are undone, the last one first.
        case undoing(next: Int)
        case ended
    }

    /// The step that is being performed.
    struct Current: Equatable, Sendable {
        var items: [IntentValue]
        /// The index of the first item that was not requested.
        var next = 0
        /// The live runs: the attempt by the item's index.
        var live: [Int: Int] = [:]
        var results: [Int: IntentValue] = [:]
    }

    /// A repetition of a failed run that waits for its time.
    struct Delayed: Equatable, Sendable {
        var index: Int
        var attempt: Int
        var earlier: RunID?
        var isLost: Bool
        /// The time in nanoseconds since 1970.
        var due: Int64
    }

    /// The pauses before failed runs are repeated.
    static let backoff = Backoff(first: .seconds(1), longest: .seconds(60))

    let run: RunID
    package let plan: ShortcutPlan
    var values: ShortcutValues
    var notes: ShortcutNotes {
        get { knownNotes ?? ShortcutNotes() }
        set { knownNotes = newValue }
    }
    @Apart private var knownNotes: ShortcutNotes?
    var phase = Phase.recalling
    var position = 0
    var current: Current?
    /// The recorded runs that were not used yet, in the order in which they began.
    var recorded: [RecordedStep] = []
    var delayed: [Delayed] = []
    /// The requests that a limit has refused, and the time in nanoseconds since 1970 at which each is repeated.
    var busy: [(request: StepRequest, due: Int64)] = []
    /// The attempts after a run with an unknown end. Their intents must be idempotent.
    package internal(set) var lostSteps: Set<StepKey> = []
    /// Why the steps no longer continue; nil while they do.
    var cause: Stop?
    var ended: [Ended] = []
    var undone: [String] = []
    var notUndone: [String] = []
    /// True if a run that undoes another one has failed, or was refused.
    var hasFailedUndo = false
    /// Set before the recorded runs are known.
    var earlyStop: (Stop, CancellationReason)?
    /// The runs that were requested and have not ended, by key.
    var open: Set<String> = []
    var runCount = 0
    /// The progress that was reported last.
    var reported: ProgressReport?
    var questionNumber: UInt64 = 0
    /// The key of the question that is open.
    var asking: String?
    /// The run that this run undoes; nil for a run that performs the steps.
    let undoes: RunID?

    package init(
        _ plan: ShortcutPlan,
        run: RunID,
        values: [String: IntentValue],
        undoing undoes: RunID? = nil,
        notes: ShortcutNotes = ShortcutNotes()
    ) {
        self.plan = plan
        self.run = run
        self.undoes = undoes
        self.values = ShortcutValues(values, defaults: plan.defaults, of: run)
        if notes != ShortcutNotes() { self.notes = notes }
    }

    // MARK: Events

    /// Begins the shortcut, or continues it, with the runs that the history has recorded for it.
    ///
    /// - Parameter runs: Nil if the history cannot be read. The keys then find the runs when they are requested.
    package mutating func begin(with runs: [RecordedStep]?, at wall: Int64) -> [Action] {
        guard case .recalling = phase else { return [] }
        if undoes != nil {
            guard let runs else {
                phase = .ended
                let message = "the history cannot be read, so the steps to undo are not known; try again in a moment"
                return [.end(ShortcutEnd(ending: .threw(message: message)))]
            }
            for step in runs {
                if let end = step.run.end, let key = StepKey(step.key) { note(end, key, step.run.app) }
            }
            recorded = runs.filter { StepKey($0.key) == nil }
            phase = .undoing(next: ended.count - 1)
            return settle(at: wall)
        }
        recorded = runs ?? []
        phase = .performing
        if let (cause, reason) = earlyStop { return stop(cause, reason, at: wall) }
        return settle(at: wall)
    }

    package mutating func runEnded(_ key: String, _ end: RunEnd, of app: String, at wall: Int64) -> [Action] {
        guard open.remove(key) != nil else { return [] }
        return took(end, key, app, at: wall) + settle(at: wall)
    }

    /// Handles a request that was refused, as a failure of its step.
    package mutating func runRefused(_ key: String, _ message: String, at wall: Int64) -> [Action] {
        guard open.remove(key) != nil else { return [] }
        return failed(key, message, isLost: false, after: nil, at: wall) + settle(at: wall)
    }

    /// Handles a request that was refused because a limit is reached. It is repeated at the given time.
    package mutating func runDelayed(_ request: StepRequest, until wall: Int64) -> [Action] {
        guard open.contains(request.key) else { return [] }
        if isStopped, StepKey(request.key) != nil {
            open.remove(request.key)
            return settle(at: wall)
        }
        busy.append((request, wall))
        return []
    }

    package mutating func answered(_ value: IntentValue, at wall: Int64) -> [Action] {
        guard let key = asking, let step = currentStep else { return [] }
        asking = nil
        if case .ask(_, nil) = step.work, value == .bool(false), !step.continuesAfterError {
            return stop(.declined, .userCancelled, at: wall)
        }
        notes.answers[key] = value
        values.set(step.name, to: value)
        position += 1
        return [.store(notes)] + settle(at: wall)
    }

    /// Handles a question that remains without an answer.
    package mutating func unanswered(at wall: Int64) -> [Action] {
        guard asking != nil, let step = currentStep else { return [] }
        asking = nil
        return stop(.failed(message: "step '\(step.name)': its question was not answered"), .userCancelled, at: wall)
    }

    /// Notes that a person has approved the whole.
    mutating func approve(with notice: AnswerNotice) { notes.approval = notice }

    package mutating func timePassed(at wall: Int64) -> [Action] { settle(at: wall) }

    package mutating func cancelled(_ reason: CancellationReason, at wall: Int64) -> [Action] {
        stop(.cancelled, reason, at: wall)
    }

    // MARK: State

    /// True once the steps no longer continue, and no undo begins.
    package var isStopped: Bool { phase == .stopping || phase == .ended }

    /// True once the steps no longer continue, because of a failure or a cancellation.
    var hasCause: Bool { cause != nil }

    /// The time at which the shortcut continues, in nanoseconds since 1970; nil if it waits for no time.
    package var nextWake: Int64? {
        let next = busy.map(\.due).min()
        guard phase == .performing else { return next }
        return
            ([next].compactMap(\.self) + delayed.map(\.due)
            + [currentStep.flatMap { notes.pauses[$0.name] }].compactMap(\.self)).min()
    }

    /// True if the value of a step's parameter is text of the file, which must be read as the parameter's type.
    package func isLiteral(_ parameter: String, of step: String) -> Bool {
        guard case .perform(_, _, let values)? = plan.step(step)?.work else { return false }
        return values[parameter]?.only == nil
    }

    var currentStep: ShortcutPlan.Step? { position < plan.steps.count ? plan.steps[position] : nil }

    func requestID(of key: String) -> RequestID {
        let digest = SHA256.hash("\(key) of \(run)".utf8)
        func bits(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return RequestID(randomBits: bits(digest[..<8]), bits(digest[8..<16]))
    }
}

/// A request for the run of a step, or of an undo.
package struct StepRequest: Equatable, Sendable {
    /// The run of the shortcut.
    package var shortcut: RunID
    package var key: String
    package var request: RequestID
    package var app: String
    /// The intent; empty for the only intent of the app.
    package var intent: String
    package var values: [String: IntentValue]
    package var files: [FileSource]
    package var retryOf: RunID?
}

/// The end of a shortcut.
package struct ShortcutEnd: Equatable, Sendable {
    package var ending: WorkerEnding
    package var files: [FileSource] = []
    /// The steps that were undone, and those that cannot be undone; nil if nothing was to be undone.
    package var account: String?
    /// True if the steps that have ended can be undone.
    package var isUndoable = false
}
