import Glibc

/// Prints messages to standard error.
package enum StandardError {
    package static func print(_ message: String) {
        let line = message + "\n"
        // Ignore a failure: if standard error is closed, the message is lost.
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
