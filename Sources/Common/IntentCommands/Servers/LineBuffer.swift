/// Splits bytes into lines at line feeds. A carriage return before a line feed is not part of the line.
package struct LineBuffer: Sendable {
    private var rest: [UInt8] = []
    /// The number of bytes of ``rest`` that contain no line feed.
    private var searchedCount = 0
    private let byteLimit: Int
    /// True after a line has exceeded the limit. The rest is dropped.
    package private(set) var isOverfull = false

    package init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    package mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
        guard !isOverfull else { return [] }
        rest += bytes
        var lines: [[UInt8]] = []
        var (start, search) = (0, searchedCount)
        while let end = rest[search...].firstIndex(of: UInt8(ascii: "\n")), end - start <= byteLimit {
            let line = rest[start..<end]
            lines.append(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
            (start, search) = (end + 1, end + 1)
        }
        rest.removeSubrange(..<start)
        searchedCount = rest.count
        if rest.count > byteLimit {
            isOverfull = true
            rest = []
        }
        return lines
    }
}
