/// The few lines of a run's output that explain its end: the last ones, and the one in which Swift says why it traps,
/// which a backtrace may follow.
package struct WhyLines {
    private let count: Int
    private var last: [String] = []
    private var fatal: String?

    package init(count: Int) {
        self.count = count
    }

    package mutating func take(_ line: String) {
        if line.contains("Fatal error: ") { fatal = line }
        last.append(line)
        if last.count > count { last.removeFirst() }
    }

    package var shown: [String] {
        guard let fatal, !last.contains(fatal) else { return last }
        return [fatal] + last.dropFirst(last.count == count ? 1 : 0)
    }
}
