import Glibc
import Synchronization

/// Shows pictures on the terminal's alternate screen, and reads keys without line buffering. `deinit` restores the
/// terminal.
///
/// Writes each picture over the previous picture in one write(2), to avoid flicker.
final class Screen {
    private var before = termios()
    /// True after SIGTERM or SIGHUP. The program restores the terminal before it exits.
    private static let isEnded = Atomic(false)

    init() throws(CommandFailure) {
        guard Console.outputIsTerminal, Console.inputIsTerminal, tcgetattr(0, &before) == 0 else {
            throw .usage("top needs a terminal as standard input and output", hint: "in scripts, use 'intentctl ps'")
        }
        var raw = before
        // Receive keys immediately and without echo, including Ctrl-C.
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

    /// Draws as many lines as fit on the screen, each cut to the screen's width. The lines must not contain control
    /// characters.
    func draw(_ lines: [String]) {
        let (columns, rows) = size
        let fitting = lines.prefix(rows).map { DisplayWidth.fit($0, in: columns) + "\u{1b}[K" }
        write("\u{1b}[H" + fitting.joined(separator: "\r\n") + "\u{1b}[J")
    }

    /// Waits for a key. Returns nil if no key was pressed, and `q` after a signal that terminates the program.
    func key(waitingMilliseconds pause: Int32) -> UInt8? {
        var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        // Return nil after an interruption, such as a resized window, so that the screen is drawn again.
        let isReady = poll(&ready, 1, pause) > 0
        if Self.isEnded.load(ordering: .relaxed) { return UInt8(ascii: "q") }
        guard isReady else { return nil }
        var byte: UInt8 = 0
        // Treat the end of the input, which follows when the terminal is closed, like `q`.
        return read(0, &byte, 1) == 1 ? byte : UInt8(ascii: "q")
    }

    private func write(_ text: String) {
        do throws(CommandFailure) {
            try Console.raw(text)
        } catch {
            // Ignore the error. If the terminal is not writable, no other output is available.
            return
        }
    }
}
