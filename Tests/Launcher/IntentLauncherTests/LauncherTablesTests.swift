import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import Testing

@testable import IntentLauncher

/// Tables of the launcher that users' runs fill.
@Suite(.timeLimit(.minutes(1))) struct LauncherTablesTests {
    // MARK: State folders

    @Test func `the sizes of idle state folders are forgotten at a limit, and those in use are not`() {
        var sizes = StateSizes()
        for number in 0..<10 { sizes.set(Int64(number), of: "/used/\(number)") { [] } }
        sizes.set(nil, of: "/unmeasurable") { [] }
        #expect(sizes["/unmeasurable"] == .some(nil) && sizes["/unknown"] == nil)
        let used = Set((0..<10).map { "/used/\($0)" })
        for number in 0..<10_000 {
            sizes.set(1, of: "/idle/\(number)") { used }
            #expect(sizes["/idle/\(number)"] == 1)
        }
        #expect(sizes.count <= StateSizes.limit && sizes.count >= StateSizes.limit / 2)
        #expect((0..<10).allSatisfy { sizes["/used/\($0)"] == Int64($0) })
    }

    // MARK: Idle sandboxes

    private func sandbox(of user: UInt32, app name: String, _ app: AppSettings) throws -> Sandbox {
        Sandbox(
            number: 1,
            owner: SandboxOwner(app: try #require(AppName(name)), user: user, account: "u\(user)"),
            ids: nil,
            folder: "/nowhere",
            group: nil,
            isolation: Isolation(grade: .none, parts: []),
            use: .forkServer(ForkServer(of: app, control: try UnixSocket.Pair(.sequencedPacket).shared().first))
        )
    }

    private func payer(of owner: SandboxOwner) -> SandboxPayer { SandboxPayer(owner.userName, SubordinateIDs()) }

    @Test func `a user with many idle sandboxes displaces their own, and not those of other users`() throws {
        let app = try SandboxParts().app()
        var table = ForkServerTable()
        table.add(try sandbox(of: 2, app: "Old", app))
        for number in 0..<6 { table.add(try sandbox(of: 1, app: "App\(number)", app)) }
        let excess = table.excess(over: 4, payer)
        #expect(excess.map(\.owner.user) == [1, 1, 1])
        #expect(excess.map(\.appName.text) == ["App0", "App1", "App2"])
        // Of equal shares, the sandbox that was used least recently goes first.
        #expect(table.excess(over: 1, payer).map(\.appName.text).suffix(2) == ["App4", "Old"])
        #expect(table.excess(over: 7, payer).isEmpty)
    }

    @Test func `busy sandboxes count for their user, but are not retired`() throws {
        let app = try SandboxParts().app()
        var table = ForkServerTable()
        for number in 0..<3 {
            let busy = try sandbox(of: 1, app: "Busy\(number)", app)
            busy.slots = [SlotID(number: UInt64(number))]
            table.add(busy)
        }
        table.add(try sandbox(of: 2, app: "First", app))
        table.add(try sandbox(of: 2, app: "Second", app))
        table.add(try sandbox(of: 1, app: "Idle", app))
        #expect(table.excess(over: 5, payer).map(\.appName.text) == ["Idle"])
        #expect(Set(table.excess(over: 0, payer).map(\.appName.text)) == ["Idle", "First", "Second"])
    }
}
