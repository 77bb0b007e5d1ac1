import IntentHash
package import IntentWire

/// Agents' requests: the intents that agents may perform, and approval by a person.
///
/// A person approves a run by answering question 0, which intentd asks before the run joins the backlog. The approval
/// is valid for this run only. The question expires after `QuestionTimeout=`.
extension RunTable {
    /// The number of the question that asks for a run's approval. A worker numbers its questions from 1.
    static let approvalNumber: UInt64 = 0

    /// Returns the error for an agent's request that is not permitted, or nil if it is permitted.
    func refusal(
        ofAgent origin: RequestOrigin,
        _ request: PerformRequest,
        _ intent: IntentDeclaration,
        of app: InstalledApp
    )
        -> ErrorReport?
    {
        let rule = app.agentRule(for: intent)
        // Treat a query for options as an intent that only reads data.
        let effect = request.query == nil ? rule.effect ?? intent.effect : .reads
        guard rule.permits(effect) else {
            return ErrorReport(
                .notPermitted,
                "agents may not perform \(app.name)/\(intent.name)",
                hint: "an operator can permit it with Allow= in [Agents] of \(app.name).conf"
            )
        }
        let count = runs.values.count { $0.owner == origin.user && $0.isOfAgent }
        guard count < capacity.agentRunCount else {
            return ErrorReport(
                .busy,
                """
                agents already have the maximum number of unfinished runs for this user (MaxRuns=\(capacity.agentRunCount) in \
                [Agents])
                """,
                hint: "try again when an agent's run has ended"
            )
        }
        return nil
    }

    /// Returns true if a person must approve an agent's request.
    func needsApproval(_ request: PerformRequest, _ intent: IntentDeclaration, of app: InstalledApp) -> Bool {
        let rule = app.agentRule(for: intent)
        return request.query == nil
            && rule.asksAPerson(before: rule.effect ?? intent.effect, isUndoable: intent.isUndoable)
    }

    /// Returns the question that asks a person to approve an agent's request.
    func approvalQuestion(for run: Run) -> Question {
        let effect = run.app.agentRule(for: run.intent).effect ?? run.intent.effect
        let named = run.accepted.values.byName.sorted { $0.key < $1.key }
            .map { name, value in "\(name)=\(Self.shown(Self.text(of: value), upTo: 200))" }
        let values = named + run.secretNames.map { "\($0)=(secret)" }
        let files = (run.files ?? []).map { $0.path.map(Self.quoted) ?? "a file without a path" }
        let agent = run.caller.agent.map { "An agent, uid \($0)," } ?? "An agent"
        var text = "\(agent) asks to perform \(run.app.name)/\(run.intent.name)"
        for (name, items) in [("Values", values), ("Files", files)] where !items.isEmpty {
            text += ". \(name): \(Self.shown(items.joined(separator: ", "), upTo: 1500))"
        }
        if let title = run.title, title != run.intent.name {
            text += ". Summary: \(Self.shown(Self.quoted(title), upTo: 500))"
        }
        text += ". Client: \(Self.shown(Self.quoted(run.caller.software), upTo: 100)), process \(run.caller.process)"
        var question = Question(
            number: Self.approvalNumber,
            text: text,
            type: .bool,
            kind: .confirmation,
            title: run.intent.title
        )
        question.acceptLabel = "Allow"
        question.denyLabel = "Refuse"
        question.isDestructive = effect == .destroys ? true : nil
        question.digest = digest(of: run, run.files ?? [])
        return question
    }

    /// Truncates a long string and appends its length, so that the person sees that there is more to approve.
    private static func shown(_ text: String, upTo limit: Int) -> String {
        let count = text.unicodeScalars.count
        return count <= limit
            ? text
            : "\(String(text.unicodeScalars.prefix(limit)))… (\(count) characters in total; 'intentctl show' prints the values of the run)"
    }

    /// Quotes an untrusted string as a JSON string, so that it cannot imitate another part of the question.
    private static func quoted(_ text: String) -> String { String(foreign: WireCoding.encode(text)) }

    private static func text(of value: IntentValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): quoted(text)
        case .file(let file): quoted(file.name)
        case .array(let values): "[\(values.map(text).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \(text(of: $0.value))" }.joined(separator: ", "))}"
        }
    }

    /// Returns the digest of everything that a person approves: the run, its app, intent and values, and the identities
    /// of its files. Secret values are not included, because a digest could reveal a short value.
    func digest(of run: Run, _ files: [PassedFile]) -> String {
        let files = files.map { "\($0.device) \($0.inode) \($0.byteCount) \($0.modifiedNanoseconds) \($0.path ?? "")" }
        let parts =
            [run.id.text, run.app.name.text, run.intent.name].map { Array($0.utf8) } + [Array(run.accepted.values.json)]
            + (run.secretNames + files).map { Array($0.utf8) }
        // Prefix each part with its length, so that two different lists of parts never have the same encoding.
        return SHA256.hexadecimal(of: parts.flatMap { Array("\($0.count):".utf8) + $0 })
    }

    /// Returns true while a person must approve the run.
    package func isAwaitingApproval(_ run: RunID) -> Bool { runs[run]?.machine.isAwaitingApproval == true }

    /// Moves a run that was approved to the backlog.
    mutating func joinApproved(_ id: RunID) {
        guard let run = runs[id], run.machine.visibleState == .queued else { return }
        admission.join(run.ticket ?? ticket(for: run), appLimit: run.app.runCountMax)
    }

    /// Returns an error if the answer approves files that have changed since the question was asked.
    func fileChange(of run: Run, in answer: AnswerRequest, from origin: RequestOrigin) -> ErrorReport? {
        guard run.machine.isAwaitingApproval, answer.value == .bool(true), let asked = run.files, asked != origin.files
        else { return nil }
        return ErrorReport(
            .badAnswer,
            "the files of run \(run.id) have changed since the question was asked",
            hint: "cancel the run; the agent can make a new request"
        )
    }
}

extension UnfinishedRun {
    /// True if the run needs approval and no person has approved it yet. An answer to a later question proves that the
    /// run was approved.
    var awaitsApproval: Bool {
        guard accepted.needsApproval == true else { return false }
        guard let lastAnswer, lastAnswer.question == RunTable.approvalNumber else { return lastAnswer == nil }
        return lastAnswer.value != .bool(true)
    }
}
