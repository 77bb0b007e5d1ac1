import Glibc
import IntentLinux
import IntentWire

/// Runs of a fleet of one host, compared with runs of the same intentd and with a bare loop on the same PostgreSQL: one
/// transaction inserts a row, and the next removes one with SKIP LOCKED.
enum FleetFigures {
    private static let inFlight = 64

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        guard let database = try BenchmarkDatabase(workbench.programs.folder) else {
            Console.say("fleet: without figures, because PostgreSQL 15 is missing, or the user postgres")
            return []
        }
        let options = workbench.options
        let fleet = ["[App]", "State=no", "[Fleet]", "Fleet=once"]
        let daemon = try BenchmarkDaemon(
            workbench.programs,
            apps: [BenchmarkDaemon.App(name: "Plain", sandbox: fleet)],
            limits: ["MaxRunsPerUser=\(inFlight)"],
            agents: ["[Fleet]", "User=\(database.user)"]
        )
        try daemon.admitEverybody()
        let service = try database.startService(below: daemon.folder.path, intentd: daemon.socket)
        defer { BenchmarkDatabase.stop(service) }
        let socket = "\(daemon.folder.path)/fleet/clients.sock"
        try BenchmarkDatabase.wait("the fleet does not offer the app") {
            (try? DaemonConnection(to: socket).ask(.describe(app: "Plain"))) != nil
        }
        let here = try daemon.connect()
        let there = try DaemonConnection(to: socket)
        var request = try PreparedPerform.trivial(app: "Plain")
        var local = Samples(), shared = Samples(), accepted = Samples(), bare = Samples()
        for _ in 0..<20 { _ = try there.perform(&request) }
        for _ in 0..<options.count(300, quick: 60) {
            local.append(nanoseconds: try here.perform(&request))
            shared.append(nanoseconds: try there.perform(&request))
            let begin = ClockReading.monotonicNanoseconds()
            let detached = PerformRequest(
                app: "Plain",
                intent: "Answer",
                values: ["number": .int(1)],
                onDisconnect: .continue
            )
            _ = try there.ask(.perform(detached))
            accepted.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
        }
        bare.append(try database.loop(clients: 1, transactions: options.count(500, quick: 100)).milliseconds)
        var localRate = Samples(), rate = Samples(), bareRate = Samples()
        for _ in 0..<options.count(3, quick: 1) {
            localRate.append(try self.rate(daemon.socket, request, seconds: options.isQuick ? 1 : 3))
            rate.append(try self.rate(socket, request, seconds: options.isQuick ? 1 : 3))
            bareRate.append(try database.loop(clients: 8, transactions: options.count(300, quick: 100)).perSecond)
        }
        return [
            Figure("fleet", "submission by a fleet", .milliseconds, accepted, goals: [.atMost(.p50, 1.5)]),
            Figure("fleet", "submit → result by a fleet", .milliseconds, shared, goals: [.atMost(.p50, 4)])
                .beside([Comparison("SKIP LOCKED loop", bare)], peers: [Comparison("intentd here", local)]),
            Figure("fleet", "\(inFlight) in flight by a fleet", .runsPerSecond, rate)
                .beside(
                    [Comparison("SKIP LOCKED loop", bareRate, worst: .runsPerSecond)],
                    peers: [Comparison("intentd here", localRate, worst: .runsPerSecond)]
                ),
        ]
    }

    /// The outcomes per second of clients that never pause.
    private static func rate(_ socket: String, _ request: PreparedPerform, seconds: Double) throws -> Double {
        var request = request
        let clients = try (0..<inFlight).map { _ in try DaemonConnection(to: socket) }
        var sockets = clients.map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
        let begin = ClockReading.monotonicNanoseconds()
        let stop = begin + Int64(seconds * 1_000_000_000)
        var last = begin
        var openCount = clients.count
        var doneCount = 0
        for client in clients {
            request.renew()
            try client.send(request.frame)
        }
        while openCount > 0 {
            let ready = try syscall("poll") { poll(&sockets, nfds_t(sockets.count), 20_000) }
            guard ready > 0 else { throw BenchmarkError("no run ended within 20 s") }
            for index in clients.indices where sockets[index].revents != 0 {
                try clients[index].receive()
                while let payload = clients[index].bufferedPayload() {
                    guard let isDone = try DaemonConnection.end(in: payload) else { continue }
                    guard isDone else { throw BenchmarkError("a run failed") }
                    last = ClockReading.monotonicNanoseconds()
                    doneCount += 1
                    if last < stop {
                        request.renew()
                        try clients[index].send(request.frame)
                    } else {
                        openCount -= 1
                    }
                }
            }
        }
        return Double(doneCount) * 1_000_000_000 / Double(last - begin)
    }
}

/// A PostgreSQL server in a temporary folder, as the user `postgres`, with a fleet of the host `web1`.
final class BenchmarkDatabase {
    let user: UInt32
    private let postgres: String
    private let programs: String
    private let folder: TemporaryFolder
    private let changesUser: Bool

