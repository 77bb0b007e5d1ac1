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
    /// The run waited too long for a slot, or the host lacked a resource that its process needs. The intent was not
    /// performed.
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
    private enum Key: CodingKey { case exited, signaled }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self =
            if let code = try container.decodeIfPresent(Int32.self, forKey: .exited) {
                .exited(code: code)
            } else {
                .signaled(signal: try container.decode(Int32.self, forKey: .signaled))
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
    private enum Kind: String {
        case done, failed, unanswered, cancelled, crashed, exceeded, violated, notStarted, busy, lost, hostLost
    }

    private enum Key: CodingKey { case kind, value, dialog, message, parameter, reason, end, limit }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let word = try members.decode(String.self, forKey: .kind)
        func message() throws -> String { try members.decode(String.self, forKey: .message) }
        switch Kind(rawValue: word) {
        case .done:
            self = .done(
                // A null in the message is a valid value, which is not the same as a missing value.
                value: members.contains(.value) ? try members.decode(IntentValue.self, forKey: .value) : nil,
                dialog: try members.decodeIfPresent(String.self, forKey: .dialog)
            )
        case .failed: self = .failed(message: try message())
        case .unanswered:
            self = .unanswered(
                parameter: try members.decodeIfPresent(String.self, forKey: .parameter),
                question: try message()
            )
        case .cancelled: self = .cancelled(try members.decode(CancellationReason.self, forKey: .reason))
        case .crashed: self = .crashed(try members.decode(ProcessEnd.self, forKey: .end))
        case .exceeded:
            let limit = try members.decode(SandboxLimit.self, forKey: .limit)
            if case .unknown = limit, let message = try members.decodeIfPresent(String.self, forKey: .message) {
                self = .unknown(kind: word, message: message)
            } else {
                self = .exceeded(limit)
            }
        case .violated: self = .violated(message: try message())
        case .notStarted: self = .notStarted(message: try message())
        case .busy: self = .busy(message: try message())
        case .lost: self = .lost(message: try message())
        case .hostLost: self = .hostLost(message: try message())
        case nil:
            self = .unknown(kind: word, message: try members.decodeIfPresent(String.self, forKey: .message) ?? "")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(kindName, forKey: .kind)
        switch self {
        case .done(let value, _): try members.encodeIfPresent(value, forKey: .value)
        case .unanswered(let parameter, _): try members.encodeIfPresent(parameter, forKey: .parameter)
        case .cancelled(let reason): try members.encode(reason, forKey: .reason)
        case .crashed(let end): try members.encode(end, forKey: .end)
        // A client that does not know this limit shows the message.
        case .exceeded(let limit): try members.encode(limit, forKey: .limit)
        case .failed, .violated, .notStarted, .busy, .lost, .hostLost, .unknown: break
        }
        if case .done = self {
            try members.encodeIfPresent(message, forKey: .dialog)
        } else {
            try members.encodeIfPresent(message, forKey: .message)
        }
    }
}
