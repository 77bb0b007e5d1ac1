import Foundation
import Glibc

/// A launcher that successive daemons share. It is stopped when the last of them is released.
final class LauncherService {
    let command: Command

    init(_ executable: URL, _ arguments: [String]) throws {
        command = try Command(executable, arguments)
    }

    deinit {
        if command.isRunning {
            command.signal(SIGTERM)
            command.exitCode()
        }
    }
}
