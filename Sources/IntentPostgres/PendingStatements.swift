/// The statements under way on a connection, in the order in which the server answers them.
struct PendingStatements {
    typealias Answer = (Result<DatabaseConnection.Rows, DatabaseConnection.Failure>) -> Void

    private struct Pending {
        var deadline: Duration
        /// The text of a statement that the server has not prepared yet.
        var preparing: String?
        var answer: Answer
        var result: Result<DatabaseConnection.Rows, DatabaseConnection.Failure> = .success([])
    }

    private var pending: [Pending] = []
    /// Statements before it are answered. They are removed together, because each removal moves all that follow.
    private var first = 0

    var isEmpty: Bool { first == pending.count }

    /// When the oldest statement must have its answer, on CLOCK_MONOTONIC.
    var deadline: Duration? { isEmpty ? nil : pending[first].deadline }

    /// - Parameter preparing: The text of the statement if the server must prepare it first.
    mutating func append(deadline: Duration, preparing: String? = nil, _ answer: @escaping Answer) {
        pending.append(Pending(deadline: deadline, preparing: preparing, answer: answer))
    }

    /// The text that the server has not prepared for the oldest statement; nil if nothing is to be prepared.
    var preparing: String? { pending[first].preparing }

    /// Notes that the server has prepared the oldest statement.
    mutating func prepared() { pending[first].preparing = nil }

    /// Sets the result of the oldest statement, which its sync delivers.
    mutating func set(_ result: Result<DatabaseConnection.Rows, DatabaseConnection.Failure>) {
        pending[first].result = result
    }

    mutating func removeFirst() -> (Answer, Result<DatabaseConnection.Rows, DatabaseConnection.Failure>) {
        let (answer, result) = (pending[first].answer, pending[first].result)
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
