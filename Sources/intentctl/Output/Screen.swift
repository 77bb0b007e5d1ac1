import Glibc
import Synchronization

/// The whole terminal, for a while: its own screen, keys one by one, and everything as before at the end.
///
/// Each picture is written at once, line over line, so that nothing flickers.
final class Screen {
    private var before = termios()
    /// Somebody ended us by a signal: the terminal is given back first.
    private static let isEnded = Atomic(false)

    init() throws(CommandFailure) {
        guard Console.outputIsTerminal, Console.inputIsTerminal, tcgetattr(0, &before) == 0 else {
            throw .usage("top needs a terminal", hint: "'intentctl ps' prints the same once, in scripts too.")
        }
        var raw = before
        // Keys come at once and unseen, Ctrl-C among them.
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

    /// Shows these lines, as far as they fit. They must be clean of control characters.
    func draw(_ lines: [String]) {
        let (columns, rows) = size
        let fitting = lines.prefix(rows).map { DisplayWidth.fit($0, in: columns) + "\u{1b}[K" }
        write("\u{1b}[H" + fitting.joined(separator: "\r\n") + "\u{1b}[J")
    }

    /// Waits that long for a key; nil when none came. A signal that ends us is the wish to leave.
    func key(waitingMilliseconds pause: Int32) -> UInt8? {
        var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        // An interruption, such as by a change of the window's size, is time for a new picture.
        let isReady = poll(&ready, 1, pause) > 0
        if Self.isEnded.load(ordering: .relaxed) { return UInt8(ascii: "q") }
        guard isReady else { return nil }
        var byte: UInt8 = 0
        // A terminal that is gone reads as its end: the same as the wish to leave.
        return read(0, &byte, 1) == 1 ? byte : UInt8(ascii: "q")
    }

    private func write(_ text: String) {
        do throws(CommandFailure) {
            try Console.raw(text)
        } catch {
            // A terminal that takes nothing shows nothing.
            return
        }
    }
}
