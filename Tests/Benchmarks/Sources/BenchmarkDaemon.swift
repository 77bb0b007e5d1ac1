import Glibc
import IntentLinux

/// A private `intentd` with its socket and apps in a folder of its own, and its launcher as a service beside it: as under
/// systemd.
final class BenchmarkDaemon {
    /// An app: the benchmark's own executable under a name and with limits of its own.
    struct App {
        var name: String
        var limits: [String] = []
        var sandbox: [String] = []
        /// The app with 200 intents instead.
        var isLarge = false

        /// As it is without any configuration: two spare workers.
        static let plain = App(name: "Plain")
        /// Forked for each run.
        static let withoutSpares = App(name: "NoSpares", limits: ["Spare=0"])
        /// For very many runs at once: without the controller for it, TasksMax= holds for 64 runs together.
        static let crowd = App(name: "Crowd", sandbox: ["TasksMax=256"])
    }

    let folder: TemporaryFolder
    private let process: ChildProcess
    private let launcher: ChildProcess
    /// From the start of the program to its answer to the first client.
    private(set) var startNanoseconds: Int64 = 0
    private var hasEnded = false

    /// Starts it and waits until it answers.
    ///
    /// - Parameters:
    ///   - limits: Lines for `[Limits]` of intentd.conf.
    ///   - history: Lines for `[History]`.
    init(_ programs: Programs, apps: [App], limits: [String] = [], history: [String] = []) throws {
        folder = try TemporaryFolder()
        for name in ["apps", "units", "etc", "cache"] { try folder.makeFolder(name) }
        try folder.write(["[Limits]"] + limits + ["[History]"] + history, to: "etc/intentd.conf")
        for app in apps {
            try Self.install(app.isLarge ? programs.largeApp : programs.app, as: "\(folder.path)/apps/\(app.name)")
            let unit = ["[Limits]"] + app.limits + ["[Sandbox]"] + app.sandbox
            if unit.count > 2 { try folder.write(unit, to: "units/\(app.name).conf") }
        }
        let launcherSocket = "\(folder.path)/launcher.sock"
        let places = [
            "--apps", "\(folder.path)/apps", "--units", "\(folder.path)/units",
            "--configuration", "\(folder.path)/etc", "--cache", "\(folder.path)/cache",
        ]
        launcher = try ChildProcess.start(
            programs.starter,
            arguments: [
                programs.launcher, "--listen", launcherSocket, "--require", "reduced",
                "--state", "\(folder.path)/state/apps",
            ] + places,
            socket: try UnixSocket.Pair(.stream).take().second
        )
        Cleanup.add(launcher.number)
        try Self.wait("the launcher does not listen", for: launcher) { access(launcherSocket, F_OK) == 0 }
        let ends = try UnixSocket.Pair(.stream).take()
        let begin = ClockReading.monotonicNanoseconds()
        process = try ChildProcess.start(
            programs.intentd,
            arguments: [
                "--socket", "\(folder.path)/intentd.sock", "--state", "\(folder.path)/state",
                "--launcher-socket", launcherSocket,
            ] + places,
            socket: ends.second
        )
        Cleanup.add(process.number)
        try Self.wait("intentd does not serve", for: process) { (try? connect()) != nil }
        startNanoseconds = ClockReading.monotonicNanoseconds() - begin
    }

    deinit { stop() }

    var number: Int32 { process.number }

    /// The launcher, and all below it.
    var family: [ProcessTable.Entry] {
        [ProcessTable.Entry(number: launcher.number, parent: getpid(), name: "intentd-launche")]
            + ProcessTable.family(of: launcher.number)
    }

    func connect() throws -> DaemonConnection { try DaemonConnection(to: "\(folder.path)/intentd.sock") }

    /// Lets every user of the machine connect.
    func admitEverybody() throws {
        let socket = "\(folder.path)/intentd.sock"
        try syscall("chmod", on: socket) { chmod(socket, 0o666) }
    }

    /// This program at a place that every user can reach.
    func copyOfOwnProgram() throws -> String {
        let path = "\(folder.path)/benchmarks"
        if access(path, X_OK) != 0 { try Self.install(try ProcessFacts.executablePath(), as: path) }
        return path
    }

    /// Ends it in order, and all that it started.
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

    /// Of one and the same file where that can be: a hundred apps are a hundred times its size else.
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

/// The programs that are measured.
struct Programs {
    /// Where the build left them: beside this one.
    let folder: String

    let app: String
    let largeApp: String

    var intentd: String { "\(folder)/intentd" }
    var launcher: String { "\(folder)/intentd-launcher" }
    var starter: String { "\(folder)/intentd-starter" }

    init(app: String?, largeApp: String?) throws {
        folder = try ProcessFacts.executablePath().split(separator: "/").dropLast().map { "/\($0)" }.joined()
        self.app = app ?? "\(folder)/BenchmarkApp"
        self.largeApp = largeApp ?? "\(folder)/BenchmarkLargeApp"
    }
}
