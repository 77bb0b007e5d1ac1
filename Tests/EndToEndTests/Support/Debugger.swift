import Foundation
import Testing

/// A debugger that the documentation of debugging names.
struct Debugger: Sendable, CustomTestStringConvertible {
    static let all = [Debugger(name: "gdb"), Debugger(name: "lldb")]

    let name: String
    private var isLLDB: Bool { name == "lldb" }

    var testDescription: String { name }

    /// The debugger's executable. The test is skipped if it is not installed.
    func path() throws -> URL {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let path = folders.lazy.map { URL(fileURLWithPath: "\($0)/\(name)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let path else { try skipTest("needs \(name)") }
        // A toolchain's lldb needs the Python of the distribution that the toolchain was built for.
        let version = try Command(path, ["--version"])
        guard version.exitCode() == 0 else { try skipTest("\(name) does not start: \(version.errors)") }
        return path
    }

    /// Attaches to a process and executes these commands, one of each pair.
    func attach(to process: String, _ commands: [(gdb: String, lldb: String)]) throws -> Command {
        try command(["-p", process] + batch(commands))
    }

    /// Starts a program and executes these commands, one of each pair.
    func start(_ program: URL, _ arguments: [String], _ commands: [(gdb: String, lldb: String)]) throws -> Command {
        let options = batch(commands) + (isLLDB ? ["--"] : ["--args"])
        return try command(options + [program.path] + arguments)
    }

    /// Starts the debugger without the blocked signals of the test's threads. gdb waits for SIGCHLD.
    private func command(_ arguments: [String]) throws -> Command {
        try Command(URL(fileURLWithPath: "/usr/bin/env"), ["--default-signal", path().path] + arguments)
    }

    private func batch(_ commands: [(gdb: String, lldb: String)]) -> [String] {
        isLLDB
            ? ["--no-lldbinit", "--batch"] + commands.flatMap { ["-o", $0.lldb] }
            : ["-nx", "-batch", "-ex", "set breakpoint pending on"] + commands.flatMap { ["-ex", $0.gdb] }
    }
}

/// A line of the app Probe at which a debugger can stop.
struct SourceLine {
    let file: String
    let number: Int

    /// Finds the first line with this text in a source file of Probe.
    init(containing text: String, in file: String) throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Apps/Probe/\(file)")
        let lines = try String(contentsOf: source, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        self.file = file
        number = try #require(lines.firstIndex { $0.contains(text) }) + 1
    }

    var breakpoint: (gdb: String, lldb: String) {
        ("break \(file):\(number)", "breakpoint set --file \(file) --line \(number)")
    }
}
