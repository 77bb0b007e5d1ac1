import IntentLinux

/// Lines for the user who started the server.
enum WebConsole {
    /// Prints the address, which programs read, too.
    static func output(_ line: String) { write(line, to: 1) }

    static func note(_ line: String) { write(line, to: 2) }

    private static func write(_ line: String, to descriptor: Int32) {
        // A terminal that has closed cannot be told.
        try? File.write(descriptor, Array((SafeText.line(line) + "\n").utf8)[...])
    }
}
