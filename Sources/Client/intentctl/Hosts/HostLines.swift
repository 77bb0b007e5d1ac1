import IntentLinux

/// Classifies the lines that a command prints to standard error for one host: progress, notes, and the error message.
package struct HostLines: Sendable {
    package enum Line: Equatable, Sendable {
        case progress(String)
        case note(String)
    }

    private static let lineByteLimit = 16 << 10
    private static let failureLineLimit = 20

    private var rest: [UInt8] = []
    /// The lines of the error message, which are the last lines of the output.
    private var failureLines: [String] = []

    package init() {}

    package var failure: String { failureLines.joined(separator: "\n") }

    /// Adds bytes, and returns the complete lines.
    package mutating func add(_ bytes: [UInt8]) -> [Line] {
        rest += bytes
        var lines: [Line] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if let line = sorted(rest[..<end]) { lines.append(line) }
            rest.removeSubrange(...end)
        }
        if rest.count > Self.lineByteLimit { rest = [] }
        return lines
    }

    /// Returns the last line if it has no line end.
    package mutating func finish() -> Line? {
        defer { rest = [] }
        return rest.isEmpty ? nil : sorted(rest[...])
    }

    private mutating func sorted(_ bytes: ArraySlice<UInt8>) -> Line? {
        let text = SafeText.line(String(foreign: bytes.prefix(Self.lineByteLimit)))
        if text.hasPrefix(utf8: "intentctl: ") { failureLines = [] }
        if text.hasPrefix(utf8: "intentctl: ") || !failureLines.isEmpty {
            if failureLines.count < Self.failureLineLimit { failureLines.append(text) }
            return nil
        }
        return text.hasPrefix(utf8: "progress: ") || text.hasPrefix(utf8: "sending to ") ? .progress(text) : .note(text)
    }
}
