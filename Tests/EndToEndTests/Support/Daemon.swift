import Foundation
import Glibc
import IntentLinux
import Testing

/// A real `intentd` with its launcher, apps and socket in a folder of its own.
final class Daemon {
    let folder: TemporaryFolder
    private let command: Command

    /// Starts it with the apps Probe and Archive, and waits until it serves.
    ///
    /// - Parameters:
    ///   - limits: The lines of `[Limits]` for the app Probe.
    ///   - sandbox: Those of `[Sandbox]`; many of its intents start processes.
    init(
        limits: [String] = [],
        sandbox: [String] = ["Subprocesses=yes"],
        configuration: [String] = []
    ) throws {
        folder = try TemporaryFolder()
        for name in ["apps", "units", "etc"] {
            try FileManager.default.createDirectory(at: folder.appending(name), withIntermediateDirectories: true)
            chmod(folder.appending(name).path, 0o755)
        }
        for app in ["Probe", "Archive"] {
            let installed = folder.appending("apps/\(app)")
            try FileManager.default.copyItem(at: Programs.url(app), to: installed)
            chmod(installed.path, 0o755)
        }
        try Self.write(
            ["[Limits]"] + limits + ["[Sandbox]"] + sandbox,
            to: folder.appending("units/Probe.conf")
        )
        try Self.write((["[Limits]"] + configuration), to: folder.appending("etc/intentd.conf"))
        let socket = folder.appending("intentd.sock")
        command = try Command(
            Programs.intentd,
            [
                "--socket", socket.path,
                "--apps", folder.appending("apps").path,
                "--units", folder.appending("units").path,
                "--configuration", folder.appending("etc").path,
                "--cache", folder.appending("cache").path,
            ]
        )
        try eventually("intentd listens; it says: \(command.errors)") {
            // The file is there a moment before anybody listens.
            (try? UnixSocket.connect(.stream, to: socket.path)) != nil
        }
    }

    /// Stops it in order, so that nothing of it outlives the test.
    deinit {
        if command.isRunning {
            command.signal(SIGTERM)
            command.exitCode()
        }
    }

    private static func write(_ lines: [String], to file: URL) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        chmod(file.path, 0o644)
    }

    var socket: String { folder.appending("intentd.sock").path }
    var number: Int32 { command.number }
    var isRunning: Bool { command.isRunning }
    var errors: String { command.errors }

    func signal(_ number: Int32) { command.signal(number) }
    func exitCode() -> Int32 { command.exitCode() }

    /// Starts `intentctl` against this daemon.
    func start(_ arguments: [String], input: URL? = nil) throws -> Command {
        try Command(Programs.intentctl, ["--socket", socket] + arguments, input: input, directory: folder.url)
    }

    /// Runs `intentctl` to its end.
    func intentctl(_ arguments: String..., input: URL? = nil) throws -> (code: Int32, output: String, errors: String) {
        let command = try start(arguments, input: input)
        let code = command.exitCode()
        return (code, command.output, command.errors)
    }

    func json(_ arguments: String...) throws -> [String: Any] {
        let command = try start(["--output", "json"] + arguments)
        command.exitCode()
        let object = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
        return try #require(object as? [String: Any], "\(command.output) \(command.errors)")
    }

    /// The run that is under way; waits until there is one in that state.
    func run(in state: String = "running") throws -> String {
        var found: String?
        try eventually("a run is \(state)") {
            let runs = try json("ps")["runs"] as? [[String: Any]] ?? []
            found = runs.first { $0["state"] as? String == state }?["run"] as? String
            return found != nil
        }
        return try #require(found)
    }

    /// Every process below this daemon, by number and name: its launcher, and workers.
    var family: [Int32: String] { ProcessFamily.below(number) }

    /// The workers, and all that they started.
    var workers: [Int32: String] { family.filter { !Self.ownNames.contains($0.value) } }

    /// The launcher as /proc has it, which keeps 15 characters of a name.
    static let launcherName = "intentd-launche"

    /// The launcher, and what it keeps for each app.
    static let ownNames: Set = [launcherName, "intentd-init", "intentd-fork"]

    /// The memory of intentd itself that is in use.
    func residentKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1]))
    }

    var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/fd").count) ?? -1
    }

    /// The folders of the host's cgroup2 tree whose names hold this number.
    static func cgroups(of launcher: Int32) throws -> [String] {
        let mounts = try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8).split(separator: "\n")
        guard let mount = mounts.first(where: { $0.contains(" - cgroup2 ") })?.split(separator: " ")[4] else {
            return []
        }
        let names = FileManager.default.enumerator(atPath: String(mount))?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix("intentd-launcher-\(launcher)") }
    }

    /// Folders of runs that were not removed.
    var runFolders: [String] {
        let runs = folder.appending("cache/runs").path
        return Self.names(in: runs).flatMap { sandbox in Self.names(in: "\(runs)/\(sandbox)") }
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
