import IntentHash
import IntentLauncherMessages

/// The chains of decisions (``DecisionLink``).
extension HistoryWriter {
    /// Returns an answer as it is recorded: with its place in the chain of its user's decisions, if it is a decision.
    ///
    /// The head of the chain is written in the transaction of the answer. A query for options does not count, because
    /// history does not list its run, and neither does an imported run, because another history has numbered its
    /// decisions.
    func linked(
        _ answer: RecordedAnswer,
        of run: RunID,
        _ number: Int64,
        isImported: Bool,
        at time: RecordTime
    ) throws(DatabaseError) -> RecordedAnswer {
        var answer = answer
        answer.link = nil
        guard !isImported, let value = answer.value, let question = try openQuestion(of: number),
            question.number == answer.question, question.isConfirmation
        else { return answer }
        let owner = try database.prepare(
            "SELECT uid, account, app, intent FROM runs WHERE number = ? AND query IS NULL"
        )
        try owner.start([.integer(number)])
        defer { owner.end() }
        guard try owner.step(), let uid = owner.integer(0), let account = owner.text(1) else { return answer }
        let key: [Statement.Value] = [.integer(uid), .text(account)]
        let head = try database.prepare("SELECT last, hash FROM decisions WHERE uid = ? AND account = ?")
        try head.start(key)
        defer { head.end() }
        let isFirst = try !head.step()
        let last = isFirst ? 0 : head.integer(0) ?? 0
        let previous = isFirst ? DecisionLink.start : head.text(1) ?? DecisionLink.start
        let hash = SHA256.hexadecimal(
            of: DecisionLink.bytes(
                number: last + 1,
                previous: previous,
                run: run,
                app: owner.text(2) ?? "",
                intent: owner.text(3) ?? "",
                question: question,
                answer: answer,
                isApproved: !question.isDeclined(by: value),
                at: Timestamp(millisecondsSince1970: time.wall / 1_000_000)
            )
        )
        let store = try database.prepare(
            """
            INSERT INTO decisions VALUES (?,?,?,?)
            ON CONFLICT (uid, account) DO UPDATE SET last = excluded.last, hash = excluded.hash
            """
        )
        try store.run(.integer(uid), .text(account), .integer(last + 1), .text(hash))
        answer.link = DecisionLink(number: last + 1, previous: previous, hash: hash)
        return answer
    }

    /// Returns the newest question of a run.
    private func openQuestion(of number: Int64) throws(DatabaseError) -> Question? {
        let statement = try database.prepare(
            "SELECT detail FROM changes WHERE number = ? AND kind = 'question' ORDER BY serial DESC LIMIT 1"
        )
        try statement.start([.integer(number)])
        defer { statement.end() }
        return try statement.step() ? statement.decoded(Question.self, 0) : nil
    }
}

extension RunReader {
    /// The maximum number of heads in an answer.
    private static let headLimit = 2000

    /// Returns the heads of the chains of decisions that a query selects; nil for an agent, who sees only parts of a
    /// chain.
    func heads(_ query: HistoryQuery, visibleTo viewer: Viewer) throws(DatabaseError) -> [DecisionHead]? {
        guard viewer.requester.agent == nil else { return nil }
        let (condition, values): (String, [Statement.Value]) =
            if viewer.seesAll, query.everybody == true {
                ("true", [])
            } else if viewer.seesAll, query.user != nil || query.account != nil {
                (
                    "uid = ifnull(?, uid) AND account = ifnull(?, account)",
                    [query.user.map { .number($0) } ?? .null, query.account.map { .text($0) } ?? .null]
                )
            } else {
                ("uid = ? AND account = ?", viewer.requester.user.columns)
            }
        let statement = try database.prepare(
            "SELECT uid, account, last, hash FROM decisions WHERE \(condition) LIMIT \(Self.headLimit)"
        )
        try statement.start(values)
        defer { statement.end() }
        var heads: [DecisionHead] = []
        while try statement.step() {
            heads.append(
                DecisionHead(
                    user: UInt32(truncatingIfNeeded: statement.integer(0) ?? 0),
                    userName: statement.text(1) ?? "",
                    number: statement.integer(2) ?? 0,
                    hash: statement.text(3) ?? ""
                )
            )
        }
        return heads
    }
}
