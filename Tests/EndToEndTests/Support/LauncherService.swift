import Foundation
import Glibc

/// A launcher that successive daemons share. It is stopped when the last of them is released.
final class LauncherService {
    let command: Command
    private let executable: URL
    private let arguments: [String]

    init(_ executable: URL, _ arguments: [String]) throws {
        self.executable = executable
        self.arguments = arguments
        command = try Command(executable, arguments)
    }

    /// Starts a new launcher after this one has exited, as systemd does.
    func startNext() throws -> LauncherService { try LauncherService(executable, arguments) }

    deinit {
        if command.isRunning {
            command.signal(SIGTERM)
            command.exitCode()
        }
    }
}