    /// Returns nil if the server cannot be started here.
    init?(_ programs: String) throws {
        let base = "/usr/lib/postgresql"
        // Without the folder, no server is installed.
        let versions = (try? File.names(in: base)) ?? []
        guard let version = versions.compactMap({ Int($0) }).filter({ $0 >= 15 }).max() else { return nil }
        postgres = "\(base)/\(version)/bin"
        changesUser = geteuid() == 0
        guard let user = changesUser ? Accounts.user("postgres") : geteuid() else { return nil }
        self.user = user
        self.programs = programs
        folder = try TemporaryFolder()
        _ = chown(folder.path, user, gid_t.max)
        try run("\(postgres)/initdb", "-D", "\(folder.path)/data", "-A", "trust", "-U", "admin", "--no-sync")
        let options = "-c listen_addresses= -c unix_socket_directories=\(folder.path) -c unix_socket_permissions=0777"
        try run(
            "\(postgres)/pg_ctl",
            "-D",
            "\(folder.path)/data",
            "-w",
            "-l",
            "\(folder.path)/log",
            "-o",
            options,
            "start"
        )
        try run("\(postgres)/createdb", "-h", folder.path, "-U", "admin", "fleet")
        for words in [["init"], ["add-host", "web1"]] {
            try run("\(programs)/intentd-fleet", [words, ["--database", connection("admin")]].flatMap(\.self))
        }
        try sql("create table bare (id bigserial primary key, body text)")
    }

    deinit {
        // Fails harmlessly if the server has already exited.
        _ = try? run("\(postgres)/pg_ctl", "-D", "\(folder.path)/data", "-m", "immediate", "-w", "stop")
    }

    private func connection(_ role: String) -> String { "host=\(folder.path) dbname=fleet user=\(role)" }

    private func sql(_ statement: String) throws {
        try run("\(postgres)/psql", "-X", "-q", "-d", connection("admin"), "-c", statement)
    }

    /// Starts intentd-fleet with its files in a folder of the daemon.
    func startService(below daemon: String, intentd: String) throws -> ChildProcess {
        let own = "\(daemon)/fleet"
        try File.makeFolders(own, permissions: 0o755)
        _ = chown(own, user, gid_t.max)
        let settings = "[Fleet]\nName=web1\nSlots=64\nDatabase=\(connection("web1"))\n"
        let file = try File.open("\(own)/fleet.conf", O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o644)
        try File.write(file.rawValue, Array(settings.utf8)[...])
        let words = asUser([
            "\(programs)/intentd-fleet", "--configuration", "\(own)/fleet.conf", "--intentd-socket", intentd,
            "--socket",
            "\(own)/clients.sock", "--state", own,
        ])
        let service = try ChildProcess.start(
            words[0],
            arguments: Array(words.dropFirst()),
            socket: try UnixSocket.Pair(.stream).shared().second
        )
        Cleanup.add(service.number)
        try Self.wait("intentd-fleet does not serve") { access("\(own)/clients.sock", F_OK) == 0 }
        _ = chmod("\(own)/clients.sock", 0o666)
        return service
    }

    static func stop(_ service: ChildProcess) {
        kill(service.number, SIGTERM)
        if let problem = service.waitForEnd() { Console.say("intentd-fleet \(problem)") }
        Cleanup.remove(service.number)
    }

    /// The bare loop: an insertion, and a removal with SKIP LOCKED, each a transaction.
    func loop(clients: Int, transactions: Int) throws -> (milliseconds: Double, perSecond: Double) {
        let script = """
            insert into bare (body) values ('x');
            delete from bare where id = (select id from bare order by id limit 1 for update skip locked);

            """
        let path = "\(folder.path)/loop.sql"
        let file = try File.open(path, O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o644)
        try File.write(file.rawValue, Array(script.utf8)[...])
        let text = try run(
            "\(postgres)/pgbench",
            "-n",
            "-f",
            path,
            "-c",
            "\(clients)",
            "-t",
            "\(transactions)",
            connection("admin")
        )
        func number(after label: String) throws -> Double {
            guard let start = text.firstRange(of: label)?.upperBound,
                let number = Double(text[start...].prefix { $0.isNumber || $0 == "." })
            else { throw BenchmarkError("cannot read pgbench's output: \(text)") }
            return number
        }
        return (try number(after: "latency average = "), try number(after: "tps = "))
    }

    static func wait(_ problem: String, until isTrue: () throws -> Bool) throws {
        let begin = ClockReading.monotonicNanoseconds()
        while try !isTrue() {
            guard ClockReading.monotonicNanoseconds() - begin < 60_000_000_000 else { throw BenchmarkError(problem) }
            usleep(10_000)
        }
    }

    private func asUser(_ words: [String]) -> [String] {
        changesUser
            ? ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=postgres", "--clear-groups", "--"] + words : words
    }

    @discardableResult
    private func run(_ words: String...) throws -> String { try run(words[0], Array(words.dropFirst())) }

    @discardableResult
    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let words = asUser([program] + arguments)
        let log = "\(folder.path)/output"
        // A server would keep a pipe open, so its output goes to a file.
        let (text, isSuccess) = try ChildProcess.output(
            of: "/bin/sh",
            arguments: ["-c", "cd / && exec \"$@\" >\"$0\" 2>&1 </dev/null", log] + words
        )
        let output = (try? File.text(at: log)) ?? ""
        guard isSuccess else { throw BenchmarkError("'\(words.joined(separator: " "))': \(text)\(output)") }
        return output
    }
}
