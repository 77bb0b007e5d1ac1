import Foundation
import IntentProtocol
import Testing

@testable import intentd_web

/// Tests the files that callers of the HTTP API store.
struct StoredFilesTests {
    @Test func `callers divide the stored files, and there is room for another caller`() throws {
        let files = StoredFiles(in: NSTemporaryDirectory(), limit: 64)
        func count(_ caller: String) -> Int { (0..<1000).prefix { _ in (try? files.create(for: caller)) != nil }.count }
        #expect(count("alice@home") == 32)
        #expect(count("bob@home") == 16)
        // A caller who invents further names leaves room, too.
        #expect((1...3).map { count("b\($0)@home") } == [8, 4, 2])
        #expect(count("carol") == 1)
        let own = StoredFiles(in: NSTemporaryDirectory(), limit: 2)
        let file = try own.create(for: "alice@home")
        #expect(throws: ErrorReport.self) { try own.file(file, for: "bob@home") }
        try own.remove(file, for: "alice@home")
        #expect((try? own.create(for: "bob@home")) != nil)
    }
}
