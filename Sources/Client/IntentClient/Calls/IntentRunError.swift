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
        let (row, detail) = outcome.described
        switch detail {
        case .result: return row.clause
        case .question(let parameter?, let question): return "needs a value for '\(parameter)': \(question)"
        case .message(let text), .question(nil, let text): return "\(row.clause): \(text)"
        case .reason(let reason): return "\(row.clause): \(reason.name)"
        case .exit(.exited(let code)):
            return "\(row.clause): its process exited with code \(code) without a result"
        case .exit(.signaled(let signal)): return "\(row.clause): its process was killed by signal \(signal)"
        }
    }
}
