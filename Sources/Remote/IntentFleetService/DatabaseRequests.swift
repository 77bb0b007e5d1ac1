import IntentFleet
import IntentLinux
import IntentProtocol
import IntentSystemd

/// Sends statements for clients. After a database failure, repeats each statement until it has an answer or has
/// exceeded its time limit. All statements for clients can be repeated.
///
/// Use an instance only on the loop's thread.
final class DatabaseRequests {
    typealias Answer = (Result<DatabaseConnection.Rows, ErrorReport>) -> Void

    /// The time after which a request fails while the database is unavailable.
    private static let patience: Duration = .seconds(20)
    /// The maximum number of statements that are waiting for the database.
    private static let waitingLimit = 4096

    /// The maximum number of submissions that share one wait for the disk.
    private static let batchLimit = 256
    /// The maximum number of ends to store while submissions are waiting for the disk. The limit is needed because any
    /// session can announce ends.
    private static let endLimit = 10_000

    private struct Waiting {
        var deadline: Int64
        var statement: SQLStatement
        /// The submission that `statement` sends; nil for other statements.
        var submission: ClientStatement?
        var answer: Answer
    }

    private var connection: DatabaseConnection?
    private var waiting: [Waiting] = []
    /// The submissions that are waiting for the batch in progress.
    private var submissions: [Waiting] = []
    private var isSubmitting = false
    /// The runs that have ended during the batch in progress. Their submissions have not been answered yet.
    private var endedMeanwhile: [Int64] = []
    /// Called when the connection is open.
    var opened: () -> Void = {}
    /// Receives the numbers of runs that have ended, according to a notification.
    var ended: ([Int64]) -> Void = { _ in }
    /// Receives the name of a host that has to answer an errand or to collect an answer, according to a notification.
    var errandsOf: (String) -> Void = { _ in }
    /// Makes this host query the database, if the name is its own or empty.
    var hintHere: (String) -> Void = { _ in }
    /// Stops a run of this host, because the database has stored its cancellation.
    var cancelledHere: (Int64, String) -> Void = { _, _ in }
    /// Submits a run that this host performs itself. Returns false if it cannot take a run now.
    var submitHere: (ClientStatement, @escaping DatabaseConnection.Answer) -> Bool = { _, _ in false }
    private let name: String
    private var timer: EventSource?
    private let loop: EventLoop

    /// - Parameter name: The host's name.
    init(name: String, servers: [String], on loop: EventLoop) throws(SystemError) {
        self.loop = loop
        self.name = name
        let channels = [FleetNode.endChannel, ErrandStatement.channel]
        let connection = DatabaseConnection(servers: servers, channels: channels, on: loop) {
            [weak self] event in
            switch event {
            case .opened:
                self?.sendWaiting()
                self?.opened()
            // The host's connection reports the loss.
            case .lost: break
            case .notified(ErrandStatement.channel, let payload): self?.errandsOf(payload)
            case .notified(_, let payload): self?.heard(payload.split(scalar: ",").compactMap { Int64($0) })
            }
        }
        self.connection = connection
        try connection.open()
    }

    func ask(_ statement: ClientStatement, _ answer: @escaping Answer) {
        ask(Waiting(deadline: Self.deadline, statement: statement.sql, answer: answer))
    }

    func ask(_ statement: ErrandStatement, _ answer: @escaping Answer) {
        ask(Waiting(deadline: Self.deadline, statement: statement.sql, answer: answer))
    }

    /// Makes a host query its errands. If the hint is lost, the requesting host repeats it.
    func hint(errandsOf host: String) { connection?.send(ErrandStatement.hint(host: host).sql) { _ in } }

    /// The connection's server process; nil while the connection is not open.
    var serverProcess: Int32? { connection?.serverProcess }

    /// Submits a run. The answer arrives when the run is on the disk: the run's number, and `t` if the run is new.
    ///
    /// A host that has a free slot submits and takes the run in one transaction. Otherwise, a notification asks the
    /// hosts of the fleet to take it. Submissions that arrive while the disk is busy share one wait for the disk. Hosts
    /// can take the runs in the meantime. A run that was started is never lost, because the commit of a `take`
    /// statement reaches the disk after the commits of the submissions.
    func submit(_ statement: ClientStatement, _ answer: @escaping Answer) {
        ask(Waiting(deadline: Self.deadline, statement: statement.sql, submission: statement, answer: answer))
    }

