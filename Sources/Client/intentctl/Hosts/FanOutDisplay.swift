import IntentLinux

/// Shows the progress of the command on each host. On a terminal, redraws one line for each host. Elsewhere, prints
/// each line when it arrives, preceded by the host's name.
struct FanOutDisplay {
    private static let mostRows = 20
    private static let pause: Duration = .milliseconds(50)

    private let hosts: [String]
    private var states: [String]
    private var drawnRows = 0
    private var drawnAt: ContinuousClock.Instant?

    init(_ hosts: [HostName]) {
        self.hosts = hosts.map(\.text)
        states = hosts.map { _ in "waiting" }
    }

    mutating func began(_ host: Int) { set("connecting", of: host) }

    mutating func ended(_ host: Int, _ code: ExitCode) {
        set(code == .done ? "done" : "failed, exit code \(code.rawValue)", of: host)
        draw(isForced: true)
    }

    mutating func show(_ line: HostLines.Line, of host: Int) {
        switch line {
        case .progress(let text):
            set(text.hasPrefix(utf8: "progress: ") ? String(text.dropFirst(scalars: 10)) : text, of: host)
            if !Console.errorIsTerminal { Console.note("\(hosts[host]): \(text)") }
        case .note(let text):
            erase()
            Console.note("\(hosts[host]): \(text)")
            draw(isForced: true)
        }
    }

    /// Erases the hosts' lines from the terminal.
    mutating func erase() {
        guard drawnRows > 0 else { return }
        // Move to the first line, and clear from there to the end of the screen (console_codes(4)).
        Console.draw("\u{1B}[\(drawnRows)A\r\u{1B}[J")
        drawnRows = 0
    }

    private mutating func set(_ state: String, of host: Int) {
        states[host] = SafeText.line(state)
        draw(isForced: false)
    }

    private mutating func draw(isForced: Bool) {
        guard Console.errorIsTerminal else { return }
        let now = ContinuousClock.now
        if !isForced, let drawnAt, now - drawnAt < Self.pause { return }
        drawnAt = now
        erase()
        let width = hosts.map { DisplayWidth.of($0) }.max() ?? 0
        // If there are more hosts than rows, show the hosts in progress first.
        let order = hosts.indices.sorted { rank($0) < rank($1) }.prefix(Self.mostRows)
        var lines = (hosts.count > Self.mostRows ? Array(order) : Array(hosts.indices)).map { host in
            hosts[host] + String(repeating: " ", count: width - DisplayWidth.of(hosts[host]) + 2) + states[host]
        }
        if hosts.count > lines.count { lines.append("and \(hosts.count - lines.count) more") }
        let columns = Console.columns()
        for line in lines { Console.draw(DisplayWidth.fit(line, in: max(1, columns - 1)) + "\n") }
        drawnRows = lines.count
    }

    private func rank(_ host: Int) -> (Int, Int) {
        switch states[host] {
        case "waiting": (1, host)
        case "done": (2, host)
        default: (0, host)
        }
    }
}
