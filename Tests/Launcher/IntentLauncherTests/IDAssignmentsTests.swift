import Foundation
import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import Testing

@testable import IntentLauncher

@Suite struct IDAssignmentsTests {
    @Test func `an account, with its subordinate ids, gets half of the free pairs, and keeps those that it has`() throws
    {
        let folder = URL(filePath: "/tmp/id-assignments-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let subuid = folder.appending(path: "subuid").path
        try Data("1000:100000:1000\n".utf8).write(to: URL(filePath: subuid))
        let range = try #require(HostIDs("2000000:82"))
        let app = try #require(AppName("Probe"))
        func assignments() throws -> IDAssignments {
            let users = LocalUsers(at: subuid, accounts: LocalAccounts(at: "/nowhere"))
            return try IDAssignments(range, in: folder.appending(path: "ids").path, users: users)
        }
        var ids = try assignments()
        func owner(_ user: UInt32) -> SandboxOwner { SandboxOwner(app: app, user: user, account: nil) }
        func count(_ users: Range<UInt32>) -> Int {
            users.prefix { (try? ids.ids(of: owner($0), isShared: false)) != nil }.count
        }
        #expect(count(100_000..<100_100) == 20)
        #expect(count(1000..<1001) == 0)
        // The assignments on the disk count, too.
        ids = try assignments()
        #expect(count(100_000..<100_100) == 20)
        #expect(count(5000..<5001) == 1)
    }

    @Test
    func `the users of a fleet and of realms leave pairs to local users, and the users of one host or realm to others`()
        throws
    {
        let range = try #require(HostIDs("2000000:200"))
        let app = try #require(AppName("Probe"))
        var ids = try IDAssignments(range, in: nil, users: LocalUsers(at: "/nowhere"))
        func count(_ host: String) -> Int {
            (0..<1000).prefix { number in
                let owner = SandboxOwner(app: app, user: 42_426, account: "u\(number)@\(host)")
                return (try? ids.ids(of: owner, isShared: false)) != nil
            }.count
        }
        #expect((1..<50).contains(count("web1")))
        #expect(count("web2") > 0)
        let all = (3..<100).reduce(0) { $0 + count("web\($1)") }
        #expect(all < 50)
        for user in 1000..<1040 as Range<UInt32> {
            _ = try ids.ids(of: SandboxOwner(app: app, user: user, account: "a\(user)"), isShared: false)
        }
    }
}
