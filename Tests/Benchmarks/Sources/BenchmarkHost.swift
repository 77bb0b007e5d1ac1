import Glibc
import IntentLauncherMessages
import IntentLinux

/// A host of the fleet: an intentd and an intentd-fleet.
final class BenchmarkHost {
    let daemon: BenchmarkDaemon
    private let service: ChildProcess

    var serviceNumber: Int32 { service.number }

    /// - Parameter limits: Lines of `[Limits]` of the host's intentd; nil for as many runs of a user as there are
    ///   slots.
    init(
        _ name: String,
        _ programs: Programs,
        _ database: BenchmarkDatabase,
        slots: Int,
        limits: [String]? = nil,
        lease: Int = 30,
        policy: String = "once"
    ) throws {
        let fleet = ["[App]", "State=no", "[Fleet]", "Fleet=\(policy)"]
        daemon = try BenchmarkDaemon(
            programs,
            apps: [BenchmarkDaemon.App(name: "Plain", sandbox: fleet)],
            limits: limits ?? ["MaxRunsPerUser=\(slots)"],
            agents: ["[Fleet]", "User=\(database.user)"]
        )
        try daemon.admitEverybody()
        service = try database.startService(
            name,
            below: daemon.folder.path,
            intentd: daemon.socket,
            slots: slots,
            lease: lease
        )
        let socket = socket
        try BenchmarkDatabase.wait("\(name) does not offer the app") {
            try database.query("select cardinality(intents) > 0 from fleet.node where name = '\(name)'") == "t"
                && (try? DaemonConnection(to: socket).ask(.describe(app: "Plain"))) != nil
        }
    }

    deinit { BenchmarkDatabase.stop(service) }

    /// Kills the service. Its name is free for another service once its lease has ended.
    func kill() { _ = Glibc.kill(service.number, SIGKILL) }

    var socket: String { "\(daemon.folder.path)/fleet/clients.sock" }
}
