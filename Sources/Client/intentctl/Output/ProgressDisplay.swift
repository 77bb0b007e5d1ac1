import Glibc
import IntentLinux

/// Shows the progress of a run. On a terminal, redraws one line, and the steps of a shortcut above it. Elsewhere, prints at most
/// one line per second, and each step when it begins and when it ends.
struct ProgressDisplay {
    private var meter: ProgressMeter
    private let units: ProgressMeter.Units
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now
    /// The time at which the line was last drawn.
    private var drawn: ContinuousClock.Instant?
    /// The width of the line on the terminal, in columns.
    private var shownWidth = 0
    /// True if the progress line does not show the latest report.
    private var isBehind = false
    private var pieces: [OutputStream: String] = [:]
    /// The steps of a shortcut.
    private var tree: [String] = []
    /// The number of the tree's lines on the terminal, above the line with the progress.
    private var shownTreeCount = 0

    init(_ units: ProgressMeter.Units) {
        self.units = units
        meter = ProgressMeter(units)
    }

    mutating func show(_ progress: ProgressReport) {
        meter.report(progress, at: start.duration(to: clock.now))
        let pause: Duration = Console.errorIsTerminal ? .milliseconds(50) : .seconds(1)
        if let drawn, clock.now - drawn < pause {
            isBehind = true
            return
        }
        draw()
    }

    /// Shows the steps of a shortcut.
    mutating func show(_ steps: inout LiveStepTree?) {
        guard steps != nil else { return }
        guard Console.errorIsTerminal, Self.canMoveCursor else {
            for line in steps?.changes() ?? [] { note(line) }
            return
        }
        clear()
        tree = steps?.lines ?? []
        draw()
    }

    /// True unless the terminal has no escape sequences (term(7)).
    private static let canMoveCursor = getenv("TERM").map { String(foreign: $0) } != "dumb"

    /// Prints the complete lines in the app's output, and keeps the last, incomplete line.
    mutating func print(_ text: String, of stream: OutputStream) {
        let all = pieces[stream, default: ""] + text
        guard let end = all.utf8.lastIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            // Print a long line before its end arrives, because a line without an end must not exhaust the memory.
            pieces[stream] = all.utf8.count < 64 << 10 ? all : nil
            if pieces[stream] == nil { note(SafeText.printed(all)) }
            return
        }
        pieces[stream] = String(Substring(all.utf8[end...].dropFirst()))
        // Remove the last line end, which `note` adds.
        note(String(SafeText.printed(String(Substring(all.utf8[...end]))).dropLast(scalars: 1)))
    }

    /// Prints a note above the progress line.
    mutating func note(_ text: String) {
        clear()
        Console.note(text)
        if Console.errorIsTerminal, !meter.isEmpty || !tree.isEmpty { draw() }
    }

    /// Clears the progress line until the next report.
    mutating func clearLine() { clear() }

    /// Shows the last report and the app's last, incomplete lines. Leaves the cursor at the start of a line.
    mutating func finish() {
        if isBehind { draw() }
        if shownWidth > 0 || shownTreeCount > 0 {
            Console.draw("\n")
            (shownWidth, shownTreeCount) = (0, 0)
        }
        tree = []
        meter = ProgressMeter(units)
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
        let size = Console.size()
        if !tree.isEmpty {
            clear()
            // Lines that scroll off the screen cannot be cleared.
            let shown = tree.suffix(max(size.rows - 2, 1))
            for line in shown { Console.draw(DisplayWidth.fit(line, in: size.columns - 1) + "\n") }
            shownTreeCount = shown.count
        }
        let line = meter.isEmpty ? "" : meter.bar(columns: size.columns)
        let width = DisplayWidth.of(line)
        // Overwrite the rest of a longer previous line with spaces. Not every terminal supports escape sequences.
        Console.draw("\r" + line + String(repeating: " ", count: max(0, shownWidth - width)))
        shownWidth = width
    }

    private mutating func clear() {
        if shownTreeCount > 0 {
            // Move to the tree's first line, and clear the screen below it (console_codes(4)).
            Console.draw("\r\u{1b}[\(shownTreeCount)A\u{1b}[J")
            (shownWidth, shownTreeCount) = (0, 0)
        }
        guard shownWidth > 0 else { return }
        Console.draw("\r" + String(repeating: " ", count: shownWidth) + "\r")
        shownWidth = 0
    }
}