    /// Cancels a run, and notifies its host. The answer may arrive before the cancellation is on the disk, so that the
    /// host stops the run without this delay. If the database loses the cancellation, it is repeated.
    func cancel(_ run: Int64, _ reason: CancellationReason, _ answer: @escaping Answer) {
        let statement = ClientStatement.cancel(run: run, reason: reason.name)
        ask(statement) { [weak self] result in
            guard let self, case .success(let rows) = result, let host = rows.first?.last ?? nil else {
                return answer(result)
            }
            if host == name { cancelledHere(run, reason.name) } else { hint(host: host) }
            connection?.send(ClientStatement.flush.sql) { [weak self] result in
                if case .failure(.lost) = result { self?.cancel(run, reason) { _ in } }
            }
            answer(result)
        }
    }

    private static var deadline: Int64 { ClockReading.monotonicNanoseconds() + patience.nanoseconds }

    /// Notifies a host, or every host if the name is empty. If the notification is lost, the run waits at most until
    /// the host's next poll.
    func hint(host: String = "") {
        hintHere(host)
        if host != name { connection?.send(ClientStatement.hint(host: host).sql) { _ in } }
    }

    private func ask(_ request: Waiting) {
        guard connection?.isOpen == true else { return wait(request) }
        if let submission = request.submission {
            let isHere =
                !isSubmitting && submissions.isEmpty
                && submitHere(submission) { [weak self] in self?.submitted(request, $0) }
            if isHere { return }
            submissions.append(request)
            return sendSubmissions()
        }
        connection?.send(request.statement) { [weak self] result in self?.settle(request, result) }
    }

    /// Answers a request, or repeats it on the next connection if this connection was lost.
    private func settle(_ request: Waiting, _ result: Result<DatabaseConnection.Rows, DatabaseConnection.Failure>) {
        switch result {
        case .success(let rows): request.answer(.success(rows))
        case .failure(.refused(let state, let message)): request.answer(.failure(Self.report(state, message)))
        // The key of a submission identifies its run, so a repeated submission does not create a second run.
        case .failure(.lost): wait(request)
        }
    }

    private func submitted(_ request: Waiting, _ result: Result<DatabaseConnection.Rows, DatabaseConnection.Failure>) {
        switch result {
        case .success(let rows):
            let columns = rows.first ?? []
            guard columns.count == 8 else { return request.answer(.success([])) }
            request.answer(.success([[columns[0], columns[7]]]))
            // Without an attempt, the run is queued.
            if columns[1] == nil, columns[7] == "t" { hint() }
        case .failure(.refused(let state, let message)): request.answer(.failure(Self.report(state, message)))
        // The key identifies the run, so a repeated submission does not create a second run.
        case .failure(.lost): ask(request)
        }
    }

    private func sendSubmissions() {
        guard !isSubmitting, !submissions.isEmpty else { return }
        isSubmitting = true
        let batch = submissions.prefix(Self.batchLimit)
        submissions.removeFirst(batch.count)
        var unconfirmed: [(request: Waiting, rows: DatabaseConnection.Rows)] = []
        for (index, request) in batch.enumerated() {
            // The last statement notifies the hosts about the whole batch.
            let isLast = index == batch.count - 1
            let statement = isLast ? request.submission?.sqlWithHint : nil
            connection?.send(statement ?? request.statement) { [weak self] result in
                if case .success(let rows) = result {
                    unconfirmed.append((request, rows))
                    self?.hintHere("")
                } else {
                    if isLast, index > 0, case .failure(.refused) = result { self?.hint() }
                    self?.settle(request, result)
                }
            }
        }
        // Send this statement even if the connection is closed, so that the answers arrive in order.
        connection?.send(ClientStatement.flush.sql) { [weak self] result in
            guard let self else { return }
            isSubmitting = false
            for (request, rows) in unconfirmed { settle(request, result.map { _ in rows }) }
            let runs = endedMeanwhile
            endedMeanwhile = []
            if !runs.isEmpty { ended(runs) }
            sendSubmissions()
        }
    }

    /// Reports that runs have ended, as a notification does.
    func heard(_ runs: [Int64]) {
        if isSubmitting, endedMeanwhile.count < Self.endLimit { endedMeanwhile += runs }
        ended(runs)
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

    /// Converts a SQLSTATE to the error that the client receives.
    private static func report(_ state: String, _ message: String) -> ErrorReport {
        switch state {
        case "23505": ErrorReport(.keyConflict, message, hint: "use a different --key for a different run")
        case "42501": ErrorReport(.notPermitted, message, hint: "an operator of the fleet can permit it")
        case "53400": ErrorReport(.busy, message, hint: "try again when some of your runs have ended")
        case "22023": ErrorReport(.badRequest, message)
        case "22P05", "22P02":
            ErrorReport(.badParameter, "a value cannot be stored in the fleet's database: \(message)")
        case _ where DatabaseConnection.isTemporary(state):
            ErrorReport(.busy, "the fleet's database cannot perform the request: \(message)", hint: "try again later")
        default: ErrorReport(.historyUnavailable, "the fleet's database refused the request: \(message)")
        }
    }
}
