import Foundation
import Glibc
import Testing

/// A fleet on this machine: a real PostgreSQL server, and hosts that each have an intentd and an intentd-fleet.
final class FleetHosts {
    /// Why no fleet can be started here; nil if one can.
    static var obstacle: String? { PostgresServer.obstacle }

    let server: PostgresServer
    private(set) var hosts: [FleetHost] = []

    /// - Parameters:
    ///   - fleet: The lines of `[Fleet]` of the app Probe on every host.
    ///   - service: The lines of `[Fleet]` of fleet.conf on every host.
    ///   - state: The value of `State=` of the app.
    ///   - daemon: Further lines of intentd.conf on every host.
    init(
        _ names: [String],
        fleet: [String] = ["Fleet=once"],
        service: [String] = [],
        state: String = "no",
        daemon: [String] = []
    ) throws {
        server = try PostgresServer()
        try server.execute("create database fleet")
        try command("init")
        try server.execute("create role operator login password '\(server.password)' in role fleet_operator")
        for name in names {
            try command("add-host", name)
            try server.execute("alter role \(name) password '\(server.password)'")
            hosts.append(try FleetHost(name, server, fleet: fleet, service: service, state: state, daemon: daemon))
        }
        for host in hosts { try host.start() }
        let named = fleet.first { $0.hasPrefix("Hosts=") }?.dropFirst(6).split(separator: " ").map(String.init)
        let offering = "\((named ?? names).count)"
        try eventually("the hosts offer their intents; they say: \(hosts.map(\.errors))") {
            try query("select count(*) from fleet.node where cardinality(intents) > 0") == offering
                && query("select count(distinct node) from fleet.app") == offering
                && query("select count(*) from fleet.node where seen is not null") == "\(names.count)"
        }
    }

    func query(_ statement: String) throws -> String { try server.execute(statement, in: "fleet") }

    /// Runs `intentctl fleet` as the server's superuser.
    @discardableResult
    func command(_ words: String...) throws -> String {
        let command = try Command(
            Programs.intentctl,
            ["fleet"] + words,
            environment: ["INTENTD_FLEET_DATABASE": server.connection(as: "postgres")]
        )
        try #require(command.exitCode() == 0, "fleet \(words): \(command.errors)\(command.output)")
        return command.output
    }

    /// Sets the standbys that the server waits for before it confirms a commit.
    func setStandbys(_ names: String) throws {
        try server.execute("alter system set synchronous_standby_names = \(names)")
        try server.execute("select pg_reload_conf()")
    }

    subscript(name: String) -> FleetHost {
        hosts.first { $0.name == name } ?? hosts[0]
    }
}

/// A host of a fleet.
final class FleetHost {
    let name: String
    private(set) var daemon: Daemon
    private let server: PostgresServer
    private(set) var service: Command?

    /// The uid of intentd-fleet, which no distribution assigns.
    static let user: UInt32 = 42_426

    init(
        _ name: String,
        _ server: PostgresServer,
        fleet: [String],
        service: [String],
        state: String,
        daemon settings: [String]
    ) throws {
        self.name = name
        self.server = server
        daemon = try Daemon(
            app: ["State=\(state)", "[Fleet]"] + fleet,
            configuration: ["[Fleet]", "User=\(Self.user)"] + settings,
            sharesLauncher: true
        )
        try daemon.admitEverybody()
        try Programs.install(Programs.url("intentd-fleet"), as: daemon.folder.appending("bin/intentd-fleet"))
        let state = daemon.folder.appending("fleet")
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: false)
        chown(state.path, Self.user, Self.user)
        let lines = ["[Fleet]", "Name=\(name)", "Database=\(server.connection(as: name))", "Poll=200ms"] + service
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: configuration)
        chmod(configuration.path, 0o644)
    }

    private var configuration: URL { daemon.folder.appending("fleet.conf") }
    var socket: String { daemon.folder.appending("fleet/clients.sock").path }
    var errors: String { service?.errors ?? "" }

    /// Starts intentd-fleet, and waits until it serves.
    func start() throws {
        _ = unlink(socket)
        let service = try Command(URL(filePath: "/usr/bin/setpriv"), serviceArguments(socket: socket, state: "fleet"))
        self.service = service
        try service.waitFor("serving the fleet")
        chmod(socket, 0o666)
    }

    /// Starts another intentd-fleet with this host's name, as if on another machine, and waits until the database has
    /// refused it.
    func startNamesake() throws -> Command {
        let state = daemon.folder.appending("namesake")
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: false)
        chown(state.path, Self.user, Self.user)
        let boot = daemon.folder.appending("boot_id")
        try Data("\(UUID().uuidString.lowercased())\n".utf8).write(to: boot)
        let script = "mount --bind \"$0\" /proc/sys/kernel/random/boot_id && exec setpriv \"$@\""
        let service = try Command(
            URL(filePath: "/usr/bin/unshare"),
            ["--mount", "--", "sh", "-c", script, boot.path]
                + serviceArguments(socket: namesakeSocket, state: "namesake")
        )
        try service.waitFor("another host with the name")
        chmod(namesakeSocket, 0o666)
        return service
    }

    private var namesakeSocket: String { daemon.folder.appending("namesake/clients.sock").path }

    /// Runs `intentctl --fleet` as a client of the other intentd-fleet with this host's name.
    func namesakeIntentctl(_ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
        let command = try Command(
            Programs.intentctl,
            ["--fleet"] + arguments,
            environment: ["INTENTD_FLEET_SOCKET": namesakeSocket]
        )
        let code = command.exitCode()
        return (code, command.output, command.errors)
    }

    /// The arguments of setpriv(1) that execute intentd-fleet as its own user.
    private func serviceArguments(socket: String, state: String) -> [String] {
        [
            "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups", "--",
            daemon.folder.appending("bin/intentd-fleet").path, "--configuration", configuration.path,
            "--intentd-socket", daemon.socket, "--socket", socket, "--state", daemon.folder.appending(state).path,
        ]
    }

    /// Starts intentd-fleet with a connection of another role, and waits for its end.
    func startMisnamed(connecting role: String) throws -> (code: Int32, errors: String) {
        kill()
        let lines = ["[Fleet]", "Name=\(name)", "Database=\(server.connection(as: role))"]
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: configuration)
        try? start()
        return (service?.exitCode() ?? -1, errors)
    }

    /// Kills intentd, and starts another one, which adopts its runs.
    func killDaemon() throws {
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        daemon = try Daemon(after: daemon)
        try daemon.admitEverybody()
    }

    /// Kills the launcher, which ends intentd and all workers, and starts both again.
    func killLauncher() throws {
        Glibc.kill(try #require(daemon.sharedLauncherNumber), SIGKILL)
        _ = daemon.exitCode()
        daemon = try Daemon(afterLauncherOf: daemon)
        try daemon.admitEverybody()
    }

    func kill() {
        service?.signal(SIGKILL)
        service?.exitCode()
    }

    /// Starts `intentctl --fleet` on this host.
    func start(_ arguments: [String]) throws -> Command {
        try Command(
            Programs.intentctl,
            ["--fleet"] + arguments,
            environment: ["INTENTD_FLEET_SOCKET": socket],
            directory: daemon.folder.url
        )
    }

    func intentctl(_ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
        let command = try start(arguments)
        let code = command.exitCode()
        return (code, command.output, command.errors)
    }
}

extension PostgresServer {
    /// A connection string for the fleet's database.
    func connection(as role: String) -> String {
        "host=\(folder.path) dbname=fleet user=\(role) password=\(password)"
    }
}
