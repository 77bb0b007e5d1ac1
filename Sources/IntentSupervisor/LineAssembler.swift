/// Text in whole lines out of the bytes that a process prints.
struct LineAssembler {
    /// A line longer than this is handed on in pieces, in bytes.
    private static let lineLimit = 8 << 10

    private var rest: [UInt8] = []
    /// The last line that was not empty.
    private(set) var lastLine: String?

    /// The lines that are whole now, with their line feeds; nil when there are none.
    mutating func append(_ bytes: [UInt8]) -> String? {
        rest += bytes
        let end: Int
        if let feed = rest.lastIndex(of: UInt8(ascii: "\n")) {
            end = feed + 1
        } else if rest.count > Self.lineLimit {
            end = rest.count
        } else {
            return nil
        }
        return take(end)
    }

    /// What is left when no more comes; nil when nothing is.
    mutating func finish() -> String? {
        rest.isEmpty ? nil : take(rest.count)
    }

    private mutating func take(_ count: Int) -> String {
        let text = String(decoding: rest[..<count], as: UTF8.self)
        rest.removeFirst(count)
        if let line = text.split(whereSeparator: \.isNewline).last(where: { !$0.allSatisfy(\.isWhitespace) }) {
            lastLine = String(line.prefix(500))
        }
        return text
    }
}
