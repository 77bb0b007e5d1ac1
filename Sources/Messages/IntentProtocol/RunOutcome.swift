/// The outcome of a run. Each run has exactly one outcome, which never changes.
public enum RunOutcome: Hashable, Sendable {
    /// `perform()` returned.
    case done(value: IntentValue?, dialog: String?)
    /// `perform()` threw an error, or the files of its result could not be stored.
    case failed(message: String)
    /// The run needed a value but received no answer. The parameter is nil if the question concerns no parameter.
    case unanswered(parameter: String?, question: String)
    /// The run was cancelled, and all its processes have exited.
    case cancelled(CancellationReason)
    /// The worker exited without reporting a result.
    case crashed(ProcessEnd)
    /// The run exceeded a limit of its sandbox and was killed.
    case exceeded(SandboxLimit)
    /// The worker violated the worker protocol and was killed.
    case violated(message: String)
    /// The run could not be started, for example because its worker could not be launched.
    case notStarted(message: String)
    /// The run waited too long for a slot. The intent was not performed.
    case busy(message: String)
    /// The launcher or `intentd` exited, and the run could not continue.
    case lost(message: String)
    /// The fleet host that performed the run was lost, and no other host may perform the run again.
    case hostLost(message: String)
    /// An outcome that a later release added, with its name in messages and its message for users, which may be empty.
    case unknown(kind: String, message: String)
}

/// The exit status of a process, as waitid(2) reports it.
public enum ProcessEnd: Hashable, Sendable {
    /// The process exited with this code.
    case exited(code: Int32)
    /// The process was killed by the signal with this number.
    case signaled(signal: Int32)
}

/// The times, signals and leftover processes of a run, which explain its outcome.
public struct RunAccount: Hashable, Sendable, Codable {
    /// The time between the assignment of a slot and the outcome; zero for a run without a slot.
    @Milliseconds public var runtime: Duration
    /// The names of the signals that `intentd` sent, in order.
    public var signals: [String]
    /// The number of processes that outlived the worker and were killed.
    public var leftoverProcessCount: Int
    /// The exit status of the worker; nil when the outcome was decided before the worker exited.
    public var processEnd: ProcessEnd?
    /// True when a result arrived after the decision to stop the run. A late result is never treated as success.
    public var hadLateResult: Bool
    /// The isolation grade of the worker; nil when no worker was started.
    public var isolation: IsolationGrade?
    /// The details that the worker reported together with its result; nil when it reported no details.
    public var details: RunDetails?

    /// Creates an account.
    public init(
        runtime: Duration = .zero,
        signals: [String] = [],
        leftoverProcessCount: Int = 0,
        processEnd: ProcessEnd? = nil,
        hadLateResult: Bool = false,
        isolation: IsolationGrade? = nil,
        details: RunDetails? = nil
    ) {
        self.runtime = runtime
        self.signals = signals
        self.leftoverProcessCount = leftoverProcessCount
        self.processEnd = processEnd
        self.hadLateResult = hadLateResult
        self.isolation = isolation
        self.details = details
    }

    private enum CodingKeys: String, CodingKey {
        case runtime = "runtimeMilliseconds"
        case signals, leftoverProcessCount, processEnd, hadLateResult, isolation, details
    }
}

extension ProcessEnd: Codable {
    public init(from decoder: any Decoder) throws {
        self =
            if let code: Int32 = try decoder.optionalField(.exited) {
                .exited(code: code)
            } else {
                .signaled(signal: try decoder.field(.signaled))
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .exited(let code): try encoder.encodeFields((.exited, code))
        case .signaled(let signal): try encoder.encodeFields((.signaled, signal))
        }
    }
}

extension RunOutcome: Codable {
    private enum Kind: String, Codable {
        case done, failed, unanswered, cancelled, crashed, exceeded, violated, notStarted, busy, lost, hostLost
    }

    public init(from decoder: any Decoder) throws {
        let word: String = try decoder.field(.kind)
        switch Kind(rawValue: word) {
        case .done:
            self = .done(
                // A null in the message is a valid value, which is not the same as a missing value.
                value: try decoder.hasField(.value) ? try decoder.field(.value) as IntentValue : nil,
                dialog: try decoder.optionalField(.dialog)
            )
        case .failed: self = .failed(message: try decoder.field(.message))
        case .unanswered:
            self = .unanswered(
                parameter: try decoder.optionalField(.parameter),
                question: try decoder.field(.message)
            )
        case .cancelled: self = .cancelled(try decoder.field(.reason))
        case .crashed: self = .crashed(try decoder.field(.end))
        case .exceeded:
            let limit: SandboxLimit = try decoder.field(.limit)
            let message: String? = try decoder.optionalField(.message)
            if case .unknown = limit, let message {
                self = .unknown(kind: word, message: message)
            } else {
                self = .exceeded(limit)
            }
        case .violated: self = .violated(message: try decoder.field(.message))
        case .notStarted: self = .notStarted(message: try decoder.field(.message))
        case .busy: self = .busy(message: try decoder.field(.message))
        case .lost: self = .lost(message: try decoder.field(.message))
        case .hostLost: self = .hostLost(message: try decoder.field(.message))
        case nil: self = .unknown(kind: word, message: try decoder.optionalField(.message) ?? "")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .done(let value, let dialog):
            try encoder.encodeFields((.kind, Kind.done), (.value, value), (.dialog, dialog))
        case .unanswered(let parameter, let question):
            try encoder.encodeFields((.kind, Kind.unanswered), (.parameter, parameter), (.message, question))
        case .cancelled(let reason): try encoder.encodeFields((.kind, Kind.cancelled), (.reason, reason))
        case .crashed(let end): try encoder.encodeFields((.kind, Kind.crashed), (.end, end))
        case .exceeded(let limit):
            // A client that does not know this limit shows the message.
            try encoder.encodeFields((.kind, Kind.exceeded), (.limit, limit), (.message, limit.message))
        case .failed(let message), .violated(let message), .notStarted(let message), .busy(let message),
            .lost(let message), .hostLost(let message), .unknown(_, let message):
            try encoder.encodeFields((.kind, kindName), (.message, message))
        }
    }
}
