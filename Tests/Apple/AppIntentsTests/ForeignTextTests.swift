import Foundation
import IntentLauncherMessages
import Testing

@testable import AppIntents

/// Text in which a combining mark follows a delimiter, so that the delimiter is not a character of its own.
@Suite struct ForeignTextTests {
    @Test(arguments: [
        ("../\u{301}x", "\u{301}x"), ("/etc/\u{301}a", "\u{301}a"), ("a/\r\n", "\r\n"), ("..", "file"), ("", "file"),
        (String(repeating: "é", count: 150), String(repeating: "é", count: 100)),
    ])
    func `a file name is the last component, in at most 200 bytes`(_ name: String, _ expected: String) {
        #expect(Array(name.asFileName.utf8) == Array(expected.utf8))
    }

    @Test func `a message is truncated between scalars, and not before its last character`() {
        let message = "a" + String(repeating: "\u{301}", count: 20_000)
        #expect(message.bounded(to: 1000).utf8.count == 1000)
        #expect(String(repeating: "é", count: 10).bounded(to: 10).unicodeScalars.elementsEqual("ééé…".unicodeScalars))
        #expect("short".bounded(to: 5) == "short")
    }

    @Test(arguments: [
        ("%2$@ %1$@", "2 Ada"), ("%lld%%", "Ada%"), ("%-5.2lf|", "Ada|"), ("% d", "Ada"), ("%hhd %q!", "Ada %q!"),
        ("%.f", "%.f"), ("%0$@", "%0$@"), ("%3$@.", "."), ("%100$@", "%100$@"), ("100%", "100%"), ("%.1", "%.1"),
        ("%@\u{301}", "Ada\u{301}"), ("%%\u{301}", "%\u{301}"), ("%\u{301}@", "%\u{301}@"), ("%\r\n%@", "%\r\nAda"),
    ])
    func `values take the place of the conversions in a translation`(_ format: String, _ expected: String) {
        let value: String.LocalizationValue = "\("Ada") \(2)"
        #expect(Array(value.text(in: format).utf8) == Array(expected.utf8))
    }

    @Test func `a mark after a value or a percent sign is kept`() {
        #expect(String(localized: "\("Ada")\u{301}").unicodeScalars.elementsEqual("Ada\u{301}".unicodeScalars))
        let percent: String.LocalizationValue = "5%\u{301} of \(2)"
        #expect(percent.key.utf8.elementsEqual("5%%\u{301} of %lld".utf8))
        #expect(percent.text().utf8.elementsEqual("5%\u{301} of 2".utf8))
    }

    @Test(arguments: [("x'\u{301}y", "'"), ("a\r\nb", "\n"), ("Cafe\u{301}", "CAFÉ"), ("Dune", "une")])
    func `an option is found by a part of its title`(_ title: String, _ search: String) {
        #expect(OptionList.Option(value: .int(1), title: title).contains(search))
        #expect(OptionList.Option(value: .string(title), title: "").contains(search))
    }

    @Test func `a Codable value with many marks in a row is sent with separators between them, like a string`() throws {
        struct Note: Codable, Hashable, Sendable, _IntentValue { var text: String }
        let text = "a" + String(repeating: "\u{301}", count: 40)
        var files = OutgoingFiles(directory: nil)
        let value = try Note._intentValueCoding.encode(Note(text: text), &files)
        guard case .object(let members) = value, case .string(let sent)? = members["text"] else {
            Issue.record("\(value)")
            return
        }
        #expect(Array(sent.utf8) == StreamSafeText.stabilize(Array(text.utf8)))
    }

    @Test func `a prefix is found before a mark`() {
        #expect(FileEntityIdentifier.entityIdentifier(for: "draft:\u{301}1")?.draftIdentifier == "\u{301}1")
        #expect(UTType("public/\u{301}x") == nil)
        #expect(UTType(mimeType: "text/plain;\u{301}") == .plainText)
    }
}
