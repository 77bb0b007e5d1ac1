import Glibc

/// Prints messages to standard error.
package enum StandardError {
    package static func print(_ message: String) {
        let line = message + "\n"
        // Ignore a failure: a message to a closed stderr is lost.
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
