import Foundation
import IntentLinux
import Synchronization
import Testing

@Suite struct LocalAccountsTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "accounts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func `a uid has its current name in the file`() throws {
        defer {
            // Only this test uses the folder.
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
        #expect(accounts.hasAccount(named: "ann") && !accounts.hasAccount(named: "ben"))
        // userdel ann; useradd ben.
        try write("root:x:0:0::/root:/bin/sh\nben:x:1000:1000::/home/ben:/bin/sh\n")
        #expect(accounts.name(of: 1000) == "ben")
        #expect(!accounts.hasAccount(named: "ann") && accounts.hasAccount(named: "ben"))
    }

    @Test func `a hostile or malformed line defines no account`() throws {
        defer {
            // Only this test uses the folder.
            try? FileManager.default.removeItem(at: folder)
        }
        let file = folder.appending(path: "passwd")
        let long = String(repeating: "a", count: 300)
        let lines = [
            "nonsense", ":::", "ben:x:no:1", ":x:1000:1", "ben:x:1000", "ben:x:-1:1", "ben:x:4294968296:1",
            "../ben:x:1000:1", "/:x:1000:1", "b\u{1b}[2J:x:1000:1", "b\u{2028}n:x:1000:1", "b\0n:x:1000:1",
            "b\rn:x:1000:1", "\(long):x:1000:1", "#ben:x:1000:1", "+ben:x:1000:1", "+@wheel:x:1000:1", "-ben:x:1000:1",
            "+::::::",
        ]
        for line in lines {
            try Data("\(line)\n".utf8).write(to: file, options: .atomic)
            var accounts = LocalAccounts(at: file.path)
            #expect(accounts.name(of: 1000) == "", "\(line)")
        }
        // A name that is not UTF-8 is ignored. Repairing names could make different names equal.
        try Data(Array("b".utf8) + [0xff] + Array(":x:1000:1\n".utf8)).write(to: file, options: .atomic)
        var accounts = LocalAccounts(at: file.path)
        #expect(accounts.name(of: 1000) == "")
        // Invalid lines do not hide a valid line.
        try Data((lines.joined(separator: "\n") + "\nann:x:1000:1\n").utf8).write(to: file, options: .atomic)
        #expect(accounts.name(of: 1000) == "ann")
    }

    @Test func `groups are looked up again after a second, or when an account or group has changed`() throws {
        defer {
            // Only this test uses the folder.
            try? FileManager.default.removeItem(at: folder)
        }
        let file = folder.appending(path: "group").path
        let lookups = Mutex<[String]>([])
        var memberships = GroupMemberships(files: [file]) { account in
            lookups.withLock {
                $0.append(account)
                return [UInt32($0.count)]
            }
        }
        #expect(memberships.groups(of: "ann", at: 0) == [1])
        #expect(memberships.groups(of: "ben", at: 0) == [2])
        #expect(memberships.groups(of: "ann", at: 999_999_999) == [1])
        #expect(memberships.groups(of: "ann", at: 1_000_000_000) == [3])
        try Data("wheel:x:10:ann\n".utf8).write(to: URL(filePath: file))
        #expect(memberships.groups(of: "ann", at: 1_000_000_001) == [4])
        #expect(memberships.groups(of: "ann", at: 1_000_000_002) == [4])
        try Data("wheel:x:10:\nusers:x:100:ann\n".utf8).write(to: URL(filePath: file))
        #expect(memberships.groups(of: "ann", at: 1_000_000_003) == [5])
        #expect(lookups.withLock { $0 } == ["ann", "ben", "ann", "ann", "ann"])
    }
}
