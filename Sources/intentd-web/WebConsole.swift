import IntentLinux

/// Prints lines for the user who started the server.
enum WebConsole {
    /// Prints the address to standard output, so that other programs can read it.
    static func output(_ line: String) { write(line, to: 1) }

    static func note(_ line: String) { write(line, to: 2) }

    private static func write(_ line: String, to descriptor: Int32) {
        // Ignore the error: if the terminal is closed, no user can read the line.
        try? File.write(descriptor, Array((SafeText.line(line) + "\n").utf8)[...])
    }
}
