import Foundation
import Glibc
import IntentLinux
import Testing

extension Daemon {
    /// Starts a detached run and returns its identifier.
    func detach(_ arguments: String...) throws -> String { try detach(arguments) }

    func detach(_ arguments: [String]) throws -> String {
        let command = try start(["run", "--detach"] + arguments)
        try #require(command.exitCode() == 0, "\(command.errors)")
        return command.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func makeFolder(_ name: String) throws -> URL {
        let made = folder.appending(name)
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        return made
    }

    /// The runs that have kept result files.
    var keptResults: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.appending("cache/results").path) }
    }

    /// The disk space that a file occupies.
    func blockByteCount(of file: URL) throws -> Int {
        var status = stat()
        try #require(stat(file.path, &status) == 0)
        return Int(status.st_blocks) * 512
    }

    /// The peak resident memory of intentd.
    var peakMemoryByteCount: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1])) * 1024
        }
    }

    /// The folders in the host's cgroup2 tree that carry this launcher's pid in their names.
    static func cgroups(of launcher: Int32) throws -> [String] {
        let own = "intentd-launcher-\(launcher)"
        return try allCgroups().filter { $0.hasSuffix(own) || $0.contains(own + ".") && !$0.contains(own + "/") }
    }

    /// The paths of the cgroups that this launcher has created for runs.
    static func leaves(of launcher: Int32) throws -> [String] {
        let own = try cgroups(of: launcher)
        return try allCgroups().filter { path in
            own.contains { path.hasPrefix($0 + "/") } && (path as NSString).lastPathComponent.hasPrefix("run-")
        }
    }

    private static func allCgroups() throws -> [String] {
        let mounts = try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8).split(separator: "\n")
        guard let mount = mounts.first(where: { $0.contains(" - cgroup2 ") })?.split(separator: " ")[4] else {
            return []
        }
        let names = FileManager.default.enumerator(atPath: String(mount))?.allObjects ?? []
        return names.compactMap { $0 as? String }.map { "\(mount)/\($0)" }
    }

    /// True when no run folder is in use or holds files.
    var isCleared: Bool { runFolders == [] }

    /// Run folders in use or with files in them. Empty folders without a worker, and those of spares, are kept for
    /// later runs.
    var runFolders: [String] {
        let runs = folder.appending("cache/runs").path
        // Each launcher has a folder of its sandboxes, which contain the run folders.
        let folders = (1...3).reduce([runs]) { parents, _ in
            parents.flatMap { parent in Self.names(in: parent).map { "\(parent)/\($0)" } }
        }
        let places = Set(workers.keys.compactMap { Self.number(of: "/proc/\($0)/cwd") })
        return folders.filter { folder in
            // The folder may have been removed since it was listed.
            guard let number = Self.number(of: folder) else { return false }
            // A folder that cannot be read counts as not empty. The launcher adds links to grants below /tmp.
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
                return target?.hasPrefix("/run/intentd/tmp/") != true
            }
            let isEmpty = names?.isEmpty ?? false
            return !isEmpty || places.contains(number)
        }
    }

    private static func number(of path: String) -> UInt64? { (try? File.status(at: path))?.inode }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// The folder of the run that has created a file with this name.
    func runFolder(holding name: String) throws -> URL {
        let runs = folder.appending("cache/runs")
        var found: URL?
        try eventually("a run has made '\(name)': \((try? intentctl("history").output) ?? "") \(errors)") {
            let paths = FileManager.default.enumerator(atPath: runs.path)?.compactMap { $0 as? String } ?? []
            found = paths.first { $0.hasSuffix("/\(name)") }.map {
                runs.appending(path: $0).deletingLastPathComponent()
            }
            return found != nil
        }
        return try #require(found)
    }
}
