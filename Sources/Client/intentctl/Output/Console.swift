import Glibc
import IntentLinux

/// Writes results to standard output, and everything else to standard error.
enum Console {
    static let errorIsTerminal = isatty(2) == 1
    static let inputIsTerminal = isatty(0) == 1
    static let outputIsTerminal = isatty(1) == 1

    /// True if standard error is connected to the journal (systemd.exec(5), JOURNAL_STREAM).
    static let errorIsJournal: Bool = {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(2, &status) == 0 else { return false }
        return String(foreign: stream) == "\(status.st_dev):\(status.st_ino)"
    }()

    /// Returns the size of the terminal; 80 columns and 24 rows if it is unknown.
    static func size() -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Returns the terminal's width in columns; 80 if it is unknown.
    static func columns() -> Int { size().columns }

    /// Reads a line from standard input; nil at its end.
    static func line() -> String? { readLine().map { String(foreign: $0.utf8) } }

    /// Prints a result to standard output, followed by a line break.
    ///
    /// - Throws: ``CommandFailure`` if writing fails, for example on a full disk. A closed pipe is not an error.
    static func output(_ text: String) throws(CommandFailure) {
        let code = write(shown(text, isTerminal: outputIsTerminal) + "\n", to: 1)
        guard code == 0 || code == EPIPE else {
            throw CommandFailure.output(
                "cannot write the result to standard output: \(String(foreign: strerror(code)))",
                hint: "free some space, or redirect the output"
            )
        }
    }

    /// Prints a JSON document with one member per line.
    static func output(_ document: JSONValue) throws(CommandFailure) { try output(document.prettyText()) }

    /// Writes a string to standard output unchanged.
    static func raw(_ text: String) throws(CommandFailure) {
        let code = write(text, to: 1)
        guard code == 0 || code == EPIPE else {
            throw CommandFailure.output("cannot write: \(String(foreign: strerror(code)))")
        }
    }

    /// Prints a message to standard error. Ignores failures, because they cannot be reported elsewhere.
    static func note(_ text: String) {
        _ = write(shown(text, isTerminal: errorIsTerminal) + "\n", to: 2)
    }

    /// Removes control characters from a string for a terminal, as a last safeguard. Files and other programs receive
    /// the string unchanged.
    private static func shown(_ text: String, isTerminal: Bool) -> String {
        isTerminal ? SafeText.printed(text) : text
    }

    /// Writes a string to standard error unchanged.
    static func draw(_ text: String) {
        _ = write(text, to: 2)
    }

    /// - Returns: 0, or the errno of the failed write.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                let code = errno
                switch code {
                case EINTR: continue
                case EAGAIN:
                    // Another process that shares the terminal or pipe has set O_NONBLOCK, so wait until the descriptor
                    // is writable.
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&ready, 1, -1)
                    continue
                default: return code
                }
            }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}

extension Invocation {
    /// Prints the result of a command: the document with `--output json`, and the text otherwise.
    func output(json document: @autoclosure () -> JSONValue, text: @autoclosure () -> String) throws(CommandFailure) {
        try Console.output(wantsJSON ? document().prettyText() : text())
    }
}
