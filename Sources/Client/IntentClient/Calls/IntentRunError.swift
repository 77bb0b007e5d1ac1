internal import IntentLinux

/// The error for a run that did not return the expected value. It contains the run's outcome.
public struct IntentRunError: Error, Hashable, Sendable {
    /// The result of the run.
    public let result: RunResult
    /// The reason why the value of a successful run cannot be used; nil when the run was not successful.
    public let valueProblem: String?

    /// Creates an error for a run.
    public init(_ result: RunResult, valueProblem: String? = nil) {
        self.result = result
        self.valueProblem = valueProblem
    }

    /// The run's identifier.
    public var run: RunID { result.run }
    /// The outcome of the run.
    public var outcome: RunOutcome { result.outcome }
}

extension IntentRunError: CustomStringConvertible {
    /// The run's outcome as a sentence, and the command that explains it.
    public var description: String {
        "run \(run) \(SafeText.line(account)). See 'intentctl why \(run)'."
    }

    private var account: String {
        if let valueProblem { return "returned an unexpected value: \(valueProblem)" }
        switch outcome {
        case .done: return "returned"
        case .failed(let message): return "failed: \(message)"
        case .unanswered(let parameter?, let question): return "needs a value for '\(parameter)': \(question)"
        case .unanswered(nil, let question): return "needs an answer: \(question)"
        case .cancelled(let reason): return "was cancelled: \(reason.name)"
        case .crashed(.exited(let code)): return "crashed: its process exited with code \(code) without a result"
        case .crashed(.signaled(let signal)): return "crashed: its process was killed by signal \(signal)"
        case .exceeded(let limit): return "exceeded a limit: \(limit.message)"
        case .violated(let message): return "was killed by intentd: \(message)"
        case .notStarted(let message): return "was not started: \(message)"
        case .busy(let message): return "was not started because intentd was busy: \(message)"
        case .lost(let message): return "was lost: \(message)"
        case .hostLost(let message): return "was lost with its host: \(message)"
        case .unknown(let kind, let message): return "ended as '\(kind)': \(message)"
        }
    }
}
