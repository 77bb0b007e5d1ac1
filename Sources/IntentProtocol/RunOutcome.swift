/// How a run ended. There is exactly one per run, and it never changes.
public enum RunOutcome: Hashable, Sendable {
    /// `perform()` returned.
    case done(value: IntentValue?, dialog: String?)
    /// `perform()` threw.
    case failed(message: String)
    /// It needs a value that nobody gave: `needsValueError` of this parameter, with the question in words.
    case unanswered(parameter: String?, question: String)
    /// It was told to stop, and nothing of it is left.
    case cancelled(CancellationReason)
    /// Its process ended without a result.
    case crashed(ProcessEnd)
    /// It went beyond a limit of its sandbox, and that ended it.
    case exceeded(SandboxLimit)
    /// Its worker broke the worker protocol, and was killed for it.
    case violated(message: String)
    /// Its process could not be made.
    case notStarted(message: String)
    /// No place became free in time; nothing of it ran.
    case busy(message: String)
    /// Its launcher died, and its processes with it.
    case lost(message: String)
}

/// How a process ended, as waitid(2) tells.
public enum ProcessEnd: Hashable, Sendable {
    case exited(code: Int32)
    case signaled(signal: Int32)
}

/// What the end of a run took: facts for the one who reads why.
public struct RunAccount: Hashable, Sendable, Codable {
    /// From the start of the process to the outcome.
    @Milliseconds public var runtime: Duration
    /// Signals that intentd sent, in order, by name.
    public var signals: [String]
    /// Processes that outlived the worker and had to be killed.
    public var leftoverProcessCount: Int
    /// How the worker's process ended; nil when the outcome was known before.
    public var processEnd: ProcessEnd?
    /// A result came after the decision to stop. Late is never success.
    public var hadLateResult: Bool
    /// How its process was isolated; nil when none was started.
    public var isolation: IsolationGrade?
    /// What the worker told beside its outcome; nil when that was nothing.
    public var details: RunDetails?

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
        case done, failed, unanswered, cancelled, crashed, exceeded, violated, notStarted, busy, lost
    }
    private enum Key: String, CodingKey { case kind, value, dialog, message, reason, end, limit, parameter }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try container.decode(Kind.self, forKey: .kind) {
        case .done:
            self = .done(
                // A null that is there is a value; decodeIfPresent would take it for none.
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
            self = .exceeded(try container.decode(SandboxLimit.self, forKey: .limit))
        case .violated:
            self = .violated(message: try container.decode(String.self, forKey: .message))
        case .notStarted:
            self = .notStarted(message: try container.decode(String.self, forKey: .message))
        case .busy:
            self = .busy(message: try container.decode(String.self, forKey: .message))
        case .lost:
            self = .lost(message: try container.decode(String.self, forKey: .message))
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
            // For people whose client knows no limits.
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
        }
    }
}
