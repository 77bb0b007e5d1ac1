import Foundation
import IntentConfiguration
import IntentProtocol
import IntentSharedTypes
import IntentSupervisor
import Testing

/// Compares the texts that repeat names of the table of ends and of the table of cancellation reasons with the tables.
@Suite struct EndTableTests {
    private static let reasons = CancellationReason.known.map(\.row)

    private static func file(_ path: String) throws -> String {
        let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
        return String(decoding: try #require(FileManager.default.contents(atPath: "\(root)/\(path)")), as: UTF8.self)
    }

    /// Joins the words of a text with single spaces.
    private static func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func `each row is found by its name`() {
        #expect(Set(EndRow.all.map(\.name)).count == EndRow.all.count)
        for reason in CancellationReason.known { #expect(CancellationReason(name: reason.name) == reason) }
        #expect(Set(Self.reasons.map(\.name)).count == Self.reasons.count)
    }

    @Test func `the journal's catalogue explains each reason`() throws {
        let entries = try Self.file("units/catalog/intentd.catalog").components(separatedBy: "\n-- ")
        let stopping = try #require(entries.first { $0.hasPrefix(JournalMessage.runStopping.rawValue) })
        for row in Self.reasons { #expect(Self.words(stopping).contains("\(row.name): \(row.explanation).")) }
    }

    @Test func `intentd.command(5) lists each reason`() throws {
        let page = SettingsManual.command.page
        let list = try #require(page.components(separatedBy: ".Ev INTENT_CANCEL_REASON").first)
        let words = Set(list.suffix(200).split(whereSeparator: \.isWhitespace).map(String.init))
        #expect(words.isSuperset(of: Self.reasons.map(\.name)))
    }

    @Test func `the protocol's documentation has each outcome and each reason`() throws {
        let text = try Self.file("Sources/Client/IntentClient/IntentClient.docc/Protocol.md")
        for row in EndRow.all { #expect(text.contains("\n| `\(row.name)` | ")) }
        let list = try #require(text.components(separatedBy: "\n\n").first { $0.hasPrefix("`reason` is `timeout`") })
        for row in Self.reasons { #expect(list.contains("`\(row.name)`")) }
    }

    @Test func `the page names each outcome and each reason in both languages, and filters by outcome`() throws {
        let strings = try Self.file("Sources/Remote/intentd-web/page/js/strings.js")
        // 'lost' is also a state of the connection.
        let keys = EndRow.all.map { $0.name == "lost" ? "\"state.lost\"" : $0.name } + Self.reasons.map(\.name)
        for key in keys { #expect(strings.contains(" \(key): [\""), "\(key)") }
        let list = EndRow.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
        #expect(try Self.file("Sources/Remote/intentd-web/page/js/views.js").contains("const OUTCOMES = [\(list)];"))
        let style = try Self.file("Sources/Remote/intentd-web/page/app.css")
        // A badge and the bars of charts have the class, and thereby one colour.
        for name in EndRow.all.map(\.name) {
            #expect(style.firstMatch(of: try Regex("\\.\(name)\\b[^{]*\\{ color: ")) != nil, "\(name) has no colour")
        }
        #expect(style.contains("svg rect { fill: currentColor; }"))
    }
}
