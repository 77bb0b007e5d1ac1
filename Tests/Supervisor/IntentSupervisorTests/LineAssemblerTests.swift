import IntentLinux
import IntentSupervisor
import Testing

@Suite struct LineAssemblerTests {
    @Test func `lines are assembled from any split of their bytes`() {
        var lines = LineAssembler()
        var text = ""
        for byte in Array("grün\nrot\nblau".utf8) { text += lines.append([byte]) ?? "" }
        #expect(text == "grün\nrot\n")
        #expect(lines.finish() == "blau")
        #expect(lines.lastLine == "blau")
    }

    @Test func `a line that is too long is split without splitting a character`() {
        for padding in 0...3 {
            var lines = LineAssembler()
            let line = String(repeating: "x", count: padding) + String(repeating: "😀", count: 5000)
            var text = ""
            let bytes = Array(line.utf8)
            for start in stride(from: 0, to: bytes.count, by: 4098) {
                text += lines.append(Array(bytes[start..<min(start + 4098, bytes.count)])) ?? ""
            }
            text += lines.finish() ?? ""
            #expect(text == line)
        }
    }

    @Test func `the last line is the last one that is not blank, and has at most 500 scalars`() {
        let flag = "\u{1F1E9}\u{1F1EA}"
        for (text, line) in [
            ("a\r\n b \r\n\r\n \t\n", " b "), ("10 %\r20 %\r\n", "20 %"), ("a\n\u{301}b\n", "\u{301}b"),
            (String(repeating: flag, count: 600) + "\n", String(repeating: flag, count: 250)),
        ] {
            var lines = LineAssembler()
            #expect(lines.append(Array(text.utf8)) == text)
            #expect(lines.lastLine == line)
            _ = lines.append([0x0A])
            #expect(lines.lastLine == line)
        }
    }

    @Test func `the text of a process is stream-safe`() {
        var lines = LineAssembler()
        let text = lines.append(Array((String(repeating: "\u{301}", count: 100) + "\n").utf8)) ?? ""
        #expect(text.utf8.count > 200 && StreamSafeText.isStreamSafe(text))
        #expect(StreamSafeText.isStreamSafe(lines.lastLine ?? ""))
    }

    @Test func `bytes that are not UTF-8 are replaced, and do not end the output`() {
        var lines = LineAssembler()
        #expect(lines.append([0xFF, 0xFE, 0x00, 0xC3, 0x0A]) == "\u{FFFD}\u{FFFD}\0\u{FFFD}\n")
        let long = [UInt8](repeating: 0x80, count: 9000)
        #expect(lines.append(long) == String(repeating: "\u{FFFD}", count: 9000))
        #expect(lines.finish() == nil)
    }
}
