import IntentClient

/// Shows a run while it lasts: one line that is drawn over on a terminal, now and then a line in a pipe.
struct ProgressDisplay {
    private var meter = ProgressMeter()
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now
    /// When something was last drawn.
    private var drawn: ContinuousClock.Instant?
    /// Columns of the line that stands on the terminal.
    private var standing = 0
    /// The latest report is not shown yet.
    private var isBehind = false
    private var pieces: [OutputStream: String] = [:]

    mutating func show(_ progress: ProgressReport) {
        meter.report(progress, at: start.duration(to: clock.now))
        let pause: Duration = Console.errorIsTerminal ? .milliseconds(50) : .seconds(1)
        if let drawn, clock.now - drawn < pause {
            isBehind = true
            return
        }
        draw()
    }

    /// Passes on a piece of what the app printed, by whole lines.
    mutating func print(_ text: String, of stream: OutputStream) {
        let all = pieces[stream, default: ""] + text
        guard let end = all.lastIndex(where: \.isNewline) else {
            // A line without end must not fill the memory.
            pieces[stream] = all.utf8.count < 64 << 10 ? all : nil
            if pieces[stream] == nil { note(SafeText.printed(all)) }
            return
        }
        pieces[stream] = String(all[all.index(after: end)...])
        note(SafeText.printed(String(all[..<end])))
    }

    /// A line of its own; the progress stays below it.
    mutating func note(_ text: String) {
        clear()
        Console.note(text)
        if Console.errorIsTerminal, !meter.isEmpty { draw() }
    }

    /// Leaves the line to something else, until progress is shown again.
    mutating func makeRoom() { clear() }

    /// Shows what is left to show, and leaves the terminal at the start of a line.
    mutating func finish() {
        if isBehind { draw() }
        if standing > 0 {
            Console.draw("\n")
            standing = 0
        }
        meter = ProgressMeter()
        for stream in [OutputStream.stdout, .stderr] {
            if let rest = pieces[stream], !rest.isEmpty { Console.note(SafeText.printed(rest)) }
        }
        pieces = [:]
    }

    private mutating func draw() {
        isBehind = false
        drawn = clock.now
        guard Console.errorIsTerminal else {
            Console.note(meter.plain)
            return
        }
        let line = meter.bar(columns: Console.columns())
        let width = DisplayWidth.of(line)
        // Spaces, not an escape code, wipe what is left of a longer line: that works on every terminal.
        Console.draw("\r" + line + String(repeating: " ", count: max(0, standing - width)))
        standing = width
    }

    private mutating func clear() {
        guard standing > 0 else { return }
        Console.draw("\r" + String(repeating: " ", count: standing) + "\r")
        standing = 0
    }
}
