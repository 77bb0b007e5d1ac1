import Foundation
import IntentFleet
import IntentLinux
import TestSupport

/// A private PostgreSQL server, on a Unix socket in a folder of its own.
final class PostgresCluster: Sendable {
    let folder: String
    /// Whether to start as this account: PostgreSQL refuses to run as root.
    private let account: String?

    /// The folder of the newest installed server programs; nil if none is installed.
    static let programs: String? = {
        let base = "/usr/lib/postgresql"
        // Without the folder, no server is installed.
        let versions = (try? File.names(in: base)) ?? []
        let newest = versions.compactMap { Int($0) }.filter { $0 >= 15 }.max()
        return newest.map { "\(base)/\($0)/bin" }
    }()

    /// Creates and starts a server. Its database `fleet` has the schema, the hosts `web1` and `web2`, two services and
    /// an operator, and is the template of the tests' databases.
    init() throws {
        (folder, account) = try Self.makeFolder()
        try server("initdb", "-D", "\(folder)/data", "-A", "trust", "-U", "admin", "--no-sync", "--locale=C.UTF-8")
        try start()
        try Self.run("\(Self.programs!)/createdb", ["-h", folder, "-U", "admin", "fleet"])
        try FleetSchema.current.scripts.joined().write(
            toFile: "\(folder)/schema.sql",
            atomically: false,
            encoding: .utf8
        )
        let template = FleetDatabase(cluster: self, name: "fleet")
        try template.psql("admin", ["-1", "-f", "\(folder)/schema.sql"])
        for (name, group) in [
            ("web1", "fleet_node"), ("web2", "fleet_node"), ("service", "fleet_client"), ("other", "fleet_client"),
            ("operator", "fleet_operator"),
        ] {
            try template.sql("admin", "create role \(name) login in role \(group)")
        }
        try template.sql("operator", "select fleet.add_host('web1'); select fleet.add_host('web2')")
    }

    /// Creates and starts a standby that the primary waits for at each commit.
    init(standbyOf primary: PostgresCluster) throws {
        (folder, account) = try Self.makeFolder()
        try server(
            "pg_basebackup",
            "-h",
            primary.folder,
            "-U",
            "admin",
            "-D",
            "\(folder)/data",
            "-R",
            "-c",
            "fast",
            "--no-sync"
        )
        try start()
        // After the copy: a promoted standby must not wait for a standby of its own.
        let database = FleetDatabase(cluster: primary, name: "postgres")
        try database.sql("admin", "alter system set synchronous_standby_names = '*'")
        try database.sql("admin", "select pg_reload_conf()")
        try Self.wait { try database.sql("admin", "select sync_state from pg_stat_replication") == "sync" }
    }

    private static func makeFolder() throws -> (folder: String, account: String?) {
        let folder = try File.makeTemporaryFolder("/tmp/intentd-postgres.")
        let account = getuid() == 0 ? "postgres" : nil
        if let account { try run("/bin/chown", [account, folder]) }
        return (folder, account)
    }

    /// Makes a standby the primary.
    func promote() throws { try server("pg_ctl", "-D", "\(folder)/data", "-w", "promote") }

    deinit {
        // Fails if the test has killed the server.
        try? server("pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "-w", "stop")
        try? Self.run("/bin/rm", ["-rf", folder])
    }

    func start() throws {
        let options = "-k \(folder) -c listen_addresses='' -c shared_buffers=16MB -c wal_retrieve_retry_interval=200ms"
        try server("pg_ctl", "-D", "\(folder)/data", "-w", "-l", "\(folder)/log", "-o", options, "start")
    }

    /// Kills the server. Its other processes end when they notice it.
    func kill() throws {
        let lines = try File.lines(at: "\(folder)/data/postmaster.pid")
        guard let process = lines.first.flatMap({ Int32($0) }) else { throw Failure(text: "no postmaster.pid") }
        Foundation.kill(process, SIGKILL)
    }

    /// Kills all processes of the server, so that none answers a statement any more.
    func killAll() throws {
        let lines = try File.lines(at: "\(folder)/data/postmaster.pid")
        guard let process = lines.first.flatMap({ Int32($0) }) else { throw Failure(text: "no postmaster.pid") }
        let children = try File.text(at: "/proc/\(process)/task/\(process)/children").split(separator: " ")
        for child in [process] + children.compactMap({ Int32($0) }) { Foundation.kill(child, SIGKILL) }
    }

    /// Stops the processes that send the WAL to standbys. Commits that wait for a standby wait until the server is
    /// killed.
    func freezeReplication() throws {
        let database = FleetDatabase(cluster: self, name: "postgres")
        let senders = try database.sql("admin", "select pid from pg_stat_replication").split(separator: "\n")
        guard !senders.isEmpty else { throw Failure(text: "no standby") }
        for sender in senders.compactMap({ Int32($0) }) { Foundation.kill(sender, SIGSTOP) }
    }

    /// Starts the server after ``kill()``, as soon as the old server's processes have released its memory.
    func startAgain() throws {
        try Self.wait {
            try start()
            return true
        }
    }

    /// Waits until a condition holds, and throws its last error when it does not within a minute.
    private static func wait(_ condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                if try condition() { return }
                guard ContinuousClock.now < end else { throw Failure(text: "a condition does not hold") }
            } catch {
                guard ContinuousClock.now < end else { throw error }
            }
            usleep(50_000)
        }
    }

    /// Creates a database of one test.
    func makeDatabase() throws -> FleetDatabase {
        let name = "test_\(UInt32.random(in: .min ... .max))"
        try FleetDatabase(cluster: self, name: "postgres").sql("admin", "create database \(name) template fleet")
        return FleetDatabase(cluster: self, name: name)
    }

    private func server(_ program: String, _ arguments: String...) throws {
        let command = ["\(Self.programs!)/\(program)"] + arguments
        guard let account else { return try Self.run(command[0], Array(command.dropFirst())) }
        try Self.run(
            "/usr/bin/setpriv",
            ["--reuid", account, "--regid", account, "--clear-groups", "--reset-env"] + command
        )
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        // Its output goes to a file: a server would keep a pipe open.
        let log = try File.makeTemporaryFolder("/tmp/intentd-postgres-log.")
        // The folder is temporary, and a test does not fail for it.
        defer { _ = try? ChildProcess.output(of: "/bin/rm", arguments: ["-rf", log]) }
        let child = try ChildProcess.start(
            "/bin/sh",
            arguments: ["-c", "exec \"$@\" >\"$0\" 2>&1", "\(log)/output", program] + arguments
        )
        if let failure = child.waitForEnd() {
            throw Failure(text: "\(program): \(failure): \(try File.text(at: "\(log)/output"))")
        }
    }

    struct Failure: Error, CustomStringConvertible {
        var text: String
        var description: String { text }
    }
}
