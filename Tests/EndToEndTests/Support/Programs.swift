import Foundation
import Testing

/// The built programs, which are in the folder of the test bundle.
enum Programs {
    static func url(_ name: String) -> URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: name)
    }

    static var intentctl: URL { url("intentctl") }
    static var intentd: URL { url("intentd") }

    /// Copies a program so that every user may execute it.
    ///
    /// Another process writes the copy, because a file that this process writes is also open in each child that a test
    /// forks, until the child's exec, and a program that is open for writing cannot be executed (execve(2), ETXTBSY).
    static func install(_ program: URL, as copy: URL) throws {
        let command = try Command(
            URL(fileURLWithPath: "/usr/bin/install"),
            ["--mode=755", "--", program.path, copy.path]
        )
        try #require(command.exitCode() == 0, "\(command.errors)")
    }
}
