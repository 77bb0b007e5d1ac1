import Glibc
import IntentLinux

/// An `intentd` with its socket and apps in a temporary folder, and the launcher as a separate service, as under
/// systemd.
final class BenchmarkDaemon {
    /// An installation of the benchmark app, with its own name and limits.
    struct App {
        var name: String
        var limits: [String] = []
        var sandbox: [String] = []
        /// True for the app with 200 intents.
        var isLarge = false

        /// The default configuration, with two spares.
        static let plain = App(name: "Plain")
        /// Without spares: a worker is forked for each run.
        static let withoutSpares = App(name: "NoSpares", limits: ["Spare=0"])
        /// For very many concurrent runs: without a pids controller, 64 runs share TasksMax=.
        static let crowd = App(name: "Crowd", sandbox: ["TasksMax=256"])
    }

    let folder: TemporaryFolder
    private let process: ChildProcess
    private let launcher: ChildProcess
    /// The time from the start of intentd to its answer to the first client.
    private(set) var startNanoseconds: Int64 = 0
    private var hasEnded = false

    /// Starts the daemon and waits until it answers.
    ///
    /// - Parameters:
    ///   - limits: The lines of `[Limits]` of intentd.conf.
    ///   - history: The lines of `[History]` of intentd.conf.
    ///   - agents: The lines of `[Agents]` of intentd.conf.
    ///   - commands: The lines of the file of intentd.command(5) for the app `Tools`; empty for no such app.
    ///   - shortcuts: The lines of files of intentd.shortcut(5), by name.
    ///   - shares: The cgroups for intentd and the launcher; nil for the cgroup of this process.
    init(
        _ programs: Programs,
        apps: [App],
        limits: [String] = [],
        history: [String] = [],
        agents: [String] = [],
        commands: [String] = [],
        shortcuts: [String: [String]] = [:],
        shares: ProcessorShares? = nil
    ) throws {
        folder = try TemporaryFolder()
        for name in ["apps", "units", "commands", "shortcuts", "etc", "cache"] { try folder.makeFolder(name) }
        try folder.write(
            ["[Limits]"] + limits + ["[History]"] + history + ["[Agents]"] + agents,
            to: "etc/intentd.conf"
        )
        for app in apps {
            try Self.install(app.isLarge ? programs.largeApp : programs.app, as: "\(folder.path)/apps/\(app.name)")
            let unit = ["[Limits]"] + app.limits + ["[Sandbox]"] + app.sandbox
            if unit.count > 2 { try folder.write(unit, to: "units/\(app.name).conf") }
        }
        if !commands.isEmpty { try folder.write(commands, to: "commands/Tools.intents") }
        for (name, lines) in shortcuts { try folder.write(lines, to: "shortcuts/\(name).shortcut") }
        let launcherSocket = "\(folder.path)/launcher.sock"
        let folders = [
            "--apps", "\(folder.path)/apps", "--units", "\(folder.path)/units",
            "--commands", "\(folder.path)/commands", "--shortcuts", "\(folder.path)/shortcuts",
            "--configuration", "\(folder.path)/etc", "--cache", "\(folder.path)/cache",
        ]
        launcher = try ChildProcess.start(
            programs.starter,
            arguments: [
                programs.launcher, "--listen", launcherSocket, "--require", "reduced",
                "--state", "\(folder.path)/state/apps",
            ] + folders,
            socket: try UnixSocket.Pair(.stream).shared().second
        )
        Cleanup.add(launcher.number)
        try shares?.place(launcher: launcher.number)
        try Self.wait("the launcher does not listen", for: launcher) { access(launcherSocket, F_OK) == 0 }
        let ends = try UnixSocket.Pair(.stream).shared()
        let begin = ClockReading.monotonicNanoseconds()
        process = try ChildProcess.start(
            programs.intentd,
            arguments: [
                "--socket", "\(folder.path)/intentd.sock", "--state", "\(folder.path)/state",
                "--launcher-socket", launcherSocket,
            ] + folders,
            socket: ends.second
        )
        Cleanup.add(process.number)
        try shares?.place(intentd: process.number)
        try Self.wait("intentd does not serve", for: process) { (try? connect()) != nil }
        startNanoseconds = ClockReading.monotonicNanoseconds() - begin
    }

    deinit { stop() }

    var number: Int32 { process.number }

    /// The launcher and all its descendants.
    var family: [ProcessTable.Entry] {
        [ProcessTable.Entry(number: launcher.number, parent: getpid(), name: "intentd-launche")]
            + ProcessTable.family(of: launcher.number)
    }

    var socket: String { "\(folder.path)/intentd.sock" }

    func connect() throws -> DaemonConnection { try DaemonConnection(to: socket) }

    /// Lets every user of the host connect.
    func admitEverybody() throws {
        let socket = socket
        try syscall("chmod", on: socket) { chmod(socket, 0o666) }
    }

    /// The path of a copy of this program that every user can execute.
    func copyOfOwnProgram() throws -> String {
        let path = "\(folder.path)/benchmarks"
        if access(path, X_OK) != 0 { try Self.install(try ProcessFacts.executablePath(), as: path) }
        return path
    }

    /// Stops intentd and its launcher gracefully.
    func stop() {
        guard !hasEnded else { return }
        hasEnded = true
        for (name, child) in [("intentd", process), ("intentd-launcher", launcher)] {
            kill(child.number, SIGTERM)
            if let problem = child.waitForEnd() { Console.say("\(name) \(problem)") }
            Cleanup.remove(child.number)
        }
    }

    private static func wait(_ problem: String, for process: ChildProcess, until isTrue: () -> Bool) throws {
        let begin = ClockReading.monotonicNanoseconds()
        while !isTrue() {
            guard ClockReading.monotonicNanoseconds() - begin < 20_000_000_000, ChildEnd.isAlive(process.number) else {
                throw BenchmarkError(problem)
            }
            usleep(200)
        }
    }

    /// Installs a hard link where possible, because a hundred copies would use much disk space.
    private static func install(_ executable: String, as path: String) throws {
        if link(executable, path) == 0 { return }
        let source = try File.open(executable)
        let target = try File.open(path, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o755)
        while let bytes = try File.read(source.rawValue, upTo: 1 << 20), !bytes.isEmpty {
            try File.write(target.rawValue, bytes[...])
        }
        try syscall("fchmod", on: path) { fchmod(target.rawValue, 0o755) }
    }
}

/// The paths of the measured programs.
struct Programs {
    /// The build folder, which also has this program.
    let folder: String

    var app: String { "\(folder)/BenchmarkApp" }
    /// The app with 200 intents.
    var largeApp: String { "\(folder)/BenchmarkLargeApp" }
    var intentctl: String { "\(folder)/intentctl" }
    var intentd: String { "\(folder)/intentd" }
    var launcher: String { "\(folder)/intentd-launcher" }
    var starter: String { "\(folder)/intentd-starter" }

    init() throws {
        folder = try ProcessFacts.executablePath().split(separator: "/").dropLast().map { "/\($0)" }.joined()
    }
}
