import Glibc

/// Shows pictures on the terminal's alternate screen, and reads keys without line buffering. `deinit` restores the
/// terminal, and so does a signal that stops or terminates the program.
///
/// Writes each picture over the previous picture in one write(2), to avoid flicker.
final class Screen {
    /// The settings of the terminal before ``init()``.
    ///
    /// SAFETY: written once, before the signals that read it have their action.
    nonisolated(unsafe) private static var before = termios()
    private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP]

    init() throws(CommandFailure) {
        guard Console.outputIsTerminal, Console.inputIsTerminal, tcgetattr(0, &Self.before) == 0 else {
            throw .usage("top needs a terminal as standard input and output", hint: "in scripts, use 'intentctl ps'")
        }
        Self.enter()
    }

    deinit { Self.leave() }

    private static func enter() {
        for number in signals {
            // Calls only what signal-safety(7) lists. The signal is delivered again when this function returns.
            signal(number) { number in
                Screen.leave()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        // After the program was stopped. The next picture is drawn at once, because poll(2) is interrupted.
        signal(SIGCONT) { _ in Screen.enter() }
        var raw = before
        // Receive keys immediately and without echo, including Ctrl-C.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(0, TCSANOW, &raw)
        write("\u{1b}[?1049h\u{1b}[?25l")
    }

    private static func leave() {
        write("\u{1b}[?25h\u{1b}[?1049l")
        tcsetattr(0, TCSANOW, &before)
    }

    private static func write(_ text: StaticString) { _ = Glibc.write(1, text.utf8Start, text.utf8CodeUnitCount) }

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

    /// Waits for a key. Returns nil if no key was pressed, or one that sends several bytes, such as an arrow.
    func key(waitingMilliseconds pause: Int32) -> UInt8? {
        var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        // Return nil after an interruption, such as a resized window, so that the screen is drawn again.
        guard poll(&ready, 1, pause) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(0, &bytes, bytes.count)
        // Treat the end of the input, which follows when the terminal is closed, like `q`.
        guard count > 0 else { return errno == EINTR ? nil : UInt8(ascii: "q") }
        guard bytes[0] == 27 else { return bytes[0] }
        // The bytes after the Escape of a key can arrive later, over a slow link.
        if count == 1, poll(&ready, 1, 50) > 0 {
            _ = read(0, &bytes, bytes.count)
            return nil
        }
        return count == 1 ? 27 : nil
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
