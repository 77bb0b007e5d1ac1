/// A buffer that assembles the bytes that a process prints into whole lines.
package struct LineAssembler {
    /// The maximum length of a line, in bytes. A longer line is split.
    private static let lineLimit = 8 << 10

    private var rest: [UInt8] = []
    /// The first 500 characters of the last line that was not blank.
    package private(set) var lastLine: String?

    package init() {}

    /// Adds bytes. Returns the complete lines with their line feeds, or a line above the maximum length; otherwise nil.
    package mutating func append(_ bytes: [UInt8]) -> String? {
        rest += bytes
        let end: Int
        if let feed = rest.lastIndex(of: UInt8(ascii: "\n")) {
            end = feed + 1
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
        let text = String(decoding: rest[..<count], as: UTF8.self)
        rest.removeFirst(count)
        if let line = text.split(whereSeparator: \.isNewline).last(where: { !$0.allSatisfy(\.isWhitespace) }) {
            lastLine = String(line.prefix(500))
        }
        return text
    }
}
