import Foundation
import Glibc

/// Real terminals, provided by tmux(1), each with a shell.
final class Terminals {
    private static let program = "/usr/bin/tmux"
    static let isThere = access(program, X_OK) == 0
    private let socket: String
    /// Keeps the folder, because without the socket in it the server could not be stopped.
    private let folder: TemporaryFolder
    private var names: [String] = []

    init(in folder: TemporaryFolder) {
        self.folder = folder
        socket = folder.appending("tmux.sock").path
    }

    deinit {
        // The server exits with its last session. kill-server would not work: it raises SIGTERM, which is blocked in
        // all threads of the tests.
        for name in names { _ = try? tmux(["kill-session", "-t", name]) }
    }

    func open(_ name: String, shell: String = "sh", columns: Int = 100, rows: Int = 30) throws {
        names.append(name)
        // The first session starts tmux's server. It would inherit the pipe by which Foundation notices the exit of a
        // process, and keep it open.
        let closing = "for fd in $(ls /proc/$$/fd); do [ $fd -le 2 ] || eval \"exec $fd>&-\"; done; exec \"$@\""
        _ = try run([
            "/bin/bash", "-c", closing, "bash", Self.program, "-S", socket, "-f", "/dev/null", "new-session", "-d",
            "-s", name, "-x", "\(columns)", "-y", "\(rows)", "PS1='ready> ' exec \(shell)",
        ])
        try wait(name, for: "ready>")
    }

    /// Types a line and presses Enter.
    func type(_ line: String, in name: String) throws {
        try write(line, in: name)
        try press("Enter", in: name)
    }

    /// Types text without pressing Enter.
    func write(_ text: String, in name: String) throws {
        _ = try tmux(["send-keys", "-t", name, "-l", "--", text])
    }

    /// Presses one key, by tmux's name for it.
    func press(_ key: String, in name: String) throws { _ = try tmux(["send-keys", "-t", name, key]) }

    /// Copies the terminal's output, byte for byte, into a file.
    func record(_ name: String, to path: String) throws {
        _ = try tmux(["pipe-pane", "-o", "-t", name, "cat >'\(path)'"])
    }

    /// The terminal's screen and scrollback.
    func screen(_ name: String) throws -> String { try tmux(["capture-pane", "-p", "-J", "-S", "-200", "-t", name]) }

    func wait(_ name: String, for text: String) throws {
        var seen = ""
        try eventually("the terminal \(name) shows '\(text)'; it shows: \(seen)") {
            seen = try screen(name)
            return seen.contains(text)
        }
    }

    /// Waits until the shell prompts again. A line with a command behind the prompt may be the one that runs now.
    func waitForShell(_ name: String) throws {
        var seen = ""
        try eventually("the shell of terminal \(name) is back; it shows: \(seen)") {
            seen = try screen(name)
            let last = seen.split(separator: "\n").last { !$0.allSatisfy(\.isWhitespace) }
            return last?.trimmingCharacters(in: .whitespaces) == "ready>"
        }
    }

    private func tmux(_ words: [String]) throws -> String {
        try run([Self.program, "-S", socket] + words)
    }

    private func run(_ words: [String]) throws -> String {
        let command = try Command(URL(fileURLWithPath: words[0]), Array(words.dropFirst()))
        command.exitCode()
        return command.output
    }
}
