import IntentSystemd
import TestSupport
import Testing

@Suite(.ownThread) struct JournalTests {
    @Test func `an entry has its fields, its source location and its message identifier`() throws {
        let listener = try JournalListener()
        let journal = Journal(identifier: "intentd", at: listener.path)
        journal.write(.warning, "over there", [("INTENT_APP", "Soup")], kind: String(repeating: "a", count: 32))
        let lines = listener.lines()
        #expect(
            lines.isSuperset(of: ["MESSAGE=over there", "PRIORITY=4", "SYSLOG_IDENTIFIER=intentd", "INTENT_APP=Soup"])
        )
        #expect(lines.contains("MESSAGE_ID=" + String(repeating: "a", count: 32)))
        #expect(lines.contains("CODE_FILE=IntentSystemdTests/JournalTests.swift"))
        #expect(lines.contains { $0.hasPrefix("CODE_LINE=") } && lines.contains { $0.hasPrefix("CODE_FUNC=") })
    }

    @Test func `a value with several lines cannot imitate another field`() throws {
        let listener = try JournalListener()
        Journal(identifier: "intentd", at: listener.path).write(.info, "one\nINTENT_APP=Forged")
        let bytes = try #require(listener.receive())
        let value = Array("one\nINTENT_APP=Forged".utf8)
        let expected = Array("MESSAGE\n".utf8) + [UInt8(value.count), 0, 0, 0, 0, 0, 0, 0] + value + [0x0A]
        #expect(Array(bytes.prefix(expected.count)) == expected)
    }

    @Test func `control characters are escaped, and long values are truncated`() throws {
        let listener = try JournalListener()
        let journal = Journal(identifier: "intentd", at: listener.path)
        journal.write(.info, "\u{1B}[31mred\u{7}\u{9B}\u{202E}")
        #expect(listener.lines().contains(#"MESSAGE=\u{1B}[31mred\u{07}\u{9B}\u{202E}"#))
        for character in ["ü", "€", "x€"] {
            journal.write(.info, String(repeating: character, count: 100_000))
            let bytes = try #require(listener.receive())
            #expect(bytes.count < 40_000)
            #expect(String(validating: bytes, as: UTF8.self)?.unicodeScalars.contains("\u{FFFD}") == false)
        }
    }

    @Test func `a slow journal delays a writer only briefly, and receives the number of dropped lines`() throws {
        let listener = try JournalListener()
        let journal = Journal(identifier: "intentd", at: listener.path)
        // Send more entries than any queue holds. If every entry waited, the test would take minutes.
        for number in 0..<3000 { journal.write(.info, "line \(number)") }
        var count = 0
        while listener.receive() != nil { count += 1 }
        #expect(count > 0 && count < 3000)
        journal.write(.info, "there again")
        #expect(
            listener.lines().contains("MESSAGE=\(3000 - count) lines were dropped because the journal was too slow")
        )
        #expect(listener.lines().contains("MESSAGE=there again"))
    }

    @Test func `a journal that was restarted is connected again`() throws {
        var listener: JournalListener? = try JournalListener()
        let path = try #require(listener?.path)
        let journal = Journal(identifier: "intentd", at: path)
        journal.write(.info, "first")
        listener = nil
        try JournalListener.waitForEnd(of: path)
        journal.write(.info, "lost")
        journal.write(.info, "lost too")
        let next = try JournalListener(at: path)
        journal.write(.info, "back")
        #expect(next.lines().contains("MESSAGE=2 lines were dropped because the journal was too slow"))
        #expect(next.lines().contains("MESSAGE=back"))
    }
}
