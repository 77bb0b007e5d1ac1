import Foundation
import IntentMCP
import Testing

struct SafeTextScriptTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Remote/intentd-web/page/js/safe-text.js")

    /// `TESTS_RECORD=1` writes the file.
    @Test func `the page's module is generated from the table of IntentText`() throws {
        if ProcessInfo.processInfo.environment["TESTS_RECORD"] != nil {
            try Data(SafeTextScript.module.utf8).write(to: Self.file)
        }
        let written = try String(contentsOf: Self.file, encoding: .utf8)
        #expect(written == SafeTextScript.module, "run this test with TESTS_RECORD=1")
    }
}
