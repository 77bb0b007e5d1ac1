import IntentConfiguration
import Testing

@Suite struct UnitFileTests {
    @Test func `sections, comments, spaces and continued lines are parsed as systemd parses them`() {
        let file = UnitFile(
            Array(
                """
                # a comment
                [App]
                Environment = A=1 \\
                ; a comment between
                    B=2
                [Limits]
                Runtime=5s
                """.utf8
            ),
            file: "soup.conf"
        )
        #expect(file.problems == [])
        #expect(file.assignments.map(\.section) == ["App", "Limits"])
        #expect(file.assignments.map(\.key) == ["Environment", "Runtime"])
        #expect(file.assignments.map(\.value) == ["A=1 B=2", "5s"])
        #expect(file.assignments.map(\.line) == [3, 7])
    }

    @Test(arguments: [
        ("B=\\\n\\\n\nC=1", ["B", "C"], ["", "1"]), ("B=1\\\n \\\n2", ["B"], ["1 2"]), ("\\\nB=1\\", ["B"], ["1"]),
        ("B=1 \\\\\n2", ["B"], [#"1 \ 2"#]), ("B=1\\\r\n\u{301}2", ["B"], ["1 \u{301}2"]),
    ])
    func `a backslash at the end of a line continues it`(_ text: String, _ keys: [String], _ values: [String]) {
        let file = UnitFile(Array("[A]\n\(text)".utf8), file: "f")
        #expect(file.assignments.map(\.key) == keys)
        #expect(file.assignments.map { Array($0.value.utf8) } == values.map { Array($0.utf8) })
    }

    /// Each line was appended to a copy of all lines before it.
    @Test func `a line may continue over many lines`() {
        let file = UnitFile(Array(("[A]\nB=" + String(repeating: "\u{301}a\\\n", count: 200_000)).utf8), file: "f")
        #expect(file.assignments.map(\.value.utf8.count) == [200_000 * 4 - 1])
    }

    @Test func `a mistake is reported with its file and line, and the other lines are read`() {
        let file = UnitFile(
            Array("Early=1\n[App]\nnonsense\n[Broken\nExecutable=/x\n[App]\nExecutable=/y".utf8),
            file: "f"
        )
        #expect(file.problems.map(\.line) == [1, 3, 4, 5])
        #expect(file.assignments.map(\.value) == ["/y"])
    }

    @Test(arguments: ["\n", "\r\n", "\r"], ["", "\u{FEFF}"])
    func `lines end as in systemd's files, and a byte order mark is skipped`(end: String, mark: String) {
        let lines = ["# salt", "[Access]", "AllowUsers=ada \\", "  bob", "; salt", "[Limits]", "Runtime=5s", ""]
        let file = UnitFile(Array((mark + lines.joined(separator: end)).utf8), file: "f")
        #expect(file.problems == [])
        #expect(file.assignments.map(\.section) == ["Access", "Limits"])
        #expect(file.assignments.map(\.value) == ["ada bob", "5s"])
        #expect(file.assignments.map(\.line) == [3, 7])
    }

    @Test(
        arguments: [
            [0x00], [0x0B], [0x0C], [0x1B], [0x7F], [0xC2, 0x85], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9], [0xFF],
            [0xC2],
        ] as [[UInt8]]
    )
    func `bytes that are not text, or could end a line elsewhere, make the file invalid`(bytes: [UInt8]) {
        let file = UnitFile(Array("[Access]\n# salt".utf8) + bytes + Array("AllowUsers=ada\n".utf8), file: "f")
        #expect(file.assignments == [])
        #expect(file.problems.count == 1)
    }

    @Test func `a combining mark does not change where a line or a key ends`() {
        let file = UnitFile(Array("#\u{301} salt\n[Access]\nAllowUsers=\u{301}ada".utf8), file: "f")
        #expect(file.problems == [])
        #expect(file.assignments.map(\.key) == ["AllowUsers"])
    }

    @Test(arguments: [
        "Environment=A=1Secret=pin", "Environment=A=1 Secret = pin", "Environment=A=1[Access]",
        "Executable=/x[Intent A]",
    ])
    func `a key or a section in the middle of a value is a mistake`(line: String) {
        #expect(UnitFile(Array("[App]\n\(line)".utf8), file: "f").problems.map(\.line) == [2])
        #expect(UnitFile(Array("[App]\nEnvironment=A=--x=1 B=[x]".utf8), file: "f").problems == [])
    }
}
