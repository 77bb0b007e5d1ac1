import IntentLauncherMessages

/// Splits a program's output at line feeds and carriage returns. Programs use carriage returns to show progress on one
/// line.
package struct OutputLines: Sendable {
    package struct Line: Equatable, Sendable {
        /// The line's bytes, without the line end.
        package var bytes: [UInt8]
        /// The line feed or carriage return. It is empty if a long line was split, and at the end of the output.
        package var end: [UInt8]
    }

    /// The maximum length of a line, in bytes. A longer line is split, so that a program that never ends a line does
    /// not exhaust memory.
    package static let byteLimit = 64 << 10

    private var rest: [UInt8] = []

    package init() {}

    package mutating func append(_ bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                lines.append(Line(bytes: rest, end: [byte]))
                rest.removeAll(keepingCapacity: true)
                continue
            }
            rest.append(byte)
            if rest.count == Self.byteLimit {
                lines.append(Line(bytes: rest, end: []))
                rest.removeAll(keepingCapacity: true)
            }
        }
        return lines
    }

    /// Returns the last line if it has no line end.
    package mutating func finish() -> Line? {
        defer { rest = [] }
        return rest.isEmpty ? nil : Line(bytes: rest, end: [])
    }
}

/// The last nonempty line of a program's output, for error messages and `%{last-line}`.
package struct LastLine: Sendable {
    private var current: [UInt8] = []
    private var last: [UInt8] = []

    private static let byteLimit = 1024

    /// True to skip a line that begins with a blank, which continues the message of the line before it (mount(8)).
    private let skipsContinuations: Bool

    package init(skipsContinuations: Bool = false) { self.skipsContinuations = skipsContinuations }

    package mutating func append(_ bytes: [UInt8]) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                endLine()
            } else if current.count < Self.byteLimit {
                current.append(byte)
            }
        }
    }

    private mutating func endLine() {
        let isIndented = current.first.map { $0 <= UInt8(ascii: " ") } == true
        let isContinuation = skipsContinuations && isIndented && !last.isEmpty
        if !isContinuation, current.contains(where: { $0 > UInt8(ascii: " ") }) { last = current }
        current.removeAll(keepingCapacity: true)
    }

    /// The line as a string; nil if all lines are empty.
    package var text: String? {
        var copy = self
        copy.endLine()
        return copy.last.isEmpty ? nil : String(foreign: copy.last)
    }
}
