import IntentText
import TestSupport
import Testing

@Suite struct ByteTextTests {
    @Test func `UTF-8 is unchanged, and every other byte is kept`() {
        #expect(ByteText.text(of: Array("café 🍲\n".utf8)) == "café 🍲\n")
        let others: [[UInt8]] = [
            [0x63, 0xE9, 0x2E], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x8D], [0xE9, 0xC3, 0xA9],
        ]
        for bytes in others {
            let text = ByteText.text(of: bytes)
            #expect(!ByteText.isUTF8(text) && ByteText.bytes(of: text) == bytes, "\(bytes)")
        }
        #expect(ByteText.shown(ByteText.text(of: [0x63, 0xE9, 0x2E])) == #"c\xE9."#)
    }

    @Test func `a text stands for one sequence of bytes, also if it has the scalars that stand for bytes`() {
        // The UTF-8 of U+10FFE9.
        let bytes: [UInt8] = [0xF4, 0x8F, 0xBF, 0xA9]
        #expect(ByteText.text(of: bytes) != ByteText.text(of: [0xE9]))
        #expect(ByteText.bytes(of: ByteText.text(of: bytes)) == bytes)
        var random = SeededNumbers(seed: 44)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                [0x41, 0x80, 0xBF, 0xC3, 0xA9, 0xE9, 0xED, 0xF4, 0x8F, 0xFF].randomElement(using: &random)! as UInt8
            }
            #expect(ByteText.bytes(of: ByteText.text(of: bytes)) == bytes, "\(bytes)")
        }
    }

    @Test func `the problem names the first word that is not UTF-8`() {
        #expect(ByteText.problem(in: ["run", "é"]) == nil)
        let words = ["run", ByteText.text(of: [0x61, 0xE9])]
        #expect(ByteText.problem(in: words) == #"argument 2 is not UTF-8: 'a\xE9'"#)
    }
}
