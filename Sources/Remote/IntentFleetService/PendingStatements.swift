/// The statements in progress on a connection, in the order in which the server answers them.
struct PendingStatements {
    typealias Answer = DatabaseConnection.Answer

    private struct Pending {
        var deadline: Duration
        /// The text of a statement that the server has not prepared yet.
        var preparing: String?
        var answer: Answer
        var result: Result<DatabaseConnection.Rows, DatabaseConnection.Failure>?
    }

    private var pending: [Pending] = []
    /// The index of the first unanswered statement. Answered statements are removed in groups, because each removal
    /// moves all later statements.
    private var first = 0

    var isEmpty: Bool { first == pending.count }

    /// The instant on CLOCK_MONOTONIC at which the connection is considered lost if the oldest statement has no answer.
    var deadline: Duration? { isEmpty ? nil : pending[first].deadline }

    /// - Parameter preparing: The text of the statement if the server must prepare it first.
    mutating func append(deadline: Duration, preparing: String? = nil, _ answer: @escaping Answer) {
        pending.append(Pending(deadline: deadline, preparing: preparing, answer: answer))
    }

    /// The text of the oldest statement if the server has not prepared it; nil if there is nothing to prepare.
    var preparing: String? { pending[first].preparing }

    /// Records that the server has completed a command without rows: the preparation of the oldest statement, or the
    /// statement itself.
    mutating func completed() {
        if pending[first].preparing == nil { pending[first].result = .success([]) }
        pending[first].preparing = nil
    }

    /// Sets the result of the oldest statement. The result is delivered when the server has answered the statement's
    /// sync.
    mutating func set(_ result: Result<DatabaseConnection.Rows, DatabaseConnection.Failure>) {
        pending[first].result = result
    }

    /// Removes the oldest statement; returns nil if the server has sent no result for it.
    mutating func removeFirst() -> (Answer, Result<DatabaseConnection.Rows, DatabaseConnection.Failure>)? {
        guard let result = pending[first].result else { return nil }
        let answer = pending[first].answer
        first += 1
        if first == pending.count || first > 1024 {
            pending.removeFirst(first)
            first = 0
        }
        return (answer, result)
    }

    mutating func removeAll() -> [Answer] {
        defer {
            pending = []
            first = 0
        }
        return pending[first...].map(\.answer)
    }
}
