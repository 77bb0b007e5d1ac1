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

    /// Creates and starts a server. Its database `fleet` has the schema, the hosts `web1` and `web2`, two services and an
    /// operator, and is the template of the tests' databases.
    init() throws {
        folder = try File.makeTemporaryFolder("/tmp/intentd-postgres.")
        account = getuid() == 0 ? "postgres" : nil
        if account != nil { try Self.run("/bin/chown", ["postgres", folder]) }
        try server("initdb", "-D", "\(folder)/data", "-A", "trust", "-U", "admin", "--no-sync", "--locale=C.UTF-8")
        try start()
        try Self.run("\(Self.programs!)/createdb", ["-h", folder, "-U", "admin", "fleet"])
        try FleetSchema.text.write(toFile: "\(folder)/schema.sql", atomically: false, encoding: .utf8)
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

    deinit {
        // Fails if the test has killed the server.
        try? server("pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "-w", "stop")
        try? Self.run("/bin/rm", ["-rf", folder])
    }

    func start() throws {
        let options = "-k \(folder) -c listen_addresses='' -c max_connections=40 -c shared_buffers=16MB"
        try server("pg_ctl", "-D", "\(folder)/data", "-w", "-l", "\(folder)/log", "-o", options, "start")
    }

    /// Kills the server. Its other processes end when they notice it.
    func kill() throws {
        let lines = try File.lines(at: "\(folder)/data/postmaster.pid")
        guard let process = lines.first.flatMap({ Int32($0) }) else { throw Failure(text: "no postmaster.pid") }
        Foundation.kill(process, SIGKILL)
    }

    /// Starts the server after ``kill()``, as soon as the old server's processes have released its memory.
    func startAgain() throws {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try start()
            } catch {
                guard ContinuousClock.now < end else { throw error }
                usleep(50_000)
            }
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
