import IntentLinux

/// Prints lines for the user who started the server.
enum WebConsole {
    /// Prints a line to standard output. Only the address is printed there, so that other programs can read it.
    static func output(_ line: String) { write(line, to: 1) }

    static func note(_ line: String) { write(line, to: 2) }

    private static func write(_ line: String, to descriptor: Int32) {
        // Ignore a write error, because the terminal may be closed.
        try? File.write(descriptor, Array((SafeText.line(line) + "\n").utf8)[...])
    }
}
