import Glibc

/// The lines of a Swift file, with and without the contents of comments and strings.
///
/// This is not a parser. It recognizes comments and literals, which the rules must ignore.
struct SourceFile {
    let path: String
    let lines: [Substring]
    /// `lines` without comments and without the contents of string literals.
    let code: [String]
    /// The lines of the file, and those of `code`, in one text each. Most files contain no text that a rule is about,
    /// which one search shows.
    let text: String
    let codeText: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var state = State.code
        code = lines.map { Self.stripped($0, &state) }
        codeText = code.joined(separator: "\n")
    }

    /// What continues on the next line.
    private enum State { case code, blockComment, longLiteral }

    /// Removes comments and the contents of literals. All their delimiters are ASCII, so that bytes can be compared.
    private static func stripped(_ line: Substring, _ state: inout State) -> String {
        let bytes = ContiguousArray(line.utf8)
        var result = ContiguousArray<UInt8>()
        result.reserveCapacity(bytes.count)
        func hasPrefix(_ first: UInt8, _ second: UInt8, at index: Int) -> Bool {
            index + 1 < bytes.count && bytes[index] == first && bytes[index + 1] == second
        }
        func hasQuotes(at index: Int) -> Bool {
            hasPrefix(quote, quote, at: index) && index + 2 < bytes.count && bytes[index + 2] == quote
        }
        var index = 0
        var isInLiteral = false
        while index < bytes.count {
            let byte = bytes[index]
            switch state {
            case .blockComment:
                let isEnd = hasPrefix(star, slash, at: index)
                if isEnd { state = .code }
                index += isEnd ? 2 : 1
            case .longLiteral:
                let isEnd = hasQuotes(at: index)
                if isEnd { state = .code }
                index += isEnd ? 3 : 1
            case .code where isInLiteral:
                isInLiteral = byte != quote
                index += byte == backslash ? 2 : 1
            case .code where byte == slash && hasPrefix(slash, slash, at: index):
                index = bytes.count
            case .code where byte == slash && hasPrefix(slash, star, at: index):
                state = .blockComment
                index += 2
            case .code where byte == quote && hasQuotes(at: index):
                state = .longLiteral
                index += 3
            case .code:
                if byte == quote { isInLiteral = true } else { result.append(byte) }
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let (quote, slash, star, backslash) = (
        UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\\")
    )

    /// The words of a line of code, so that `Task` is not found in `TaskLocal`.
    static func words(of code: String) -> [Substring] {
        code.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@") }
    }
}

extension StringProtocol {
    /// Returns true if the text contains the bytes of another. Unlike `contains`, this search is fast in a debug build.
    func hasBytes(of other: String) -> Bool { strstr(String(self), other) != nil }
}
