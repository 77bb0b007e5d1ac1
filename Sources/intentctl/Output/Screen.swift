import Glibc
import Synchronization

/// The whole terminal: the alternate screen, with keys read one by one. The terminal is restored at the end.
///
/// Each picture is written in one call, over the previous one, so that it does not flicker.
final class Screen {
    private var before = termios()
    /// A signal ended the program. The terminal is restored first.
    private static let isEnded = Atomic(false)

    init() throws(CommandFailure) {
        guard Console.outputIsTerminal, Console.inputIsTerminal, tcgetattr(0, &before) == 0 else {
            throw .usage("top needs a terminal as standard input and output", hint: "in scripts, use 'intentctl ps'.")
        }
        var raw = before
        // Every key arrives at once and without an echo, Ctrl-C included.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(0, TCSANOW, &raw)
        for number in [SIGTERM, SIGHUP] { signal(number) { _ in Screen.isEnded.store(true, ordering: .relaxed) } }
        write("\u{1b}[?1049h\u{1b}[?25l")
    }

    deinit {
        write("\u{1b}[?25h\u{1b}[?1049l")
        tcsetattr(0, TCSANOW, &before)
    }

    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Shows the lines that fit. They must not contain control characters.
    func draw(_ lines: [String]) {
        let (columns, rows) = size
        let fitting = lines.prefix(rows).map { DisplayWidth.fit($0, in: columns) + "\u{1b}[K" }
        write("\u{1b}[H" + fitting.joined(separator: "\r\n") + "\u{1b}[J")
    }

    /// Waits for a key; nil when none was pressed. A signal that ends the program reads as `q`.
    func key(waitingMilliseconds pause: Int32) -> UInt8? {
        var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        // After an interruption, such as a change of the window's size, the caller draws again.
        let isReady = poll(&ready, 1, pause) > 0
        if Self.isEnded.load(ordering: .relaxed) { return UInt8(ascii: "q") }
        guard isReady else { return nil }
        var byte: UInt8 = 0
        // A closed terminal reads as its end, which exits like `q`.
        return read(0, &byte, 1) == 1 ? byte : UInt8(ascii: "q")
    }

    private func write(_ text: String) {
        do throws(CommandFailure) {
            try Console.raw(text)
        } catch {
            // Without a terminal to write to, there is nothing to show.
            return
        }
    }
}
