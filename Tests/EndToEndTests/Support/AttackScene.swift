import Foundation
import Glibc
import IntentLinux
import Synchronization
import Testing

/// A daemon with the app Attacker installed under several settings, neighbouring runs that attacks must not disturb,
/// and host files and sockets as targets.
// SAFETY: every stored property is a constant that only starts programs and reads files — nothing is mutated after
// `init`.
final class AttackScene: @unchecked Sendable {
    /// An installation of the app, each with its own settings.
    enum App: String, CaseIterable, Sendable {
        /// All settings at their defaults.
        case closed = "Attacker"
        case network = "Networked"
        /// May connect to one port, which has no listener.
        case ports = "Ported"
        /// Has the host's network, and one Unix socket of the host.
        case socket = "Socketed"
        case subprocesses = "Starter"
        /// Has small limits.
        case small = "Small"
        /// Have these limits too. Without a pids controller, an attempt that uses up the threads of all runs of its app
        /// would keep other attempts from starting.
        case threaded = "Threaded", stacked = "Stacked"
        /// May write to one folder of the host.
        case writer = "Writer"
        /// Has no memory limit.
        case unlimited = "Unlimited"
        /// Has a low limit on descriptors.
        case fewest = "Fewest"
        /// Has a state folder that its runs share.
        case stateful = "Stateful"

        var sandbox: [String] {
            switch self {
            case .closed: []
            case .network: ["Network=yes"]
            case .ports: ["AllowHosts=127.0.0.1:1"]
            case .socket: ["Network=yes", "Sockets={folder}/granted.sock"]
            case .subprocesses: ["Subprocesses=yes"]
            case .small, .threaded, .stacked: ["MemoryMax=192M", "TasksMax=4", "OpenFiles=128", "DiskMax=32M"]
            case .writer: ["WritePaths={folder}/out"]
            case .unlimited: ["MemoryMax=infinity"]
            case .fewest: ["OpenFiles=64"]
            case .stateful: []
            }
        }

        /// The lines of the `[App]` section.
        var app: [String] { self == .stateful ? ["State=yes"] : [] }
    }

    let daemon: Daemon
    /// Runs that stay active beside the attackers.
    private let neighbours: [App: Neighbour]
    private let listeners: [SharedFileDescriptor]
    private let port: UInt16
    private let abstractName = "@intentd-test-\(UUID().uuidString)"
    private let launcher: Int32
    private static let count = Atomic<UInt32>(0)
    /// The isolation mechanisms that `intentctl status` lists. They do not change while the launcher runs, so one
    /// request serves all attempts.
    let isolation: [String]

    struct Neighbour {
        var command: Command
        /// The pid inside its sandbox.
        var process: String
        var folder: String
    }

    init(_ owner: Daemon.Owner) throws {
        // Attempts use up what the kernel allows each user. These users have no other daemon, not even of another
        // scene, so that only the runs of the scene share the limits.
        let number = Self.count.add(1, ordering: .relaxed).oldValue
        daemon = try Daemon(
            configuration: [
                // The neighbours run for as long as the whole suite takes.
                "RuntimeMax=2h", "Runtime=\(30 * Patience.factor)s", "[Sandbox]",
                "IdRange=\(2_080_700_000 + 1000 * number):1000",
            ],
            owner: owner,
            ordinaryUser: 42_500 + number
        )
        let folder = daemon.folder.url.path
        let out = daemon.folder.appending("out")
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
        // The folder belongs to the user that workers run as.
        let user = getuid() == 0 && owner == .tester ? 65534 : Self.owner(of: daemon.folder.url) ?? getuid()
        chown(out.path, user, user)
        // Workers have different uids but share the group.
        chmod(out.path, 0o770)
        for app in App.allCases {
            try daemon.install(
                "Attacker",
                as: app.rawValue,
                app: app.app,
                sandbox: app.sandbox.map { Self.fill($0, ["folder": folder]) }
            )
        }
        // This app prints text before it describes its intents.
        try daemon.install("Attacker", as: "Wordy", app: ["Environment=ATTACKER_WORDS=yes"])
        try Data("a secret of the host's".utf8).write(to: daemon.folder.appending("host-secret"))
        let (tcp, port) = try HostSockets.listenTCP()
        self.port = port
        let granted = try UnixSocket.listen(.stream, at: "\(folder)/granted.sock", permissions: 0o666)
        let refused = try UnixSocket.listen(.stream, at: "\(folder)/refused.sock", permissions: 0o666)
        listeners = [
            tcp, SharedFileDescriptor(granted), SharedFileDescriptor(refused),
            try HostSockets.listenAbstract(abstractName),
        ]
        launcher = try daemon.launcher()
        if Patience.factor > 1 { try Self.awaitDescriptions(by: daemon) }
        var neighbours: [App: Neighbour] = [:]
        // The first neighbour sees its folder under another name, so its name is found while no other exists.
        for app in [App.subprocesses, .closed] { neighbours[app] = try Self.startNeighbour(app, daemon) }
        self.neighbours = neighbours
        let status = try daemon.json("status")
        isolation = try #require(status["isolation"] as? [String])
    }

    /// Requests each app's intents until intentd knows them. On a slow processor, the first descriptions time out.
    private static func awaitDescriptions(by daemon: Daemon) throws {
        for app in App.allCases {
            try eventually("\(app.rawValue) describes its intents") {
                try daemon.intentctl("describe", app.rawValue).code == 0
            }
        }
    }

