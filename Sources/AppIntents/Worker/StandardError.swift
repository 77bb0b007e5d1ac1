import Glibc

/// Where a process that ends by itself says why.
enum StandardError {
    static func print(_ message: String) {
        let line = message + "\n"
        // A closed stderr cannot be told to anybody.
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}
