import IntentLinux

/// A buffer that assembles the bytes that a process prints into whole lines.
package struct LineAssembler {
    /// The maximum length of a line, in bytes. A longer line is split.
    private static let lineLimit = 8 << 10

    private var rest: [UInt8] = []
    /// The first 500 Unicode scalars of the last line that was not blank.
    package private(set) var lastLine: String?

    package init() {}

    /// Adds bytes. Returns the complete lines with their line feeds, or a line above the maximum length; otherwise nil.
    package mutating func append(_ bytes: [UInt8]) -> String? {
        rest += bytes
        let end: Int
        // Only the new bytes can contain a line feed.
        if let feed = bytes.lastIndex(of: UInt8(ascii: "\n")) {
            end = rest.count - bytes.count + feed + 1
        } else if rest.count > Self.lineLimit {
            end = rest.count - Self.incompleteCharacterByteCount(in: rest)
        } else {
            return nil
        }
        return removeText(end)
    }

    /// Returns the incomplete line at the end of the output, or nil if the output ends with a line feed.
    package mutating func finish() -> String? {
        rest.isEmpty ? nil : removeText(rest.count)
    }

    /// Returns the number of bytes of an incomplete UTF-8 character at the end of the input.
    private static func incompleteCharacterByteCount(in bytes: [UInt8]) -> Int {
        for (count, byte) in zip(1...3, bytes.reversed()) where byte & 0b1100_0000 != 0b1000_0000 {
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return count < length ? count : 0
        }
        return 0
    }

    private mutating func removeText(_ count: Int) -> String {
        defer { rest.removeFirst(count) }
        lastLine = Self.lastLine(of: rest[..<count]) ?? lastLine
        return String(foreign: rest[..<count])
    }

    /// Returns the start of the last line that is not blank; nil if all lines are blank.
    private static func lastLine(of bytes: ArraySlice<UInt8>) -> String? {
        let blanks = " \t\n\u{0B}\u{0C}\r".utf8
        guard let last = bytes.lastIndex(where: { !blanks.contains($0) }) else { return nil }
        let start = bytes[..<last].lastIndex(where: isLineBreak).map { $0 + 1 } ?? bytes.startIndex
        let end = bytes[last...].firstIndex(where: isLineBreak) ?? bytes.endIndex
        // 500 scalars have at most 2000 bytes.
        return String(String(foreign: bytes[start..<end].prefix(2000)).prefix(scalars: 500))
    }

    /// Returns true for LF, VT, FF and CR.
    static func isLineBreak(_ byte: UInt8) -> Bool { (0x0A...0x0D).contains(byte) }
}
