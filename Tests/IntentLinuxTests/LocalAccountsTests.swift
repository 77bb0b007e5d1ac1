import Foundation
import IntentLinux
import Testing

@Suite struct LocalAccountsTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "accounts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func `a uid has the name that the file gives it now`() throws {
        defer {
            // A folder of the test alone.
            try? FileManager.default.removeItem(at: folder)
        }
        let file = folder.appending(path: "passwd")
        func write(_ text: String) throws { try Data(text.utf8).write(to: file, options: .atomic) }
        var accounts = LocalAccounts(at: file.path)
        #expect(accounts.name(of: 1000) == "")
        try write("root:x:0:0::/root:/bin/sh\ntoor:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n")
        #expect(accounts.name(of: 0) == "root")
        #expect(accounts.name(of: 1000) == "ann")
        #expect(accounts.name(of: 1001) == "")
        // userdel ann; useradd ben.
        try write("root:x:0:0::/root:/bin/sh\nben:x:1000:1000::/home/ben:/bin/sh\n")
        #expect(accounts.name(of: 1000) == "ben")
        try write("nonsense\n:::\nben:x:no:1\n")
        #expect(accounts.name(of: 1000) == "")
    }
}
