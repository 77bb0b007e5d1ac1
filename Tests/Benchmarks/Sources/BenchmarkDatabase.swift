import Glibc
import IntentLinux

/// A PostgreSQL server in a temporary folder, as the user `postgres`, with a fleet of the hosts `web1` and `web2`.
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
        for words in [["init"], ["add-host", "web1"], ["add-host", "web2"]] {
            try run("\(programs)/intentd-fleet", [words, ["--database", connection("admin")]].flatMap(\.self))
        }
        try sql("create table bare (id bigserial primary key, body text)")
    }

    deinit {
        // A server that has ended already needs no stop.
        _ = try? run("\(postgres)/pg_ctl", "-D", "\(folder.path)/data", "-m", "immediate", "-w", "stop")
    }

    func connection(_ role: String) -> String { "host=\(folder.path) dbname=fleet user=\(role)" }

    private func sql(_ statement: String) throws {
        try run("\(postgres)/psql", "-X", "-q", "-d", connection("admin"), "-c", statement)
    }

    /// The first value that a statement returns.
    func query(_ statement: String) throws -> String {
        let text = try run("\(postgres)/psql", "-X", "-q", "-A", "-t", "-d", connection("admin"), "-c", statement)
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }

    /// Makes the host web1 take no more runs, or take runs again.
    func drain(_ isDraining: Bool) throws {
        try run(
            "\(programs)/intentd-fleet",
            ["drain", "web1"] + (isDraining ? [] : ["--undo"]) + ["--database", connection("admin")]
        )
    }

    /// The processor time of the server's processes so far, and the bytes of its log.
    func usage() throws -> (nanoseconds: Int64, logBytes: Int64) {
        let text = try File.text(at: "\(folder.path)/data/postmaster.pid")
        guard let server = text.split(separator: "\n").first.flatMap({ Int32($0) }),
            let bytes = Int64(try query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"))
        else { throw BenchmarkError("cannot read the use of the server") }
        let living = [server] + ProcessTable.family(of: server).map(\.number)
        return (living.reduce(0) { $0 + (ProcessTable.processorNanoseconds(of: $1) ?? 0) }, bytes)
    }

    /// The times of transactions of one insertion, by one client.
    func insertions(_ count: Int) throws -> Samples {
        let log = "\(folder.path)/insertions"
        try write("insert into bare (body) values ('x');\n", to: "insert.sql")
        try run(
            "\(postgres)/pgbench",
            "-n",
            "-f",
            "\(folder.path)/insert.sql",
            "-t",
            "\(count)",
            "-l",
            "--log-prefix=\(log)",
            connection("admin")
        )
        var samples = Samples()
        for name in try File.names(in: folder.path) where name.hasPrefix("insertions.") {
            // The third column is the time in microseconds.
            for line in try File.text(at: "\(folder.path)/\(name)").split(separator: "\n") {
                let words = line.split(separator: " ")
                if words.count > 2, let time = Int64(words[2]) { samples.append(nanoseconds: time * 1000) }
            }
            try run("/bin/rm", "\(folder.path)/\(name)")
        }
        return samples
    }

    private func write(_ text: String, to name: String) throws {
        let file = try File.open("\(folder.path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o644)
        try File.write(file.rawValue, Array(text.utf8)[...])
    }

    /// Starts intentd-fleet with its files in a folder of the daemon.
    func startService(_ name: String, below daemon: String, intentd: String, slots: Int, lease: Int) throws
        -> ChildProcess
    {
        let own = "\(daemon)/fleet"
        try File.makeFolders(own, permissions: 0o755)
        _ = chown(own, user, gid_t.max)
        let settings = "[Fleet]\nName=\(name)\nSlots=\(slots)\nLease=\(lease)\nDatabase=\(connection(name))\n"
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
        try write(script, to: "loop.sql")
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
