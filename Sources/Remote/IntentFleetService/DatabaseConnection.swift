import CIntentPostgres
package import IntentFleet
package import IntentLinux
package import IntentSystemd

/// A connection to the writable server among several database servers.
///
/// The connection is non-blocking and pipelined, with a sync after each statement. Each statement is therefore a
/// separate transaction, several statements can be in progress, and answers arrive in the order of the statements.
/// The object reconnects automatically, with increasing delays. It never repeats a lost statement, because only the
/// sender can decide whether repeating it is safe.
///
/// Use an instance only on the loop's thread.
package final class DatabaseConnection {
    package typealias Rows = [[String?]]
    package typealias Answer = (Result<Rows, Failure>) -> Void

    package enum Failure: Error, Equatable {
        /// The connection was lost. It is unknown whether the statement had an effect.
        case lost(String)
        /// The statement had no effect. The state is a SQLSTATE.
        case refused(state: String, message: String)
    }

    /// Returns true if a SQLSTATE is a condition of the server that ends without a change of the statement: a rollback
    /// for concurrency (class 40), a lack of resources such as a full disk (53), a lock (55), an intervention of an
    /// operator (57), a failure of the server's system (58), or a server that has become a standby (25006).
    ///
    /// Source: PostgreSQL manual, appendix A.
    package static func isTemporary(_ state: String) -> Bool {
        state == "25006" || ["40", "53", "55", "57", "58"].contains { state.hasPrefix(utf8: $0) }
    }

    package enum Event: Equatable {
        case opened
        case lost(String)
        /// A notification arrived. It may cause a query but is never a command, because any session can send
        /// notifications to any channel.
        case notified(channel: String, payload: String)
    }

    package struct Patience: Sendable {
        package var connect: Duration
        package var statement: Duration
        package var longestPause: Duration

        package init(
            connect: Duration = .seconds(2),
            statement: Duration = .seconds(5),
            longestPause: Duration = .seconds(1)
        ) {
            self.connect = connect
            self.statement = statement
            self.longestPause = longestPause
        }
    }

    private enum Phase {
        case closed
        case waiting
        case connecting
        case open
    }

    private let servers: [String]
    private let channels: [String]
    private let patience: Patience
    private let loop: EventLoop
    private let report: (Event) -> Void
    private var phase = Phase.closed
    private var connection: OpaquePointer?
    private var source: EventSource?
    private var timer: EventSource?
    private var server = 0
    private var failures = 0
    private var openedAt = Duration.zero
    private var statements = PendingStatements()
    /// The names of the statements that the server has prepared, by the statement's text. They are valid until the
    /// connection ends.
    private var prepared: [String: String] = [:]
    private var preparedCount = 0

    /// The maximum number of prepared statements. The text of any other statement is sent each time.
    private static let preparedLimit = 64

    /// - Parameters:
    ///   - servers: A connection string for each server, as keywords and values. A string must not list several hosts,
    ///     because libpq could then wait indefinitely for a server that accepts the connection and sends nothing. A
    ///     host name, unlike an address, blocks the thread while it is being resolved: use `hostaddr=` or a socket's
    ///     folder.
    ///   - channels: The channels to listen to.
    package init(
        servers: [String],
        channels: [String] = [],
        patience: Patience = Patience(),
        on loop: EventLoop,
        _ report: @escaping (Event) -> Void
    ) {
        precondition(!servers.isEmpty, "a connection needs a server")
        self.servers = servers
        self.channels = channels
        self.patience = patience
        self.loop = loop
        self.report = report
    }

    deinit {
        source = nil
        if let connection { PQfinish(connection) }
    }

    /// Starts connecting. The loop delivers the events.
    package func open() throws(SystemError) {
        guard isClosed else { return }
        phase = .waiting
        try arm(after: .zero)
    }

    /// Closes the connection. Statements in progress are reported as lost.
    package func close() {
        guard !isClosed else { return }
        disconnect()
        phase = .closed
        timer = nil
        for answer in statements.removeAll() { answer(.failure(.lost("the connection was closed"))) }
    }

    /// Replaces the connection after a protocol violation by the server.
    package func abandon(_ reason: String) {
        if isOpen { lose(reason) }
    }

    /// Returns the server process of another connection, to ignore its notifications; nil to ignore none.
    package var ignoredSender: () -> Int32? = { nil }

    /// The connection's server process; nil while the connection is not open.
    package var serverProcess: Int32? { isOpen ? PQbackendPID(connection) : nil }

    package var isOpen: Bool { phase == .open }
    private var isClosed: Bool { phase == .closed }

    /// Sends a statement, which is never sent on a later connection. The loop delivers the answer, or `send` itself if
    /// the statement cannot be sent.
    package func send(_ statement: SQLStatement, _ answer: @escaping Answer) {
        guard isOpen else { return answer(.failure(.lost("not connected"))) }
        if let problem = Self.problem(of: statement) {
            return answer(.failure(.refused(state: problem.state, message: problem.message)))
        }
        let (name, isNew) = nameToPrepare(statement)
        guard enqueue(statement, name: name, prepares: isNew), PQpipelineSync(connection) == 1 else {
            lose(message)
            return answer(.failure(.lost("cannot send the statement")))
        }
        statements.append(deadline: Self.now + patience.statement, preparing: isNew ? statement.text : nil, answer)
        flush()
        if isOpen { armForStatement() }
    }

    /// Returns the name of the prepared statement, and true if the server must prepare it first. The name is nil for a
    /// statement that is not prepared.
    private func nameToPrepare(_ statement: SQLStatement) -> (name: String?, isNew: Bool) {
        if let name = prepared[statement.text] { return (name, false) }
        // Some statements cannot be prepared, such as LISTEN. They have no parameters.
        guard !statement.parameters.isEmpty, prepared.count < Self.preparedLimit else { return (nil, false) }
        preparedCount += 1
        let name = "s\(preparedCount)"
        prepared[statement.text] = name
        return (name, true)
    }

    // MARK: Connecting

    private func connect() {
        let options = " client_encoding=UTF8 application_name=intentd-fleet target_session_attrs=read-write"
        connection = PQconnectStart(servers[server] + options)
        guard PQstatus(connection) != CONNECTION_BAD else { return lose(message) }
        // Discard the server's notices, which libpq would print to standard error.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        phase = .connecting
        watch(.writable)
        tryArm(after: patience.connect)
    }

    private func advanceConnecting() {
        // libpq may have closed its socket and opened another with the same number, which epoll does not watch yet.
        source = nil
        switch PQconnectPoll(connection) {
        case PGRES_POLLING_READING: watch(.readable)
        case PGRES_POLLING_WRITING: watch(.writable)
        case PGRES_POLLING_OK: opened()
        default: lose(message)
        }
    }

    private func opened() {
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else { return lose(message) }
        phase = .open
        openedAt = Self.now
        watch(.readable)
        for channel in channels where isOpen {
            send(SQLStatement("listen \(Self.quoted(channel))")) { [weak self] answer in
                // Replace a connection that cannot listen for notifications.
                if case .failure(.refused(_, let message)) = answer { self?.lose(message) }
            }
        }
        if isOpen { report(.opened) }
    }

    /// Returns the quoted identifier for a name (PostgreSQL manual, section 4.1.1).
    package static func quoted(_ name: String) -> String { "\"" + name.replacing(utf8: "\"", with: "\"\"") + "\"" }

    private func lose(_ reason: String) {
        guard !isClosed else { return }
        let wasOpen = isOpen
        // A server that accepts connections and closes them immediately is treated as failed.
        if wasOpen, Self.now - openedAt > patience.longestPause * 2 { failures = 0 }
        disconnect()
        phase = .waiting
        server = (server + 1) % servers.count
        failures += 1
        // The first round tries the servers one after another without a pause, because a standby may have just been
        // promoted.
        let round = failures / servers.count
        let pause: Duration = round == 0 ? .zero : min(patience.longestPause, .milliseconds(20 << min(round, 10)))
        tryArm(after: pause * Double.random(in: 0.5...1))
        for answer in statements.removeAll() { answer(.failure(.lost(reason))) }
        if wasOpen { report(.lost(reason)) }
    }

    private func disconnect() {
        // Remove the source before the socket is closed, as epoll_ctl(2) requires.
        source = nil
        if let connection { PQfinish(connection) }
        connection = nil
        prepared = [:]
    }

    // MARK: Events of the loop

    private func ready(_ events: PollEvents) {
        switch phase {
        case .closed, .waiting: return
        case .connecting: advanceConnecting()
        case .open:
            guard PQconsumeInput(connection) == 1 else { return lose(message) }
            flush()
            readAnswers()
            while isOpen, let notification = PQnotifies(connection) {
                let channel = String(foreign: notification.pointee.relname)
                let payload = String(foreign: notification.pointee.extra)
                let sender = notification.pointee.be_pid
                PQfreemem(notification)
                if sender == ignoredSender() { continue }
                report(.notified(channel: channel, payload: payload))
            }
            if isOpen { armForStatement() }
        }
    }

    private func readAnswers() {
        var emptyResults = 0
        while isOpen, !statements.isEmpty, PQisBusy(connection) == 0 {
            guard let result = PQgetResult(connection) else {
                // A command ends with one empty result. A second empty result means that the server and this connection
                // disagree about which statements are in progress.
                emptyResults += 1
                if emptyResults > 1 || PQstatus(connection) == CONNECTION_BAD { return lose(message) }
                continue
            }
            emptyResults = 0
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK: statements.set(.success(QueryResult.rows(result)))
            case PGRES_COMMAND_OK: statements.completed()
            case PGRES_PIPELINE_ABORTED: continue
            case PGRES_PIPELINE_SYNC:
                // A statement that failed to prepare does not exist on the server.
                if let text = statements.preparing { prepared[text] = nil }
                guard let (answer, value) = statements.removeFirst() else { return lose("the server sent no result") }
                answer(value)
            default:
                let failure = QueryResult.failure(result)
                if case .lost(let reason) = failure { return lose(reason) }
                statements.set(.failure(failure))
            }
        }
    }

    private func timeIsUp() {
        switch phase {
        case .closed: return
        case .waiting: connect()
        case .connecting: lose("no connection within \(patience.connect)")
        case .open:
            if let deadline = statements.deadline, deadline <= Self.now {
                lose("no answer within \(patience.statement)")
            } else {
                armForStatement()
            }
        }
    }

    private func flush() {
        switch PQflush(connection) {
        case 0: change(.readable)
        case 1: change([.readable, .writable])
        default: lose(message)
        }
    }

    // MARK: Sources

    private var message: String {
        let text = connection.flatMap { PQerrorMessage($0) }.map { String(foreign: $0) } ?? ""
        return text.isEmpty ? "the connection was lost" : QueryResult.line(text)
    }

    private func watch(_ events: PollEvents) {
        do {
            source = try loop.descriptor(PQsocket(connection), events) { [weak self] events in self?.ready(events) }
        } catch {
            lose("\(error)")
        }
    }

    private func change(_ events: PollEvents) {
        do {
            try source?.watch(events)
        } catch {
            lose("\(error)")
        }
    }

    private func armForStatement() {
        if let deadline = statements.deadline { tryArm(after: max(.zero, deadline - Self.now)) }
    }

    /// Arms the timer, or ends the process if that fails. Without a timer, the connection would never be restored.
    private func tryArm(after pause: Duration) {
        do {
            try arm(after: pause)
        } catch {
            preconditionFailure("cannot arm a timer: \(error)")
        }
    }

    private func arm(after pause: Duration) throws(SystemError) {
        try loop.arm(&timer, at: Self.now + pause) { [weak self] in self?.timeIsUp() }
    }

    private static var now: Duration { .nanoseconds(ClockReading.monotonicNanoseconds()) }

    private func enqueue(_ statement: SQLStatement, name: String?, prepares: Bool) -> Bool {
        if let name, prepares, PQsendPrepare(connection, name, statement.text, 0, nil) != 1 { return false }
        // libpq copies the parameters before it returns.
        return Self.withParameters(of: statement) { values in
            let count = Int32(values.count)
            guard let name else {
                return PQsendQueryParams(connection, statement.text, count, nil, values, nil, nil, 0) == 1
            }
            return PQsendQueryPrepared(connection, name, count, values, nil, nil, 0) == 1
        }
    }

    /// Sends a statement on a blocking connection, and waits for its result.
    static func execute(_ statement: SQLStatement, on connection: OpaquePointer) -> OpaquePointer? {
        withParameters(of: statement) { values in
            PQexecParams(connection, statement.text, Int32(values.count), nil, values, nil, nil, 0)
        }
    }

    /// Returns the error that PostgreSQL reports for a text with U+0000, which it cannot store; nil if the statement has no
    /// such text. libpq's parameters are C strings, which would end there.
    static func problem(of statement: SQLStatement) -> (state: String, message: String)? {
        statement.parameters.contains { $0?.utf8.contains(0) == true }
            ? ("22021", "a text contains U+0000, which the database cannot store") : nil
    }

    /// Calls `body` with a C string for each parameter, or a null pointer for an SQL NULL.
    private static func withParameters<Value>(
        of statement: SQLStatement,
        _ body: ([UnsafePointer<CChar>?]) -> Value
    ) -> Value {
        var bytes: [CChar] = []
        let offsets = statement.parameters.map { text -> Int? in
            defer { bytes += text?.utf8CString ?? [] }
            return text == nil ? nil : bytes.count
        }
        return bytes.withUnsafeBufferPointer { buffer in
            body(offsets.map { $0.flatMap { buffer.baseAddress?.advanced(by: $0) } })
        }
    }
}
