import Foundation
import IntentDaemon
import IntentLinux
import IntentWire
import TestSupport
import Testing

@Suite struct LocalUsersTests {
    private let folder: URL
    private let ada = Caller.local(user: 1000, account: "ada")

    init() throws {
        folder = URL(filePath: "/tmp/local-users-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write("ada:x:1000:1000\nbob:x:1001:1001\nodd:x:100005:100005\n", to: "passwd")
        try write("passwd: files ldap\nsubid: files sss\n", to: "nsswitch.conf")
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
    }

    private func users() -> LocalUsers {
        LocalUsers(
            at: folder.appending(path: "subuid").path,
            accounts: LocalAccounts(at: folder.appending(path: "passwd").path),
            nameServices: folder.appending(path: "nsswitch.conf").path
        )
    }

    @Test func `ranges name their owner by name or by uid, and a changed file counts at once`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var users = users()
        func payer(_ user: UInt32) -> Caller { users.account(of: users.caller(user)).payer }
        #expect(payer(100_000) == .local(user: 100_000))
        try write("ada:100000:10\n1001:200000:10\n# no:1:1\nada:1\nlost:300000:10\nada:x:1\n", to: "subuid")
        #expect(payer(100_000) == ada)
        #expect(payer(100_009) == ada)
        #expect(payer(100_010) == .local(user: 100_010))
        #expect(payer(200_003) == .local(user: 1001, account: "bob"))
        // An account of its own is not subordinate. The owner of a range may be unknown.
        #expect(payer(100_005) == .local(user: 100_005, account: "odd"))
        #expect(payer(300_000) == payer(300_009))
        try write("bob:100000:10\n", to: "subuid")
        #expect(payer(100_000) == .local(user: 1001, account: "bob"))
    }

    @Test func `overlaps and sources that are not read are reported`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("ada:100000:10\nbob:100009:10\nada:100010:2\n", to: "subuid")
        var users = users()
        let problems = users.problems()
        #expect(problems.count == 4, "\(problems)")
        #expect(problems[0].contains("contain the account 'odd'"))
        #expect(problems[1].contains("'bob'") && problems[1].contains("overlap the ids of 'ada'"))
        #expect(problems[3].contains("'sss'"))
        #expect(users.account(of: .local(user: 100_009)).payer == ada)
    }
}
