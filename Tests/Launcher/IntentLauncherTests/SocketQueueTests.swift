import IntentLauncherMessages
import Testing

@testable import IntentLauncher

/// Which socket is closed next, with numbers in place of sockets.
@Suite struct SocketQueueTests {
    private typealias Lane = SocketQueue<Int>.Lane

    private func lane(_ user: UInt32, app: String = "Probe") throws -> Lane {
        let owner = SandboxOwner(app: try #require(AppName(app)), user: user, account: "u\(user)")
        return Lane(owner: owner, payer: SandboxPayer(owner.userName, SubordinateIDs()))
    }

    @Test func `one socket of an owner is closed at a time, and owners take turns`() throws {
        var queue = SocketQueue<Int>(processLimit: 8)
        let (ann, ben) = (try lane(1), try lane(2))
        for number in 1...3 { queue.add(number, in: ann) }
        queue.add(9, in: ben)
        #expect(queue.next()?.socket == 1)
        #expect(queue.next()?.socket == 9)
        #expect(queue.next() == nil)
        #expect(!queue.hasNext)
        queue.closed(in: ann)
        #expect(queue.hasNext)
        #expect(queue.next()?.socket == 2)
        queue.closed(in: ben)
        #expect(queue.next() == nil)
    }

    @Test func `one user's apps that hang leave processes to other users`() throws {
        var queue = SocketQueue<Int>(processLimit: 8)
        for number in 0..<20 { queue.add(number, in: try lane(1, app: "App\(number)")) }
        var taken = 0
        while queue.next() != nil { taken += 1 }
        #expect(taken == 4)
        queue.add(100, in: try lane(2))
        #expect(queue.next()?.socket == 100)
    }

    @Test func `an owner with too many waiting sockets gets no workers, and another app of the user does`() throws {
        var queue = SocketQueue<Int>(processLimit: 8)
        let (owner, other) = (try lane(1), try lane(1, app: "Other"))
        while queue.hasRoom(in: owner) { queue.add(0, in: owner) }
        #expect(queue.hasRoom(in: other))
        // The apps of one user together have a share, too.
        var number = 0
        while queue.hasRoom(in: try lane(1, app: "App\(number)")), number < 5000 {
            let next = try lane(1, app: "App\(number)")
            while queue.hasRoom(in: next) { queue.add(0, in: next) }
            number += 1
        }
        #expect(number < 5000)
        let ben = try lane(2)
        #expect(!queue.hasRoom(in: other) && queue.hasRoom(in: ben))
        // A socket that is being closed does not wait.
        while let (_, lane) = queue.next() { queue.closed(in: lane) }
        #expect(queue.hasRoom(in: owner))
    }

    @Test func `subordinate ids and the users of a fleet's host have the share of their payer`() throws {
        let ann = Caller.local(user: 1, account: "u1")
        let ids = SubordinateIDs([SubordinateIDs.Range(first: 100_000, count: 10, owner: ann)])
        #expect(SandboxPayer("100003", ids) == SandboxPayer("1-u1", ids))
        #expect(SandboxPayer("100010", ids) != SandboxPayer("1-u1", ids))
        #expect(SandboxPayer("42-a@web1", ids) == SandboxPayer("42-b@web1", ids))
        #expect(SandboxPayer("42-a@web1", ids) != SandboxPayer("42-a@web2", ids))
        #expect(SandboxPayer(nil, ids) == SandboxPayer("shared", ids))
    }
}
