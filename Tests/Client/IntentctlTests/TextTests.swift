import IntentClient
import IntentCommandLine
import IntentLinux
import Testing
import intentctl

@Suite struct TextTests {
    @Test(arguments: [
        ("30s", 30_000), ("1min 30s", 90_000), ("1min30s", 90_000), ("500ms", 500), ("2m", 120_000),
        ("1.5h", 5_400_000),
        ("1d", 86_400_000), ("5", 5000), ("2 hours", 7_200_000), ("10 sec", 10_000),
    ])
    func `time spans follow systemd.time(7)`(_ text: String, _ milliseconds: Int64) {
        #expect(TimeSpan.parseFinite(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: ["", " ", "s", "3x", "-3s", "0", "1..5s", "infinity", "9999999999d", "3s ,"])
    func `any other string is not a time span`(_ text: String) {
        #expect(TimeSpan.parseFinite(text) == nil)
    }

    @Test(arguments: [
        (350, "350 ms"), (1500, "1.5 s"), (30_000, "30 s"), (90_000, "1 min 30 s"), (7_200_000, "2 h"), (0, "0 ms"),
    ])
    func `time spans are shown in their largest units`(_ milliseconds: Int64, _ text: String) {
        #expect(TimeSpan.format(.milliseconds(milliseconds)) == text)
    }

    @Test(arguments: [
        ("a.txt", "a.txt"), ("../../etc/passwd", "passwd"), (".bashrc", "_bashrc"), ("-rf", "_rf"), ("..", "_."),
        ("", "result"), ("/", "result"), ("a\u{1B}[31m\n.txt", "a_[31m_.txt"), ("a\u{202E}txt", "a_txt"),
        ("soup tomato.pdf", "soup tomato.pdf"),
    ])
    func `names of result files cannot escape the folder, be hidden, or be options`(_ name: String, _ safe: String) {
        #expect(SafeFileName.of(name) == safe)
    }

    @Test(arguments: [("lost", 0, nil), ("lost", 1500, 1500), ("busy", 0, 0)] as [(String, Int64, Int64?)])
    func `a lost run of unknown duration shows no time`(_ outcome: String, _ recorded: Int64, _ shown: Int64?) throws {
        var run = RecordedRun(
            number: 1,
            run: try #require(RunID("7k2m9qxw4c")),
            app: "Soup",
            intent: "OrderSoup",
            user: 1000,
            entryPoint: .commandLine,
            accepted: Timestamp(millisecondsSince1970: 0)
        )
        run.outcome = outcome
        run.runtime = .milliseconds(recorded)
        #expect(HistoryText.runtime(of: run) == shown.map { .milliseconds($0) })
    }

    @Test func `long names leave room for a number`() {
        #expect(SafeFileName.of(String(repeating: "ä", count: 300)).utf8.count == 200)
        #expect(SafeFileName.numbered("a.txt", 0) == "a.txt")
        #expect(SafeFileName.numbered("a.txt", 1) == "a-2.txt")
        #expect(SafeFileName.numbered("a.tar.gz", 2) == "a.tar-3.gz")
        #expect(SafeFileName.numbered("a", 1) == "a-2")
        #expect(SafeFileName.numbered("a.", 1) == "a.-2")
    }

    @Test(arguments: [
        ("b", "text/plain", "b.txt"), ("b", "public.png", "b.png"), ("b.dat", "text/plain", "b.dat"),
        ("b", "application/x-unknown", "b"), ("b", nil, "b"), ("", "application/pdf", "result.pdf"),
    ])
    func `a result file without an extension receives the extension of its content type`(
        _ name: String,
        _ type: String?,
        _ expected: String
    ) {
        #expect(SafeFileName.of(name, contentType: type) == expected)
    }

    @Test func `an app's text cannot control the terminal`() {
        #expect(SafeText.line("a\u{1B}[2Jb\nc\u{9B}d\u{202E}\u{7F}") == #"a\u{1B}[2Jb\nc\u{9B}d\u{202E}\u{7F}"#)
        #expect(SafeText.printed("a\tb\r\nc\rd\u{8}") == "a\tb\nc\nd\\u{08}")
        for value in 0..<0x20 {
            let text = SafeText.line(String(Unicode.Scalar(UInt8(value))))
            #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        }
    }

    @Test func `width counts columns, not characters`() {
        #expect(DisplayWidth.of("Suppe") == 5)
        #expect(DisplayWidth.of("汤") == 2)
        #expect(DisplayWidth.of("e\u{301}") == 1)
        #expect(DisplayWidth.of("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}") == 2)
        #expect(DisplayWidth.of("\u{1F44D}\u{1F3FD}") == 2)
        #expect(DisplayWidth.of("\u{1F1E9}\u{1F1EA}") == 2)
        #expect(DisplayWidth.of("\u{1112}\u{1161}\u{11AB}") == 2)
        #expect(DisplayWidth.of("a\u{200D}b\r\n") == 2)
        #expect(DisplayWidth.fit("ae\u{301}ou", in: 3) == "ae\u{301}…")
        #expect(DisplayWidth.fit("汤汤汤", in: 5) == "汤汤…")
        #expect(DisplayWidth.fit("Suppe", in: 5) == "Suppe")
    }

    @Test(arguments: [
        ("plain/word-1", "plain/word-1"), ("two words", "'two words'"), ("", "''"), ("it's", #"'it'\''s'"#),
    ])
    func `words are quoted for a shell when necessary`(_ word: String, _ quoted: String) {
        #expect(ShellWord.quote(word) == quoted)
    }

    @Test func `tables align by columns`() {
        #expect(TextTable.render(["A", "B"], [["汤", "x"], ["long", "y"]]) == "A     B\n汤    x\nlong  y")
    }

    @Test func `values are parsed by their declared type`() {
        #expect(ValueText.of(ValueText.typed(.int(2), as: .double)) == "2.0")
        #expect(ValueText.of(.array([.string("a"), .int(1)])) == "a\n1")
    }
}
