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
    /// The host of the fleet that performed the run was lost, and no other host may perform the run again.
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
    private enum Key: String, CodingKey { case exited, signaled }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let code = try container.decodeIfPresent(Int32.self, forKey: .exited) {
            self = .exited(code: code)
        } else {
            self = .signaled(signal: try container.decode(Int32.self, forKey: .signaled))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .exited(let code): try container.encode(code, forKey: .exited)
        case .signaled(let signal): try container.encode(signal, forKey: .signaled)
        }
    }
}

extension RunOutcome: Codable {
    private enum Kind: String, Codable {
        case done, failed, unanswered, cancelled, crashed, exceeded, violated, notStarted, busy, lost, hostLost
    }
    private enum Key: String, CodingKey { case kind, value, dialog, message, reason, end, limit, parameter }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let word = try container.decode(String.self, forKey: .kind)
        switch Kind(rawValue: word) {
        case .done:
            self = .done(
                // A null in the message is a valid value, for which decodeIfPresent would return nil.
                value: container.contains(.value) ? try container.decode(IntentValue.self, forKey: .value) : nil,
                dialog: try container.decodeIfPresent(String.self, forKey: .dialog)
            )
        case .failed:
            self = .failed(message: try container.decode(String.self, forKey: .message))
        case .unanswered:
            self = .unanswered(
                parameter: try container.decodeIfPresent(String.self, forKey: .parameter),
                question: try container.decode(String.self, forKey: .message)
            )
        case .cancelled:
            self = .cancelled(try container.decode(CancellationReason.self, forKey: .reason))
        case .crashed:
            self = .crashed(try container.decode(ProcessEnd.self, forKey: .end))
        case .exceeded:
            let limit = try container.decode(SandboxLimit.self, forKey: .limit)
            let message = try container.decodeIfPresent(String.self, forKey: .message)
            if case .unknown = limit, let message {
                self = .unknown(kind: word, message: message)
            } else {
                self = .exceeded(limit)
            }
        case .violated:
            self = .violated(message: try container.decode(String.self, forKey: .message))
        case .notStarted:
            self = .notStarted(message: try container.decode(String.self, forKey: .message))
        case .busy:
            self = .busy(message: try container.decode(String.self, forKey: .message))
        case .lost:
            self = .lost(message: try container.decode(String.self, forKey: .message))
        case .hostLost:
            self = .hostLost(message: try container.decode(String.self, forKey: .message))
        case nil:
            self = .unknown(kind: word, message: try container.decodeIfPresent(String.self, forKey: .message) ?? "")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .done(let value, let dialog):
            try container.encode(Kind.done, forKey: .kind)
            try container.encodeIfPresent(value, forKey: .value)
            try container.encodeIfPresent(dialog, forKey: .dialog)
        case .failed(let message):
            try container.encode(Kind.failed, forKey: .kind)
            try container.encode(message, forKey: .message)
        case .unanswered(let parameter, let question):
            try container.encode(Kind.unanswered, forKey: .kind)
            try container.encodeIfPresent(parameter, forKey: .parameter)
            try container.encode(question, forKey: .message)
        case .cancelled(let reason):
            try container.encode(Kind.cancelled, forKey: .kind)
            try container.encode(reason, forKey: .reason)
        case .crashed(let end):
            try container.encode(Kind.crashed, forKey: .kind)
            try container.encode(end, forKey: .end)
        case .exceeded(let limit):
            try container.encode(Kind.exceeded, forKey: .kind)
            try container.encode(limit, forKey: .limit)
            // A client that does not know this limit shows the message.
            try container.encode(limit.message, forKey: .message)
        case .violated(let message):
            try container.encode(Kind.violated, forKey: .kind)
            try container.encode(message, forKey: .message)
        case .notStarted(let message):
            try container.encode(Kind.notStarted, forKey: .kind)
            try container.encode(message, forKey: .message)
        case .busy(let message):
            try container.encode(Kind.busy, forKey: .kind)
            try container.encode(message, forKey: .message)
        case .lost(let message):
            try container.encode(Kind.lost, forKey: .kind)
            try container.encode(message, forKey: .message)
        case .hostLost(let message):
            try container.encode(Kind.hostLost, forKey: .kind)
            try container.encode(message, forKey: .message)
        case .unknown(let kind, let message):
            try container.encode(kind, forKey: .kind)
            try container.encode(message, forKey: .message)
        }
    }
}
