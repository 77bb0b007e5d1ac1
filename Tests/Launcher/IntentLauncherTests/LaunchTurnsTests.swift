import IntentLauncherMessages
import IntentLinux
import IntentProtocol
import IntentSystemd
import Testing

@testable import IntentLauncher

/// Tests the order in which launches begin, on a real loop.
@Suite(.timeLimit(.minutes(1))) struct LaunchTurnsTests {
    private let loop: EventLoop
    private let turns: LaunchTurns
    private let app: AppName

    init() throws {
        loop = try EventLoop()
        turns = try LaunchTurns(on: loop, journal: Journal(identifier: "intentd-launcher-test"))
        app = try #require(AppName("Probe"))
    }

    private func append(_ numbers: ClosedRange<UInt64>, of user: UInt32) {
        for number in numbers {
            var request = LaunchRequest(slot: SlotID(number: number), app: app, mode: .once)
            request.user = user
            turns.append(request)
        }
    }

    /// Runs the loop until this many launches have begun, and returns their slots.
    private func begin(_ count: Int) throws -> [UInt64] {
        var begun: [UInt64] = []
        turns.begin = { [loop] request in
            begun.append(request.slot.number)
            if begun.count == count { loop.exit(0) }
        }
        turns.beginNext()
        _ = try loop.run()
        return begun
    }

    @Test func `a user with one launch waits for one launch of another user`() throws {
        append(1...10, of: 1001)
        append(11...11, of: 1002)
        let begun = try begin(11)
        #expect(try #require(begun.firstIndex(of: 11)) <= 1, "\(begun)")
        #expect(begun.filter { $0 != 11 } == Array(1...10))
    }

    @Test func `a launch that is requested while another one begins is begun next`() throws {
        append(1...1, of: 1001)
        var begun: [UInt64] = []
        turns.begin = { [turns, app, loop] request in
            begun.append(request.slot.number)
            guard begun.count == 1 else { return loop.exit(0) }
            var next = LaunchRequest(slot: SlotID(number: 2), app: app, mode: .once)
            next.user = 1001
            turns.append(next)
        }
        turns.beginNext()
        _ = try loop.run()
        #expect(begun == [1, 2])
    }

    @Test func `a removed launch does not begin`() throws {
        append(1...3, of: 1001)
        #expect(turns.remove(SlotID(number: 2)))
        #expect(!turns.remove(SlotID(number: 2)))
        #expect(try begin(2) == [1, 3])
    }

    @Test func `all launches begin at once when intentd disconnects`() {
        var begun: [UInt64] = []
        turns.begin = { begun.append($0.slot.number) }
        append(1...3, of: 1001)
        turns.beginAll()
        #expect(begun == [1, 2, 3])
    }
}
