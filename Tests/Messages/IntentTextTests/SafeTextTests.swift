import IntentText
import Testing

@Suite struct SafeTextTests {
    /// Format characters with a visible form: Prepended_Concatenation_Mark=Yes (PropList.txt).
    private static let visibleMarks: Set<UInt32> = [
        0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
    ]

    @Test func `every character that Unicode calls invisible is escaped`() {
        for value in 0...UInt32(0x10FFFF) {
            guard let scalar = Unicode.Scalar(value), !Self.visibleMarks.contains(value) else { continue }
            let properties = scalar.properties
            let isInvisible =
                switch properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: true
                default: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
                }
            if isInvisible, !SafeText.isInvisible(scalar) {
                Issue.record("ScalarKind lacks U+\(String(value, radix: 16))")
            }
            if isInvisible, SafeText.line("a\(scalar)b").unicodeScalars.contains(scalar) {
                Issue.record("U+\(String(value, radix: 16)) passes")
            }
        }
    }

    @Test func `the ranges are in order and do not overlap`() {
        let ranges = ScalarKind.allCases.flatMap { kind in
            stride(from: 0, to: kind.bounds.count, by: 2).map { (kind.bounds[$0], kind.bounds[$0 + 1], kind) }
        }
        .sorted { $0.0 < $1.0 }
        for (range, next) in zip(ranges, ranges.dropFirst()) {
            #expect(range.0 <= range.1 && range.1 < next.0, "\(range) \(next)")
        }
        for (first, last, kind) in ranges {
            for value in [first, last] {
                guard let scalar = Unicode.Scalar(value) else { continue }
                #expect(ScalarKind.of(scalar) == kind)
            }
        }
    }

    @Test(arguments: [
        // Families, flags, a text form, and a key.
        "\u{26A0}\u{FE0F}", "\u{2714}\u{FE0E}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
        "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "\u{1F44D}\u{1F3FD}\u{200D}\u{2640}\u{FE0F}", "1\u{FE0F}\u{20E3}",
        // Persian, Hindi and Malayalam, Mongolian, and a Japanese name.
        "می\u{200C}خواهم", "\u{628}\u{650}\u{200C}\u{647}", "क्\u{200D}ष", "ക്\u{200C}ഷ", "\u{1820}\u{180B}",
        "\u{845B}\u{E0100}", "\u{8FBB}\u{FE00}",
        "Grüße, 汤, مرحبا, \u{6DD}", "e\u{301}",
    ])
    func `a joiner or selector that a script or an emoji needs is shown`(text: String) {
        for shown in [SafeText.line(text), SafeText.printed(text), SafeText.journal(text), SafeText.data(text)] {
            #expect(shown.unicodeScalars.elementsEqual(text.unicodeScalars))
        }
    }

    @Test(arguments: [
        ("pay\u{200B}pal", #"pay\u{200B}pal"#), ("a\u{200D}b", #"a\u{200D}b"#), ("a\u{200C}b", #"a\u{200C}b"#),
        ("\u{26A0}\u{200D}a", "\u{26A0}\\u{200D}a"), ("\u{26A0}\u{FE0F}\u{FE0F}", "\u{26A0}\u{FE0F}\\u{FE0F}"),
        ("1\u{FE0F}", #"1\u{FE0F}"#), ("क्\u{200D}\u{200D}", "क्\u{200D}\\u{200D}"),
        ("\u{627}\u{200C}\u{628}", "\u{627}\\u{200C}\u{628}"), ("a\u{FE00}\u{E0100}", #"a\u{FE00}\u{E0100}"#),
        ("\u{845B}\u{E0100}\u{E0100}", "\u{845B}\u{E0100}\\u{E0100}"), ("\u{1F3F4}\u{E0067}", "\u{1F3F4}\\u{E0067}"),
        ("\u{61C}\u{2800}\u{3164}\u{AD}\u{E001}\u{FEFF}", #"\u{61C}\u{2800}\u{3164}\u{AD}\u{E001}\u{FEFF}"#),
        ("a\u{1B}[2Jb\nc\td\re", #"a\u{1B}[2Jb\nc\td\re"#), ("a\u{2028}b", #"a\u{2028}b"#),
    ])
    func `all other invisible characters are escaped on a line`(text: String, shown: String) {
        #expect(SafeText.line(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
        #expect(SafeText.line(shown).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test func `text of several lines keeps its lines, and data keeps its line ends`() {
        #expect(SafeText.printed("a\tb\r\nc\rd\u{2028}e\u{8}") == "a\tb\nc\nd\ne\\u{08}")
        #expect(SafeText.journal("a\tb\r\nc") == "a\tb\\r\nc")
        #expect(SafeText.data("a\tb\r\nc\u{1B}") == "a\tb\r\nc\\u{1B}")
        #expect(SafeText.json("{\n\"a\u{202E}\u{E0041}\u{7F}\"}") == #"{\#n"a\u202e\udb40\udc41\u007f"}"#)
    }

    @Test func `a quoted text has one end, and differs from all other quoted texts`() {
        #expect(SafeText.quoted("a\"b\\n\nc\u{202E}") == #""a\"b\\n\nc\u{202E}""#)
        #expect(SafeText.quoted(#"\u{202E}"#) == #""\\u{202E}""#)
        #expect(SafeText.quoted("") == #""""#)
    }
}
