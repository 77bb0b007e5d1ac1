import IntentText
import Testing

struct StreamSafeTextTests {
    private func marks(_ count: Int) -> String {
        String(String.UnicodeScalarView((0..<count).map { $0 % 2 == 0 ? "\u{301}" : "\u{323}" }))
    }

    @Test(arguments: [
        "", "plain", "e\u{301}", "\u{1F1E9}\u{1F1EA}", "\u{0915}\u{094D}\u{0937}\u{093F}", "\u{0E19}\u{0E49}\u{0E33}",
        "\u{05E9}\u{05C1}\u{05B8}\u{05DC}", "\u{AC00}\u{11A8}", "\u{1F469}\u{200D}\u{1F4BB}",
    ])
    func `text of natural languages is stream-safe`(text: String) {
        #expect(StreamSafeText.isStreamSafe(text))
        #expect(String(validForeign: Array(text.utf8)) == text)
        #expect(String(foreign: Array(text.utf8)).utf8.elementsEqual(text.utf8))
    }

    @Test func `thirty combining marks may follow each other, and not one more`() {
        #expect(StreamSafeText.isStreamSafe("a" + marks(30)))
        #expect(!StreamSafeText.isStreamSafe("a" + marks(31)))
        #expect(StreamSafeText.isStreamSafe("a" + marks(30) + "b" + marks(30)))
        #expect(!StreamSafeText.isStreamSafe(marks(31)))
        #expect(String(validForeign: Array(("a" + marks(31)).utf8)) == nil)
    }

    @Test func `text is made stream-safe with U+034F after each thirty marks`() {
        let text = String(foreign: Array(("a" + marks(65)).utf8))
        #expect(StreamSafeText.isStreamSafe(text))
        #expect(text.utf8.elementsEqual(("a" + marks(30) + "\u{34F}" + marks(30) + "\u{34F}" + marks(5)).utf8))
        #expect(("a" + marks(65) + "\0").withCString { String(foreign: $0) } == text)
    }

    @Test func `the first word of a command line that is not stream-safe is named`() {
        let word = "--name=a" + marks(31)
        let problem = "argument 2 has more than 30 combining marks in a row (UAX #15, section 13)"
        #expect(StreamSafeText.problem(in: ["a" + marks(30), word, word]) == problem)
        #expect(StreamSafeText.problem(in: ["a" + marks(30), ""]) == nil)
    }

    @Test func `a search compares by canonical equivalence, without case, and in linear time`() {
        #expect(SearchText("Caf\u{E9} au lait").contains(SearchText("FE\u{301} A")))
        #expect(SearchText("Cafe\u{301}").contains(SearchText("\u{C9}")))
        #expect(!SearchText("Cafe").contains(SearchText("\u{E9}")))
        #expect(SearchText("a").contains(SearchText("")))
        let text = String(repeating: "a" + marks(30), count: 10_000)
        #expect(SearchText(text + "b").contains(SearchText(text)))
    }

    @Test func `invalid UTF-8 is replaced or refused`() {
        #expect(String(foreign: [0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
        #expect(String(validForeign: [0x61, 0xFF, 0x62]) == nil)
        #expect(String(validForeign: [0xCC]) == nil)
        #expect(!StreamSafeText.isStreamSafe(Array(marks(31).utf8) + [0xFF]))
        #expect(StreamSafeText.isStreamSafe(Array(marks(30).utf8) + [0xFF] + Array(marks(30).utf8)))
    }

    @Test(arguments: ["", "abcdefgh", "\u{5024}", "\u{D55C}", "\u{1F600}", "\u{E01}"])
    func `a scalar before the marks does not hide one of them`(_ text: String) {
        #expect(StreamSafeText.isStreamSafe(text + marks(30) + text))
        #expect(!StreamSafeText.isStreamSafe(text + marks(31) + text))
        // The scalar's end is missing, and a mark is where it should be.
        let cut = Array(text.utf8.dropLast(2)) + Array(marks(31).utf8) + Array("abcdefgh".utf8)
        #expect(!StreamSafeText.isStreamSafe(cut))
    }

    /// The blocks that the check skips have no scalar that normalization reorders.
    @Test func `the check agrees with the Unicode properties of every scalar`() {
        var full = StreamSafeText.Scan()
        for _ in 0..<StreamSafeText.markLimit { _ = full.accept("\u{301}") }
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var (scan, byteScan) = (full, full)
            let isAccepted = scan.accept(scalar)
            // Longer than the words that the scan of bytes reads at once.
            let bytes = Array(scalar.utf8) + [UInt8](repeating: 0, count: 8)
            let areAccepted = bytes.withUnsafeBufferPointer { byteScan.accept($0) }
            if areAccepted != isAccepted { Issue.record("bytes of U+\(String(value, radix: 16))") }
            let isReordered = scalar.properties.canonicalCombiningClass != .notReordered
            // An expectation for each scalar would take minutes.
            if isAccepted == isReordered { Issue.record("U+\(String(value, radix: 16))") }
        }
    }
}
