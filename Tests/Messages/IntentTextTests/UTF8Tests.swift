import IntentText
import Testing

/// Searches and cuts by UTF-8 and scalars, compared with what characters (grapheme clusters) would give.
struct UTF8Tests {
    /// A combining mark, which makes one character of a delimiter before it.
    private let mark = "\u{301}"
    private let flag = "\u{1F1E9}\u{1F1EA}"

    @Test(arguments: [",", "'", "\"", "}", "%", "\n", "$", "\\", "\r"])
    func `a delimiter is found before a combining mark`(delimiter: String) throws {
        let text = "a\(delimiter)\(mark)b"
        #expect(text.contains(utf8: delimiter))
        #expect(text.hasPrefix(utf8: "a\(delimiter)"))
        let scalar = try #require(delimiter.unicodeScalars.first)
        #expect(text.split(scalar: scalar).map(\.utf8.count) == [1, 3])
        let (before, after) = try #require(text.cut(utf8: delimiter))
        #expect(before == "a" && Array(after.utf8) == Array("\(mark)b".utf8))
        #expect(Array(text.replacing(utf8: delimiter, with: "--").utf8) == Array("a--\(mark)b".utf8))
        #expect("b\(mark)\(delimiter)".hasSuffix(utf8: delimiter))
    }

    @Test func `text is compared by its bytes`() {
        #expect("\u{E9}" == "e\u{301}")
        #expect(!"\u{E9}".hasPrefix(utf8: "e\u{301}"))
        #expect(!"e\u{301}".contains(utf8: "\u{E9}"))
        #expect("e\u{301}".hasPrefix(utf8: "e"))
    }

    @Test func `a search finds the first place`() throws {
        let text = "aab aabaa"
        let place = try #require(text.firstRange(utf8: "aaba"))
        #expect(text.utf8.distance(from: text.startIndex, to: place.lowerBound) == 4)
        #expect(text[place] == "aaba")
        #expect(text.firstRange(utf8: "aabaab") == nil)
        #expect(text.firstRange(utf8: "") == nil)
        #expect("".firstRange(utf8: "a") == nil)
        #expect(text.contains(utf8: ""))
        #expect("abab".replacing(utf8: "ab", with: "ab ab") == "ab abab ab")
        #expect("aaa".replacing(utf8: "aa", with: "b") == "ba")
    }

    @Test func `a search finds what a comparison at every place finds, in linear time`() throws {
        let words = (0..<128).map { number in String((0..<7).map { number >> $0 & 1 == 0 ? "a" : "b" }) }
        for text in words {
            for pattern in words.flatMap({ [$0.prefix(scalars: 1), $0.prefix(scalars: 3)] }) {
                let bytes = Array(text.utf8)
                let place = (0...bytes.count).first { bytes[$0...].starts(with: pattern.utf8) }
                let found = text.firstRange(utf8: pattern).map {
                    text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
                }
                #expect(found == place)
            }
        }
        // A comparison at every place would take minutes.
        let pattern = String(repeating: "a", count: 60_000) + "b"
        #expect(!String(repeating: "a", count: 120_000).contains(utf8: pattern))
    }

    @Test func `a cut by scalars divides a flag, and never a scalar`() {
        let text = String(repeating: flag, count: 3)
        #expect(text.prefix(scalars: 3).unicodeScalars.count == 3)
        #expect(text.suffix(scalars: 5).unicodeScalars.count == 5)
        #expect(text.dropFirst(scalars: 1).unicodeScalars.count == 5)
        #expect(text.dropLast(scalars: 1).unicodeScalars.count == 5)
        #expect(text.scalarCount == 6)
        #expect(text.prefix(scalars: 7) == text && text.suffix(scalars: 7) == text)
        #expect(text.dropFirst(scalars: 7).utf8.isEmpty && text.dropLast(scalars: 7).utf8.isEmpty)
    }

    @Test func `a cut of a negative length is empty`() {
        for count in [-1, Int.min + 1] {
            #expect("ab".prefix(utf8: count).isEmpty && "ab".suffix(utf8: count).isEmpty)
            #expect("ab".prefix(scalars: count).isEmpty && "ab".suffix(scalars: count).isEmpty)
            #expect("ab".dropFirst(scalars: count) == "ab" && "ab".dropLast(scalars: count) == "ab")
        }
    }

    @Test(arguments: 0...9)
    func `a cut by bytes leaves whole scalars`(byteCount: Int) {
        let text = "a\u{E9}\u{20AC}\u{1F600}"
        let (start, end) = (text.prefix(utf8: byteCount), text.suffix(utf8: byteCount))
        #expect(start.utf8.count <= byteCount && end.utf8.count <= byteCount)
        #expect(text.utf8.starts(with: start.utf8) && text.hasSuffix(utf8: end))
        // One more scalar would not fit.
        let next = text.unicodeScalars.dropFirst(start.unicodeScalars.count).first
        if let next { #expect(start.utf8.count + next.utf8.count > byteCount) }
        let previous = text.unicodeScalars.dropLast(end.unicodeScalars.count).last
        if let previous { #expect(end.utf8.count + previous.utf8.count > byteCount) }
    }

    @Test func `lines end with LF or CRLF`() {
        #expect("a\r\nb\n\n c\r".lines() == ["a", "b", " c"])
        #expect("a\n\(mark)b\n".lines(omittingEmptySubsequences: false).map(\.utf8.count) == [1, 3, 0])
        #expect("a\r\n\r\nb".lines() == ["a", "b"])
        #expect("\r\n\r\n".lines(omittingEmptySubsequences: false) == ["", "", ""])
    }

    @Test func `a split keeps or omits empty parts`() {
        #expect("a,,b".split(scalar: ",") == ["a", "b"])
        #expect("a,,b".split(scalar: ",", omittingEmptySubsequences: false) == ["a", "", "b"])
        #expect("a,b,c".split(scalar: ",", maxSplits: 1) == ["a", "b,c"])
        #expect("a\r\nb".split(whereScalar: \.isLineBreak) == ["a", "b"])
    }

    @Test func `white space is removed at both ends`() {
        #expect(" \r\n\ta b\u{2029}\u{A0}".trimmed == "a b")
        #expect(" \n ".trimmed.utf8.isEmpty)
        // The mark belongs to the text, not to the space.
        #expect(Array(" \(mark)a".trimmed.utf8) == Array("\(mark)a".utf8))
    }
}
