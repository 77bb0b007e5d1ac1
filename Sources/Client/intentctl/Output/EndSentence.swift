import IntentLinux

/// Explains in one line how and why a run ended.
package enum EndSentence {
    /// The time limits that can end a run.
    package struct Clocks: Sendable {
        /// The maximum total time of the run, or the maximum time without progress if the run reports progress.
        package var limit: Duration
        package var ceiling: Duration
        package var reportsProgress: Bool

        package init(limit: Duration, ceiling: Duration, reportsProgress: Bool) {
            self.limit = limit
            self.ceiling = ceiling
            self.reportsProgress = reportsProgress
        }
    }

    /// Explains the end of a run. Returns nil for a successful run.
    package static func of(_ end: RunEnd, clocks: Clocks?, intent: IntentDeclaration? = nil) -> String? {
        let (row, detail) = end.outcome.described
        let text: String
        switch detail {
        case .result: return nil
        case .question(let parameter, let question): return unanswered(parameter, question, intent)
        case .message(let message): text = SafeText.line(message)
        case .reason(let reason): text = why(reason, end, clocks)
        case .exit(let exit): text = words(of: exit)
        }
        let cause = "\(SafeText.line(row.sentence)): \(text)"
        let facts = facts(of: end) + IsolationText.remark(on: end)
        return facts.isEmpty ? cause : "\(cause) (\(facts.joined(separator: "; ")))"
    }

    /// Returns facts about the end of the run, such as its duration and the signals that intentd sent.
    package static func facts(of end: RunEnd) -> [String] {
        var facts: [String] = []
        if end.account.runtime > .zero { facts.append("after \(TimeSpan.format(end.account.runtime))") }
        if !end.account.signals.isEmpty {
            facts.append("sent \(end.account.signals.map(SafeText.line).joined(separator: ", "))")
        }
        if end.account.leftoverProcessCount > 0 {
            let noun = end.account.leftoverProcessCount == 1 ? "process" : "processes"
            facts.append("killed \(end.account.leftoverProcessCount) \(noun) that outlived it")
        }
        if end.account.hadLateResult { facts.append("the result arrived too late") }
        return facts
    }

    /// Describes the question that ended a run: `needs a value for 'quantity': How many bowls? Pass it with --quantity
    /// NUMBER`.
    private static func unanswered(_ parameter: String?, _ question: String, _ intent: IntentDeclaration?) -> String {
        let question = SafeText.line(question)
        guard let parameter else {
            return "needs an answer: \(question)\(endsWithPunctuation(question) ? "" : ".")"
                + " Answer it on a terminal, or in advance: a choice with --answer =TITLE, a confirmation with --yes, or with"
                + " --yes=destructive if it destroys something"
        }
        let name = SafeText.line(parameter)
        let declaration = intent?.parameters.first { $0.name == parameter }
        let asked = question.isEmpty ? "" : ": \(question)"
        return "needs a value for '\(name)'\(asked)\(endsWithPunctuation(question) ? "" : ".")"
            + " Pass it with --\(ParameterName.kebab(name)) \(SafeText.line(declaration?.placeholder ?? "VALUE"))"
    }

    private static func endsWithPunctuation(_ text: String) -> Bool {
        switch text.unicodeScalars.last?.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }

    private static func why(_ reason: CancellationReason, _ end: RunEnd, _ clocks: Clocks?) -> String {
        guard reason == .timeout, let clocks else { return SafeText.line(reason.row.sentence) }
        if clocks.reportsProgress, end.account.runtime >= clocks.ceiling {
            return "timeout - reached its ceiling of \(TimeSpan.format(clocks.ceiling))"
        }
        // The operator's maximum may be shorter than the requested limit. Do not report a time that has not elapsed.
        let limit = end.account.runtime >= clocks.limit ? TimeSpan.format(clocks.limit) : nil
        if clocks.reportsProgress {
            return "timeout - no progress" + (limit.map { " for \($0)" } ?? " within its limit")
        }
        return "timeout - not finished" + (limit.map { " within \($0)" } ?? " within its limit")
    }

    private static func words(of exit: ProcessEnd) -> String {
        switch exit {
        case .exited(let code): "its process exited with code \(code) without a result"
        case .signaled(let signal):
            "its process was killed by signal \(signal)" + (name(of: signal).map { " (\($0))" } ?? "")
        }
    }

    /// Returns the name of a signal, with its usual cause if that is known. Returns nil for any other signal.
    static func name(of signal: Int32) -> String? {
        switch signal {
        case 4: "SIGILL, which a Swift trap raises"
        case 5: "SIGTRAP, which a Swift trap raises"
        case 6: "SIGABRT"
        case 7: "SIGBUS"
        case 8: "SIGFPE"
        case 9: "SIGKILL, possibly out of memory"
        case 11: "SIGSEGV"
        case 13: "SIGPIPE"
        case 15: "SIGTERM"
        case 24: "SIGXCPU"
        case 25: "SIGXFSZ"
        case 31: "SIGSYS, a system call that the sandbox forbids"
        default: nil
        }
    }
}
