import Foundation
import IntentLinux
import TestSupport
import Testing

/// A temporary system with a real systemd, on an overlay over this machine's files: Tests/Systemd/boot-systemd.sh.
enum BootedSystemd {
    struct Ending: Sendable {
        var exitCode: Int32
        /// Standard output and standard error, interleaved.
        var output: String

        /// The last check that passed; every check that failed is recorded as an issue.
        var lastCheck: String {
            let lines = output.split(separator: "\n")
            for line in lines where line.hasPrefix("not ok ") { Issue.record("\(line)\n\(output)") }
            #expect(exitCode == 0, "\(output)")
            return lines.last { $0.hasPrefix("ok ") }.map(String.init) ?? "none"
        }
    }

    /// The folder of the programs, beside the tests.
    static var built: String {
        get throws { try URL(filePath: ProcessFacts.executablePath()).deletingLastPathComponent().path }
    }

    /// The checkout that this test was built from.
    static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The cgroup setups that this machine supports for the booted system.
    static let cgroupModes =
        FileManager.default.fileExists(atPath: "/sys/fs/cgroup/unified") ? ["hybrid", "unified"] : ["unified"]

    /// The cgroup setups with which a script runs. `Tests/endurance` runs it with each of them. Other runs of the tests
    /// take turns by the day: each setup has half of the scripts, and the other half on the next day. The environment
    /// variable `TESTS_CGROUPS` chooses a setup.
    static func cgroupModes(for script: String) -> [String] {
        if Endurance.isWhole { return cgroupModes }
        if let chosen = ProcessInfo.processInfo.environment["TESTS_CGROUPS"] { return [chosen] }
        let day = Int(Date().timeIntervalSince1970 / 86_400)
        return [cgroupModes[(day + script.utf8.reduce(0) { $0 + Int($1) }) % cgroupModes.count]]
    }

    /// The requirement for booting a systemd that this machine lacks; nil if it lacks none.
    static let obstacle: String? = {
        guard geteuid() == 0 else { return "booting a systemd needs root" }
        let programs = [
            "/lib/systemd/systemd", "/usr/bin/systemctl", "/usr/bin/dbus-daemon", "/usr/bin/unshare",
            "/usr/bin/setpriv", "/usr/bin/script", "/usr/sbin/ip", "/usr/sbin/runuser", "/usr/sbin/useradd",
        ]
        for program in programs where !FileManager.default.isExecutableFile(atPath: program) {
            return "booting a systemd needs \(program), which this host does not have"
        }
        let trial = Process()
        trial.executableURL = URL(filePath: "/usr/bin/unshare")
        trial.arguments = ["--mount", "--pid", "--net", "--fork", "true"]
        trial.standardError = FileHandle.nullDevice
        do {
            try trial.run()
        } catch {
            return "booting a systemd needs unshare(1), which does not start: \(error)"
        }
        trial.waitUntilExit()
        return trial.terminationStatus == 0 ? nil : "booting a systemd needs namespaces, which root may not create here"
    }()

    /// The environment of Python that drives a browser; nil if this machine lacks it, the browser or Cockpit.
    static let browserPython = python(
        "chromium",
        besides: [
            "/usr/bin/chromium", "/usr/bin/chromedriver", "/usr/bin/cockpit-bridge", "/usr/bin/sudo",
            "/usr/share/cockpit/shell",
        ]
    )

    /// The environment of Python with the official MCP SDK; nil if this machine lacks it, or nginx.
    static let clientPython = python("mcp-2.3", besides: ["/usr/sbin/nginx"])

    /// Installs an environment of Python, and returns its folder; nil if that fails, or if a file is missing.
    private static func python(_ name: String, besides files: [String]) -> String? {
        guard files.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) else { return nil }
        let installing = Process()
        let output = Foundation.Pipe()
        installing.executableURL = URL(filePath: "\(project)/Tests/install-python")
        installing.arguments = [name]
        installing.standardOutput = output
        do {
            try installing.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            installing.waitUntilExit()
            return installing.terminationStatus == 0 ? text.trimmingCharacters(in: .whitespacesAndNewlines) : nil
        } catch {
            return nil
        }
    }

    /// The requirement for booting a kernel with a systemd and cgroup controllers that this machine lacks, or nil.
    static let kernelObstacle: String? = {
        for program in ["/usr/bin/linux.uml", "/usr/bin/busybox"]
        where !FileManager.default.isExecutableFile(atPath: program) {
            return "User-Mode Linux needs \(program), which this host does not have"
        }
        guard obstacle == nil else { return obstacle }
        let checking = Process()
        checking.executableURL = URL(filePath: "\(project)/Tests/Systemd/boot-uml.sh")
        checking.arguments = ["--check"]
        guard (try? checking.run()) != nil else { return "boot-uml.sh cannot be executed" }
        checking.waitUntilExit()
        return checking.terminationStatus == 77
            ? "User-Mode Linux cannot restore the registers of this processor" : nil
    }()

    /// The kernel that build-kernel.sh has built on this machine; nil if it has not, which takes minutes.
    static let builtKernel: String? = {
        let asking = Process()
        let output = Foundation.Pipe()
        asking.executableURL = URL(filePath: "\(project)/Tests/Systemd/build-kernel.sh")
        asking.arguments = ["--built"]
        asking.standardOutput = output
        asking.standardError = FileHandle.nullDevice
        guard (try? asking.run()) != nil, let data = try? output.fileHandleForReading.readToEnd() else { return nil }
        asking.waitUntilExit()
        guard asking.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }()

    /// Boots the system, runs a command in it, and shuts it down.
    static func run(_ command: [String], cgroups: String, bindings: [String]) async throws -> Ending {
        let arguments = ["-c", cgroups, "-t", "600"] + bindings.flatMap { ["-b", $0] } + command
        return try await run("boot-systemd.sh", arguments)
    }

    /// Boots the system with a separate kernel and runs a command in it, which needs about a minute.
    static func runInOwnKernel(_ command: [String]) async throws -> Ending { try await run("boot-uml.sh", command) }

    private static func run(_ script: String, _ arguments: [String]) async throws -> Ending {
        let outputPath = NSTemporaryDirectory() + "intentd-systemd-\(UUID().uuidString).log"
        try Data().write(to: URL(filePath: outputPath))
        defer {
            // The log may have been removed already.
            try? FileManager.default.removeItem(atPath: outputPath)
        }
        let output = try FileHandle(forWritingTo: URL(filePath: outputPath))
        let process = Process()
        process.executableURL = URL(filePath: "\(project)/Tests/Systemd/\(script)")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let exitCode = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        return Ending(exitCode: exitCode, output: try String(contentsOfFile: outputPath, encoding: .utf8))
    }
}
