/// Selects the lines of a run's output that explain its end: the last lines, and Swift's message about a trap, which
/// can precede a long backtrace.
package struct WhyLines {
    private let count: Int
    private var last: [String] = []
    private var fatal: String?

    package init(count: Int) {
        self.count = count
    }

    package mutating func append(_ line: String) {
        if line.contains(utf8: "Fatal error: ") { fatal = line }
        last.append(line)
        if last.count > count { last.removeFirst() }
    }

    package var shown: [String] {
        guard let fatal, !last.contains(fatal) else { return last }
        return [fatal] + last.dropFirst(last.count == count ? 1 : 0)
    }
}
