import IntentLinux

/// Implements `intentctl audit`, which lists the answers to confirmations in recorded runs.
struct AuditCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        if let path = invocation["verify"] { return try AuditFile.verify(path, head: invocation["head"]) }
        guard invocation["head"] == nil else {
            throw CommandFailure.usage("--head needs --verify", hint: "for example: --verify audit.jsonl --head 7:HASH")
        }
        if invocation["append"] != nil, let name = ["since", "until", "app"].first(where: { invocation[$0] != nil }) {
            throw CommandFailure.usage(
                "--append exports all decisions, so that a missing one is visible",
                hint: "omit --\(name)"
            )
        }
        var query = try HistoryOptions.query(invocation, now: Moment.now)
        query.isAnswered = true
        let connection = try await invocation.connect()
        let heads = try await connection.historyPage(query).heads
        var decisions: [Decision] = []
        for run in try await connection.history(query) {
            do {
                decisions += Decision.all(in: try await connection.story(of: run.run))
            } catch let error as IntentClientError where error.code == .unknownRun {
                // Skip the run, because history has pruned it since the query.
                continue
            }
        }
        if let path = invocation["append"] {
            try AuditFile.append(decisions.sorted { $0.time < $1.time }.map(\.exported), heads, to: path)
        } else if decisions.isEmpty, !invocation.wantsJSON {
            Console.note("no answered confirmations")
        } else {
            let header = ["TIME", "RUN", "INTENT", "DECISION", "BY", "THROUGH", "CLIENT SAYS", "SHA-256"]
            try Pager.output(
                json: .object(["decisions": .array(decisions.map(\.json))]),
                text: TextTable.render(header, decisions.map { $0.row(now: Moment.now) }),
                for: invocation
            )
        }
        return .done
    }
}

/// An answer to a confirmation.
private struct Decision {
    var run: RecordedRun
    var question: Question
    var answer: RecordedAnswer
    var time: Timestamp
    var isApproved: Bool
    /// The name of the client that requested the run, as the client says.
    var requestedBy: String?

    /// Returns the decisions in the record of a run, in order.
    static func all(in story: RunStory) -> [Decision] {
        var questions: [UInt64: Question] = [:]
        var decisions: [Decision] = []
        for change in story.changes {
            switch change.event {
            case .question(let question): questions[question.number] = question
            case .answer(let answer):
                guard let question = questions[answer.question], question.isConfirmation, let value = answer.value
                else { continue }
                decisions.append(
                    Decision(
                        run: story.summary,
                        question: question,
                        answer: answer,
                        time: change.time,
                        isApproved: !question.isDeclined(by: value),
                        requestedBy: story.software
                    )
                )
            case .state, .cancel, .signal, .observation, .usage, .unknown: continue
            }
        }
        return decisions
    }

    func row(now: Timestamp) -> [String] {
        let user = answer.user.map { HistoryText.name(of: $0, in: run) } ?? "-"
        return [
            Moment.relative(time, now: now), run.run.text, "\(run.app)/\(run.intent)",
            (isApproved ? "approved" : "refused") + standing, answer.isSameUser == true ? "\(user) (own user)" : user,
            answer.entryPoint.map { SafeText.line($0.rawValue) } ?? "-",
            requestedBy.map { SafeText.quoted($0) } ?? "-", answer.digest.map { String($0.prefix(scalars: 16)) } ?? "-",
        ]
    }

    /// The time for which the approval stays open, or the run from which it remains.
    private var standing: String {
        guard let standing = answer.standing else { return "" }
        return standing.run == run.run ? ", open for \(TimeSpan.format(standing.remaining))" : " with \(standing.run)"
    }

    /// The decision as a line of an export.
    var exported: AuditFile.Entry {
        let owner = AuditFile.Owner(user: run.user, account: run.userName ?? "")
        var entry = AuditFile.Entry(json: json, key: "\(run.run) \(question.number)", owner: owner, link: answer.link)
        if let link = answer.link {
            let place: [String: JSONValue] = [
                "number": .int(link.number), "previous": .string(link.previous), "hash": .string(link.hash),
            ]
            entry.json = json.adding(["chain": .object(owner.json.merging(place) { $1 })])
        }
        return entry
    }

    var json: JSONValue {
        .members([
            "number": .int(Int64(question.number)), "requestedBy": requestedBy.map { .string($0) },
            "timeMilliseconds": .int(time.millisecondsSince1970), "run": .string(run.run.text),
            "app": .string(run.app), "intent": .string(run.intent), "question": .string(question.text),
            "isApproved": .bool(isApproved), "user": answer.user.map { .int(Int64($0)) },
            "software": answer.software.map { .string($0) }, "digest": answer.digest.map { .string($0) },
            "entryPoint": answer.entryPoint.map { .string($0.rawValue) },
            "isSameUser": answer.isSameUser.map { .bool($0) }, "standing": answer.standing.map { JSONValue($0) },
        ])
    }
}
