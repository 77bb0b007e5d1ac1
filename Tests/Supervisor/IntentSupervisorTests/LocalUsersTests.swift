import Foundation
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
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

    @Test func `a file that is too large is reported, and the earlier ranges still count`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("ada:100000:10\n", to: "subuid")
        var users = users()
        #expect(users.account(of: .local(user: 100_001)).payer == ada)
        let line = "bob:200000:10\n"
        let count = LocalUsers.byteLimit / line.utf8.count + 1
        try write(String(repeating: line, count: count), to: "subuid")
        let problems = users.problems()
        #expect(problems.first?.contains("more than 16 MiB") == true, "\(problems)")
        #expect(users.account(of: .local(user: 100_001)).payer == ada)
        #expect(users.account(of: .local(user: 200_001)).payer == .local(user: 200_001))
        // A file that was removed is no problem, and has no ranges.
        try FileManager.default.removeItem(at: folder.appending(path: "subuid"))
        #expect(users.problems().count == 1)
        #expect(users.account(of: .local(user: 100_001)).payer == .local(user: 100_001))
    }

    @Test func `the number of reported overlaps is limited, however many the file has`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = (0..<200_000).map { "\($0.isMultiple(of: 2) ? "ada" : "bob"):\(200_000 + 10 * $0):20\n" }
        try write(lines.joined(), to: "subuid")
        var users = users()
        let problems = users.problems()
        #expect(problems.count == 22, "\(problems)")
        #expect(problems[20] == "199979 more problems with subordinate ids")
    }

    @Test func `each range that overlaps a range of another owner is found`() {
        var numbers = SeededNumbers(seed: 6)
        for _ in 0..<2000 {
            let ranges = (0..<Int.random(in: 0...7, using: &numbers)).map { _ in
                SubordinateIDs.Range(
                    first: .random(in: 0...20, using: &numbers),
                    count: .random(in: 1...8, using: &numbers),
                    owner: .local(user: .random(in: 1...3, using: &numbers))
                )
            }
            func overlap(_ left: SubordinateIDs.Range, _ right: SubordinateIDs.Range) -> Bool {
                left.owner != right.owner && (left.contains(right.first) || right.contains(left.first))
            }
            // A range with a start below that of all its rivals is reported as the other range of a pair.
            let found = SubordinateIDs(ranges).overlaps()
            #expect(found.allSatisfy { overlap($0.later, $0.earlier) }, "\(ranges)")
            for range in ranges where ranges.contains(where: { overlap($0, range) && $0.first <= range.first }) {
                let isReported = found.contains {
                    [$0.later, $0.earlier].contains { $0.first == range.first && $0.owner == range.owner }
                }
                #expect(isReported || ranges.count { $0.first == range.first } > 1, "\(ranges)")
            }
        }
    }
}