    private static func startNeighbour(_ app: App, _ daemon: Daemon) throws -> Neighbour {
        let command = try daemon.start(["run", "--limit", "2h", "\(app.rawValue)/Hold"])
        try command.waitFor("folder=/")
        func word(_ key: String) throws -> String {
            let words = command.errors.split(whereSeparator: \.isWhitespace)
            return String(try #require(words.first { $0.hasPrefix(key + "=") }).dropFirst(key.count + 1))
        }
        var folder = try word("folder")
        if folder == "/own/tmp" {
            folder = "/runs/\(try daemon.runFolder(holding: "secret").lastPathComponent)"
        }
        return Neighbour(command: command, process: try word("process"), folder: folder)
    }

    /// Replaces the placeholders in an attempt's detail.
    func fill(_ text: String, for app: App) -> String {
        let neighbour = neighbours[app] ?? neighbours[.closed]
        return Self.fill(
            text,
            [
                "folder": daemon.folder.url.path, "port": "\(port)", "abstract": abstractName, "socket": daemon.socket,
                "process": neighbour?.process ?? "0", "neighbour": neighbour?.folder ?? "/",
                "name": neighbour?.folder.split(separator: "/").last.map(String.init) ?? "",
                "executable": daemon.folder.appending("apps/\(app.rawValue)").path,
            ]
        )
    }

    private static func fill(_ text: String, _ values: [String: String]) -> String {
        values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// Runs one attempt and returns its value, or how its run ended.
    ///
    /// The test is the client itself: starting intentctl takes longer than most attempts.
    func outcome(_ app: App, _ attempt: String, _ detail: String = "") throws -> String {
        let client = try SocketClient(daemon)
        let values = ["attempt": attempt, "detail": fill(detail, for: app)]
        let outcome = try client.outcome(of: client.perform("Attack", of: app.rawValue, values))
        let kind = outcome["kind"] as? String ?? "nothing"
        if kind == "done", let words = outcome["value"] as? String {
            return words.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let end = outcome["end"] as? [String: Int] ?? [:]
        let signal = end["signaled"].map { "signal \($0)" } ?? end["exited"].map { "exit code \($0)" }
        return "ended with \(kind): \(outcome["message"] as? String ?? signal ?? "\(outcome)")"
    }

    /// Expects the original daemon and launcher to be running and serving, and the neighbours to be undisturbed.
    func expectUntouched() throws {
        #expect(daemon.isRunning)
        #expect(try daemon.launcher() == launcher)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "still here").output == "still here\n")
        for neighbour in neighbours.values {
            #expect(neighbour.command.isRunning)
            #expect(!neighbour.command.errors.contains("touched"), "\(neighbour.command.errors)")
        }
    }

    /// Stops the neighbours and the daemon, and expects no process or run folder to remain.
    func end() throws {
        for neighbour in neighbours.values {
            neighbour.command.signal(SIGINT)
            #expect(neighbour.command.exitCode() == 130, "\(neighbour.command.errors)")
        }
        daemon.signal(SIGTERM)
        #expect(daemon.exitCode() == 0)
        let own = daemon.folder.appending("apps").path
        try eventually("nothing is left") { !ProcessFamily.commandLines.contains { $0.contains(own) } }
        #expect(daemon.runFolders == [])
    }

    /// Changes the owner of a file to the daemon's user.
    func own(_ file: URL) {
        if let number = Self.owner(of: daemon.folder.url) { chown(file.path, number, number) }
    }

    private static func owner(of file: URL) -> UInt32? {
        (try? FileManager.default.attributesOfItem(atPath: file.path)[.ownerAccountID]) as? UInt32
    }

    /// The Landlock ABI version that the launcher uses.
    var landlockVersion: Int {
        isolation.compactMap { $0.hasPrefix("Landlock ") ? Int($0.dropFirst(9)) : nil }.first ?? 0
    }
}

/// Provides one scene per owner for all tests of a suite, and checks after them that the scenes are undisturbed.
struct UnderAttack: SuiteTrait, TestScoping {
    @TaskLocal static var scenes: [Daemon.Owner: AttackScene] = [:]

    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        var scenes: [Daemon.Owner: AttackScene] = [:]
        for owner in Daemon.Owner.testable { scenes[owner] = try AttackScene(owner) }
        try await Self.$scenes.withValue(scenes) { try await function() }
        for scene in scenes.values {
            try scene.expectUntouched()
            try scene.end()
        }
    }
}

extension Trait where Self == UnderAttack {
    static var underAttack: Self { Self() }
}

extension Daemon.Owner {
    /// Both owners when the tests run as root. Any other tester is an ordinary user already.
    static var testable: [Self] { getuid() == 0 ? [.tester, .ordinaryUser] : [.tester] }
}

extension Daemon {
    /// Installs a built program as an app with the given name and settings.
    func install(_ program: String, as name: String, app: [String] = [], sandbox: [String] = []) throws {
        let lines = ["[App]"] + app + ["[Sandbox]"] + sandbox
        // Both files are written under another name and then renamed, so that the daemon never reads half a file.
        let unit = folder.appending("unit-\(name)")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: unit)
        chmod(unit.path, 0o644)
        try FileManager.default.moveItem(at: unit, to: folder.appending("units/\(name).conf"))
        let installed = folder.appending("apps/\(name)")
        let copy = folder.appending("copy-\(name)")
        try Programs.install(Programs.url(program), as: copy)
        try FileManager.default.moveItem(at: copy, to: installed)
    }
}
