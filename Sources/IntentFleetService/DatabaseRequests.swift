import IntentFleet
import IntentLinux
import IntentPostgres
import IntentProtocol
import IntentSystemd

/// Statements for clients, repeated over failures of the database until each has an answer or has waited too long.
/// Every one of them can be repeated.
///
/// Belongs to the loop's thread.
final class DatabaseRequests {
    typealias Answer = (Result<DatabaseConnection.Rows, ErrorReport>) -> Void

    /// The time after which a request fails when the database is away.
    private static let patience: Duration = .seconds(20)
    /// The maximum number of statements that wait for the database.
    private static let waitingLimit = 4096

    private struct Waiting {
        var deadline: Int64
        var statement: SQLStatement
        var answer: Answer
    }

    private var connection: DatabaseConnection?
    private var waiting: [Waiting] = []
    private var timer: EventSource?
    private let loop: EventLoop

    /// - Parameter ended: Receives the numbers of runs that have ended, according to a notification.
    init(
        servers: [String],
        on loop: EventLoop,
        opened: @escaping () -> Void,
        ended: @escaping ([Int64]) -> Void
    ) throws(SystemError) {
        self.loop = loop
        let connection = DatabaseConnection(servers: servers, channels: [FleetNode.endChannel], on: loop) {
            [weak self] event in
            switch event {
            case .opened:
                self?.sendWaiting()
                opened()
            // The connection of the host reports the loss.
            case .lost: break
            case .notified(_, let payload): ended(payload.split(separator: ",").compactMap { Int64($0) })
            }
        }
        self.connection = connection
        try connection.open()
    }

    func ask(_ statement: ClientStatement, _ answer: @escaping Answer) {
        let nanoseconds = Self.patience.components.seconds * 1_000_000_000
        ask(
            Waiting(
                deadline: ClockReading.monotonicNanoseconds() + nanoseconds,
                statement: statement.sql,
                answer: answer
            )
        )
    }

    /// Sends a notification. A lost one costs at most a poll.
    func hint(host: String = "") { connection?.send(ClientStatement.hint(host: host).sql) { _ in } }

    func close() {
        connection?.close()
        timer = nil
    }

    private func ask(_ request: Waiting) {
        guard connection?.isOpen == true else { return wait(request) }
        connection?.send(request.statement) { [weak self] result in
            switch result {
            case .success(let rows): request.answer(.success(rows))
            case .failure(.refused(let state, let message)):
                request.answer(.failure(Self.report(state, message)))
            case .failure(.lost): self?.wait(request)
            }
        }
    }

    private func wait(_ request: Waiting) {
        guard waiting.count < Self.waitingLimit, ClockReading.monotonicNanoseconds() < request.deadline else {
            return request.answer(.failure(Self.away))
        }
        waiting.append(request)
        if timer == nil { timer = LoopTimer.after(.seconds(1), on: loop) { [weak self] in self?.endOverdue() } }
    }

    private func sendWaiting() {
        let requests = waiting
        waiting = []
        for request in requests { ask(request) }
    }

    private func endOverdue() {
        timer = nil
        let now = ClockReading.monotonicNanoseconds()
        let overdue = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        for request in overdue { request.answer(.failure(Self.away)) }
        if !waiting.isEmpty, timer == nil {
            timer = LoopTimer.after(.seconds(1), on: loop) { [weak self] in self?.endOverdue() }
        }
    }

    private static let away = ErrorReport(
        .busy,
        "the fleet's database does not answer",
        hint: "try again with the same --key: the request may have been accepted"
    )

    /// The error for a client, by SQLSTATE.
    private static func report(_ state: String, _ message: String) -> ErrorReport {
        switch state {
        case "23505": ErrorReport(.keyConflict, message, hint: "use another --key for another run")
        case "42501": ErrorReport(.notPermitted, message, hint: "an operator of the fleet can permit it")
        case "53400": ErrorReport(.busy, message, hint: "try again when some of your runs have ended")
        case "22023": ErrorReport(.badRequest, message)
        case "22P05", "22P02":
            ErrorReport(.badParameter, "a value cannot be stored in the fleet's database: \(message)")
        default: ErrorReport(.historyUnavailable, "the fleet's database refused the request: \(message)")
        }
    }
}
