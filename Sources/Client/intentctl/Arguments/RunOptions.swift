/// The validated options of `run`.
package struct RunOptions: Sendable {
    /// The intent to perform, identified by the words before its parameters.
    package enum Target: Equatable, Sendable {
        case installed(app: String, intent: String)
        case local(executable: String, intent: String)
    }

    package var target: Target
    package var limit: Duration?
    package var ceiling: Duration?
    package var isDetached: Bool
    package var onDisconnect: DisconnectRule
    /// The value of `--json`; `-` for standard input.
    package var json: String?
    package var outFolder: String?
    package var key: String?
    package var retryOf: String?
    package var traceparent: String?
    /// The confirmations that `--yes` accepts; nil without `--yes`.
    package var confirmations: AnswersInAdvance.Confirmations?
    /// True if `--no-input` is set.
    package var asksNothing: Bool
    /// The values of `--answer`, in the order of the command line.
    package var answers: [(name: String, text: String)]

    /// The values of `--writable`: the parameters with files that the run may change, named as on the command line.
    package var writable: [String]

    /// The values of `--credential`: the parameters with values that systemd passes as credentials.
    package var credentials: [String]

    /// - Parameter target: The intent; nil to parse it from the words.
    package init(_ invocation: Invocation, target known: Target? = nil) throws(CommandFailure) {
        let words = invocation.words
        if let known {
            target = known
        } else if invocation.has("local") {
            target = .local(executable: words[0], intent: words[1])
        } else {
            let selection = Selection(words[0])
            guard let intent = selection.intent, !intent.isEmpty, !selection.app.isEmpty else {
                let app = selection.app.isEmpty ? "" : " \(ShellWord.quote(selection.app))"
                throw .usage(
                    "expected APP/INTENT, got '\(words[0])'",
                    hint: "'intentctl list\(app)' lists the intents"
                )
            }
            target = .installed(app: selection.app, intent: intent)
        }
        if invocation.has("wait-for-debugger"), !invocation.has("local") {
            throw .usage(
                "--wait-for-debugger needs --local, because a service does not wait for a debugger",
                hint: "attach a debugger to the run's process: see 'Debugging an app' in the documentation"
            )
        }
        limit = try invocation.span("limit", examples: ["30s", "'1min 30s'", "2h"])
        ceiling = try invocation.span("ceiling", examples: ["30s", "'1min 30s'", "2h"])
        isDetached = invocation.has("detach")
        let rule = invocation["on-disconnect"].flatMap(DisconnectRule.init)
        onDisconnect = rule ?? (isDetached ? .continue : .cancel)
        json = invocation["json"]
        outFolder = invocation["out"]
        writable = invocation.lists["writable"] ?? []
        credentials = (invocation.lists["credential"] ?? []).map {
            String($0.split(scalar: "=", maxSplits: 1).first ?? "")
        }
        key = invocation["key"]
        retryOf = invocation["retry-of"]
        traceparent = invocation["traceparent"]
        asksNothing = invocation.has("no-input")
        confirmations =
            switch invocation["yes"] {
            case nil: nil
            case "destructive": .all
            default: .harmless
            }
        answers = []
        for text in invocation.lists["answer"] ?? [] {
            let parts = text.split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                throw .usage(
                    "--answer: expected NAME=VALUE, got '\(text)'",
                    hint: "for example: --answer quantity=3; --answer =CHOICE for a choice without a parameter"
                )
            }
            answers.append((parts[0], parts[1]))
        }
        guard json == nil || invocation.rest.isEmpty else {
            throw .usage(
                "unexpected argument '\(invocation.rest[0])': with --json, all parameters must be in the JSON object",
                hint: "move it into the JSON object"
            )
        }
    }

    package var isLocal: Bool {
        if case .local = target { true } else { false }
    }

    /// The words that identify the intent on a command line, with `--local` if it is set.
    package var words: [String] {
        switch target {
        case .installed(let app, let intent): ["\(app)/\(intent)"]
        case .local(let executable, let intent): ["--local", executable, intent]
        }
    }
}

extension RunOptions {
    /// Returns a note for each requested limit that the operator's limits reduce.
    package func reductions(by limits: RunLimits) -> [String] {
        var notes: [String] = []
        let granted = ceiling.map { min($0, limits.longCeiling) }
        if let ceiling, let granted, granted < ceiling {
            notes.append(
                "--ceiling \(TimeSpan.format(ceiling)) is reduced to \(TimeSpan.format(granted)) (the app's LongCeiling=)"
            )
        }
        let cap = max(min(limits.grantableRuntime, granted ?? limits.grantableRuntime), limits.runtime)
        if let limit, limit > cap {
            let reason = limits.grantableRuntime > cap ? "--ceiling" : "the app's RuntimeMax= or Ceiling="
            notes.append("--limit \(TimeSpan.format(limit)) is reduced to \(TimeSpan.format(cap)) (\(reason))")
        }
        return notes
    }
}
