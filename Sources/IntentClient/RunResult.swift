internal import IntentLinux
internal import IntentWire

/// The end of a run: what came of it, and what it took.
public struct RunResult: Hashable, Sendable {
    /// The run's identifier.
    public var run: String
    /// What came of it.
    public var ending: RunEnding
    /// From the start of the process to the outcome.
    public var runtime: Duration
    /// Signals that were sent to it, in order, by name.
    public var signals: [String]
    /// Processes that outlived the worker and had to be killed.
    public var leftoverProcessCount: Int
    /// How the worker's process ended; nil when the outcome was known before.
    public var processEnd: WorkerExit?
    /// A result came after the decision to stop. Late is never success.
    public var hadLateResult: Bool
    /// How its process was isolated; nil when none was started.
    public var isolation: WorkerIsolation.Grade?

    /// Its value has files, which went to those who followed it to its end, and are not kept: the value is missing.
    public var hasLostFiles: Bool = false

    /// What programs know an error or a question by: `unrecoverable.entityNotFound`, `KitchenError.closed`.
    public var code: String?
    /// The dialog's words beside something shown, where they differ.
    public var supportingDialog: String?
    /// The intent that is to follow.
    public var opens: FollowUp?
    /// What can be answered to an open question, as people read it; empty when anything can.
    public var choices: [String] = []
    /// What the run told the system that a person did, in order.
    public var donations: [FollowUp] = []

    /// What its sandbox has to do with the error that it threw; nil when nothing.
    public var obstacle: SandboxObstacle?

    /// How the run can be taken back, by ``IntentConnection/undo(run:)``; nil when it registered nothing.
    public var undo: UndoOffer?

    /// What a run registered to be taken back by.
    public struct UndoOffer: Hashable, Sendable {
        /// What would be taken back, in a word; nil when it has no name.
        public var name: String?
        /// The intent that takes it back; nil where only closures were registered, which ended with the process.
        public var intent: FollowUp?

        /// Makes an offer.
        public init(name: String? = nil, intent: FollowUp? = nil) {
            self.name = name
            self.intent = intent
        }
    }

    /// An intent with its values, named by another one's result.
    public struct FollowUp: Hashable, Sendable {
        /// The intent's name.
        public var intent: String
        /// By parameter name.
        public var values: [String: RunValue]

        /// Makes a reference.
        public init(intent: String, values: [String: RunValue]) {
            self.intent = intent
            self.values = values
        }
    }

    /// Makes a result.
    public init(
        run: String,
        ending: RunEnding,
        runtime: Duration = .zero,
        signals: [String] = [],
        leftoverProcessCount: Int = 0,
        processEnd: WorkerExit? = nil,
        hadLateResult: Bool = false,
        isolation: WorkerIsolation.Grade? = nil
    ) {
        self.run = run
        self.ending = ending
        self.runtime = runtime
        self.signals = signals
        self.leftoverProcessCount = leftoverProcessCount
        self.processEnd = processEnd
        self.hadLateResult = hadLateResult
        self.isolation = isolation
    }
}

/// How a run ended. There is exactly one ending per run.
public enum RunEnding: Hashable, Sendable {
    /// `perform()` returned.
    case done(value: RunValue?, dialog: String?)
    /// `perform()` threw.
    case failed(message: String)
    /// It needs a value that nobody gave: of this parameter, asked for with this question.
    case unanswered(parameter: String?, question: String)
    /// It was told to stop, and nothing of it is left.
    case cancelled(StopReason)
    /// Its process ended without a result.
    case crashed(WorkerExit)
    /// It went beyond a limit of its sandbox, and that ended it.
    case exceeded(WorkerLimit)
    /// Its worker broke the worker protocol, and was killed for it.
    case violated(message: String)
    /// Its process could not be made.
    case notStarted(message: String)
    /// No place became free in time; nothing of it ran.
    case busy(message: String)
    /// What held its process died, and its process with it.
    case lost(message: String)
}

/// How a worker's process ended.
public enum WorkerExit: Hashable, Sendable {
    case exited(code: Int32)
    case signaled(signal: Int32)
}

extension RunResult {
    /// Nil when the value names a file that did not come.
    init?(_ end: RunEnd, files: [SharedFileDescriptor]) {
        var outcome = end.outcome
        var hasLostFiles = false
        // A frame that brings no file while its value names some tells of a run that ended earlier.
        if end.fileCount == 0, case .done(let value?, let dialog) = outcome, !value.files.isEmpty {
            outcome = .done(value: nil, dialog: dialog)
            hasLostFiles = true
        }
        guard let ending = RunEnding(outcome, files: files) else { return nil }
        self.init(
            run: end.run.text,
            ending: ending,
            runtime: end.account.runtime,
            signals: end.account.signals,
            leftoverProcessCount: end.account.leftoverProcessCount,
            processEnd: end.account.processEnd.map(WorkerExit.init),
            hadLateResult: end.account.hadLateResult,
            isolation: end.account.isolation.map(WorkerIsolation.Grade.init)
        )
        self.hasLostFiles = hasLostFiles
        take(end.account.details)
    }

    /// Takes in what came beside the outcome.
    mutating func take(_ details: RunDetails?) {
        guard let details else { return }
        code = details.code
        supportingDialog = details.supportingDialog
        choices = details.choices ?? []
        opens = details.opens.map(FollowUp.init)
        undo = details.undo.map { UndoOffer(name: $0.name, intent: $0.intent.map(FollowUp.init)) }
        donations = (details.donations ?? []).map(FollowUp.init)
        obstacle = details.denial.map(SandboxObstacle.init)
    }
}

extension RunResult.FollowUp {
    /// A file among the values has no descriptor here, and is left out.
    init(_ reference: IntentReference) {
        self.init(
            intent: reference.intent,
            values: reference.values.compactMapValues { RunValue($0, files: []) }
        )
    }
}

extension RunEnding {
    init?(_ outcome: RunOutcome, files: [SharedFileDescriptor]) {
        switch outcome {
        case .done(nil, let dialog):
            self = .done(value: nil, dialog: dialog)
        case .done(let value?, let dialog):
            guard let value = RunValue(value, files: files) else { return nil }
            self = .done(value: value, dialog: dialog)
        case .failed(let message): self = .failed(message: message)
        case .unanswered(let parameter, let question):
            self = .unanswered(parameter: parameter, question: question)
        case .cancelled(let reason): self = .cancelled(StopReason(reason))
        case .crashed(let end): self = .crashed(WorkerExit(end))
        case .exceeded(let limit): self = .exceeded(WorkerLimit(limit))
        case .violated(let message): self = .violated(message: message)
        case .notStarted(let message): self = .notStarted(message: message)
        case .busy(let message): self = .busy(message: message)
        case .lost(let message): self = .lost(message: message)
        }
    }
}

extension WorkerExit {
    init(_ end: ProcessEnd) {
        self =
            switch end {
            case .exited(let code): .exited(code: code)
            case .signaled(let signal): .signaled(signal: signal)
            }
    }
}
