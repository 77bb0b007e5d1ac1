import Foundation
import IntentConfiguration
import IntentProtocol
import IntentSharedTypes
import IntentSupervisor
import Testing

/// units/catalog explains every message identifier to `journalctl -x`.
@Suite struct MessageCatalogTests {
    private static let entries: [String] = {
        let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
        let data = FileManager.default.contents(atPath: root + "/units/catalog/intentd.catalog") ?? Data()
        return String(decoding: data, as: UTF8.self).components(separatedBy: "\n-- ").dropFirst().map { $0 }
    }()

    private static let identifiers = Set(JournalMessage.allCases.map(\.rawValue) + EndRow.all.map(\.journalMessage))

    @Test func `every message identifier is explained exactly once, and no other is explained`() {
        #expect(Self.entries.map { String($0.prefix(32)) }.sorted() == Self.identifiers.sorted())
    }

    @Test func `each explanation has a subject, and fields that exist`() {
        let fields: Set = [
            "INTENT_RUN_ID", "INTENT_APP", "INTENT_NAME", "INTENT_UID", "INTENT_REASON", "INTENT_ANSWERED_BY",
            "INTENT_ANSWER", "CONFIG_FILE",
        ]
        for entry in Self.entries {
            let lines = entry.split(separator: "\n")
            #expect(
                lines.count >= 4 && lines[1].hasPrefix("Subject: ") && lines[2] == "Defined-By: intentd",
                "\(entry)"
            )
            let named = entry.split(separator: "@", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            #expect(fields.isSuperset(of: named), "\(named)")
        }
    }

    @Test func `a message identifier has 128 bits, in lower-case hexadecimal digits`() {
        for message in Self.identifiers {
            #expect(message.count == 32)
            #expect(message.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        }
    }
}
