import Glibc
import IntentFleet
import IntentFleetService
import IntentLinux
import IntentProtocol
import IntentSystemd
import TestSupport
import Testing

@Suite(
    .ownThread,
    .enabled(if: PostgresCluster.programs != nil, "PostgreSQL 15 or later is not installed"),
    .sharedCluster
)
struct DatabaseConnectionTests {
    private let database: FleetDatabase
    private let loop: EventLoop
    private let limit: EventSource

    init() throws {
        database = try SharedCluster.current.makeDatabase()
        let loop = try EventLoop()
        self.loop = loop
        // A test that hears nothing ends with this code.
        limit = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + 120_000_000_000) { loop.exit(99) }
    }

    @Test func `answers arrive in order, and a refused statement affects no other`() throws {
        var answers: [Result<DatabaseConnection.Rows, DatabaseConnection.Failure>] = []
        try run { connection, event in
            guard event == .opened else { return }
            connection.send(SQLStatement("select $1::text, $2::text", ["é", nil])) { answers.append($0) }
            connection.send(SQLStatement("select 1 / 0")) { answers.append($0) }
            connection.send(SQLStatement("select 'a' union all select 'b' order by 1")) {
                answers.append($0)
                loop.exit(0)
            }
        }
        #expect(answers.count == 3)
        #expect(answers.first == .success([["é", nil]]))
        #expect(answers.dropFirst().first == .failure(.refused(state: "22012", message: "division by zero")))
        #expect(answers.last == .success([["a"], ["b"]]))
    }

    @Test func `a text with U+0000 is refused, because the database would store only its start`() throws {
        var answers: [Result<DatabaseConnection.Rows, DatabaseConnection.Failure>] = []
        try run { connection, event in
            guard event == .opened else { return }
            connection.send(SQLStatement("select $1::text", ["a\0b"])) { answers.append($0) }
            connection.send(SQLStatement("select $1::text", ["ab"])) {
                answers.append($0)
                loop.exit(0)
            }
        }
        let message = "a text contains U+0000, which the database cannot store"
        #expect(answers == [.failure(.refused(state: "22021", message: message)), .success([["ab"]])])
    }

    @Test func `text from the database is stream-safe, whichever host wrote it`() throws {
        var rows: DatabaseConnection.Rows = []
        try run { connection, event in
            guard event == .opened else { return }
            connection.send(SQLStatement("select 'a' || repeat(chr(769) || chr(803), 100000), json '\"\\u0301\"'")) {
                rows = (try? $0.get()) ?? []
                loop.exit(0)
            }
        }
        let text = try #require(rows.first?.first ?? nil)
        #expect(text.utf8.count > 400_000 && StreamSafeText.isStreamSafe(text))
    }

    @Test func `a statement is prepared once, and one that cannot be prepared is refused each time`() throws {
        var answers: [Result<DatabaseConnection.Rows, DatabaseConnection.Failure>] = []
        let names = SQLStatement("select count(*) from pg_prepared_statements where name ~ $1", ["^s"])
        try run { connection, event in
            guard event == .opened else { return }
            for number in [1, 0, 2] {
                connection.send(SQLStatement("select 6 / $1::int", ["\(number)"])) { answers.append($0) }
            }
            connection.send(SQLStatement("select $1 from absent", ["x"])) {
                answers.append($0)
                connection.send(SQLStatement("select $1 from absent", ["x"])) { answers.append($0) }
                connection.send(names) {
                    answers.append($0)
                    loop.exit(0)
                }
            }
        }
        #expect(answers.map { (try? $0.get())?.first?.first } == ["6", nil, "3", nil, nil, "2"])
    }

    @Test func `after a crash of the server the connection returns, hears notifications, and repeats nothing`() throws {
        let database = try PostgresCluster().makeDatabase()
        try database.sql("admin", "create table count (n int); grant insert, select on count to public")
        var lostAnswers = 0
        var openings = 0
        try run([database.connectionString("service")]) { connection, event in
            switch event {
            case .opened:
                openings += 1
                if openings == 1 {
                    connection.send(SQLStatement("insert into count select 1 from pg_sleep(60)")) {
                        if case .failure(.lost) = $0 { lostAnswers += 1 }
                    }
                    do { try database.cluster.kill() } catch { Issue.record(error) }
                } else {
                    connection.send(SQLStatement("select pg_notify('hints', '')")) { _ in }
                }
            case .lost: do { try database.cluster.startAgain() } catch { Issue.record(error) }
            case .notified(let channel, _):
                #expect(channel == "hints")
                loop.exit(0)
            }
        }
        #expect(lostAnswers == 1)
        #expect(openings == 2)
        #expect(try database.sql("admin", "select count(*) from count") == "0")
    }

    @Test func `a server that accepts and says nothing is left for the next`() throws {
        let folder = try File.makeTemporaryFolder("/tmp/intentd-silent.")
        defer { rmdir(folder) }
        defer { unlink("\(folder)/.s.PGSQL.5432") }
        let silent = try UnixSocket.listen(.stream, at: "\(folder)/.s.PGSQL.5432", permissions: 0o600)
        let servers = ["host=\(folder) user=service dbname=fleet", database.connectionString("service")]
        try run(servers, patience: .init(connect: .milliseconds(300))) { connection, event in
            if event == .opened { loop.exit(0) }
        }
        withExtendedLifetime(silent) {}
    }

    @Test func `a server that is read-only is left for the next`() throws {
        try database.sql(
            "admin",
            "alter role other in database \(database.name) set default_transaction_read_only = on"
        )
        var user: String?
        try run([database.connectionString("other"), database.connectionString("service")]) { connection, event in
            guard event == .opened else { return }
            connection.send(SQLStatement("select session_user")) {
                // A failure leaves nil, which the expectation below reports.
                user = (try? $0.get())?.first?.first ?? nil
                loop.exit(0)
            }
        }
        #expect(user == "service")
    }

    @Test func `a server that freezes is lost when the deadline of the oldest statement has passed`() throws {
        var answer: Result<DatabaseConnection.Rows, DatabaseConnection.Failure>?
        var frozen: Int32 = 0
        defer { if frozen > 0 { kill(frozen, SIGCONT) } }
        try run(patience: .init(statement: .milliseconds(300))) { connection, event in
            guard event == .opened, frozen == 0 else { return }
            connection.send(SQLStatement("select pg_backend_pid()")) {
                guard case .success(let rows) = $0, let text = rows.first?.first ?? nil, let process = Int32(text)
                else { return loop.exit(98) }
                frozen = process
                kill(process, SIGSTOP)
                connection.send(SQLStatement("select 1")) {
                    answer = $0
                    loop.exit(0)
                }
            }
        }
        guard case .failure(.lost(let reason)) = answer else {
            return #expect(Bool(false), "\(String(describing: answer))")
        }
        #expect(reason.hasPrefix("no answer within"))
    }

    @Test func `notifications of an ignored connection are not heard, and others are`() throws {
        var heard: [String] = []
        try run { connection, event in
            switch event {
            case .opened:
                connection.ignoredSender = { [weak connection] in connection?.serverProcess }
                connection.send(SQLStatement("select pg_notify($1, $2)", ["hints", "own"])) { [database] _ in
                    _ = try? database.sql("other", "select pg_notify('hints', 'foreign')")
                }
            case .lost: break
            case .notified(_, let payload):
                heard.append(payload)
                loop.exit(0)
            }
        }
        #expect(heard == ["foreign"])
    }

    @Test func `a submission with a hint notifies the hosts when the run is in the queue`() throws {
        let arguments = FleetArguments(PerformRequest(app: "A", intent: "B"))
        let submission = ClientStatement.submit(owner: "service", key: "k", intent: "A/B", arguments, spool: nil)
        var rows: DatabaseConnection.Rows = []
        var queued = ""
        try run { [database] connection, event in
            switch event {
            case .opened:
                connection.send(SQLStatement("listen fleet_hint")) { _ in }
                connection.send(submission.sqlWithHint) { answer in rows = (try? answer.get()) ?? [] }
            case .lost: break
            case .notified(let channel, let payload):
                #expect([channel, payload] == ["fleet_hint", ""])
                queued = (try? database.sql("admin", "select id, owner, intent from fleet.run")) ?? ""
                loop.exit(0)
            }
        }
        #expect(rows == [["1", "t"]])
        #expect(queued == "1|service|A/B")
    }

    /// Runs the loop with a connection until the events end it.
    private func run(
        _ servers: [String]? = nil,
        patience: DatabaseConnection.Patience = .init(),
        _ body: @escaping (DatabaseConnection, DatabaseConnection.Event) -> Void
    ) throws {
        var connection: DatabaseConnection?
        connection = DatabaseConnection(
            servers: servers ?? [database.connectionString("service")],
            channels: ["hints"],
            patience: patience,
            on: loop
        ) { event in
            if let connection { body(connection, event) }
        }
        try connection?.open()
        #expect(try loop.run() == 0)
        connection?.close()
        connection = nil
    }
}
