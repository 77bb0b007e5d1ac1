import Glibc

/// Prints why the process exits.
package enum StandardError {
    package static func print(_ message: String) {
        let line = message + "\n"
        // A message to a closed stderr is lost.
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
