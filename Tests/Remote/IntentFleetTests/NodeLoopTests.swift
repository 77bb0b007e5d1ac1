import IntentFleet
import Testing

/// What a host does, as events in and actions out.
@Suite struct NodeLoopTests {
    private let start: Duration = .seconds(1000)
    private var loop = NodeLoop(Self.settings)

    private static let settings = NodeSettings(
        offers: ["A/B": .init(.once)],
        slots: 2,
        epoch: "e",
        lease: .seconds(30),
        poll: .seconds(1)
    )

    @Test mutating func `a host beats first, and takes nothing before the database has accepted it`() {
        #expect(statements(.connected, at: start) == [.beat(free: 2)])
        #expect(statements(.hinted(.queue), at: start) == [])
        #expect(statements(.beaten([]), at: start) == [.take(free: 2), .maintain])
    }

    @Test mutating func `a refused host tries again at the next beat, and takes nothing`() {
        _ = loop.handle(.connected, at: start)
        #expect(loop.handle(.refused(.beat(free: 2)), at: start) == [.armTimer(at: start + .seconds(5))])
        #expect(statements(.timerFired, at: start + .seconds(5)) == [.beat(free: 2)])
    }

    @Test mutating func `a host holds its name from an accepted beat until its lease ends or a beat is refused`() {
        #expect(!loop.holdsName(at: start))
        _ = loop.handle(.connected, at: start)
        #expect(!loop.holdsName(at: start))
        _ = loop.handle(.beaten([]), at: start)
        #expect(loop.holdsName(at: start + .seconds(29)))
        #expect(!loop.holdsName(at: start + .seconds(30)))
        #expect(statements(.timerFired, at: start + .seconds(10)).contains(.beat(free: 2)))
        _ = loop.handle(.refused(.beat(free: 2)), at: start + .seconds(10))
        #expect(!loop.holdsName(at: start + .seconds(11)))
        _ = loop.handle(.disconnected, at: start + .seconds(12))
        #expect(!loop.holdsName(at: start + .seconds(12)))
    }

    @Test mutating func `one take is under way at a time, and only as many runs as there are slots`() {
        admit()
        #expect(loop.handle(.took([run(1)]), at: start).contains(.start(run(1))))
        #expect(statements(.hinted(.held), at: start) == [.beat(free: 1)])
        #expect(statements(.hinted(.queue), at: start) == [.take(free: 1)])
        #expect(statements(.hinted(.queue), at: start) == [])
        #expect(statements(.took([run(2)]), at: start) == [])
        #expect(
            statements(.runEnded(FleetRunEnd(run: 1, attempt: 1, state: .done)), at: start).contains(.take(free: 1))
        )
    }

    @Test mutating func `runs of the host's own users reduce the free slots, and a freed slot is used at once`() {
        admit()
        #expect(statements(.took([]), at: start) == [])
        _ = loop.handle(.localRunsCounted(1), at: start)
        #expect(statements(.hinted(.queue), at: start) == [.take(free: 1)])
        _ = loop.handle(.took([]), at: start)
        _ = loop.handle(.localRunsCounted(7), at: start)
        #expect(statements(.hinted(.queue), at: start) == [])
        #expect(statements(.localRunsCounted(-1), at: start) == [.take(free: 2)])
    }

    @Test mutating func `a submission that can assign its run reserves a slot, and its run starts once`() {
        #expect(!loop.maySubmitHere)
        _ = loop.handle(.connected, at: start)
        #expect(!loop.maySubmitHere)
        _ = loop.handle(.beaten([]), at: start)
        _ = loop.handle(.maintained, at: start)
        // The open take may fill both slots.
        #expect(!loop.maySubmitHere)
        _ = loop.handle(.took([]), at: start)
        #expect(loop.maySubmitHere)
        _ = loop.handle(.submitting, at: start)
        #expect(loop.maySubmitHere)
        _ = loop.handle(.submitting, at: start)
        #expect(!loop.maySubmitHere)
        #expect(statements(.hinted(.queue), at: start) == [])
        #expect(loop.handle(.submitted(run(1)), at: start).contains(.start(run(1))))
        #expect(!loop.maySubmitHere)
        // The second run is queued, so the host takes runs at once.
        #expect(statements(.submitted(nil), at: start) == [.take(free: 1)])
        // A run that has ended is not started again by the answer to a beat.
        _ = loop.handle(.took([]), at: start)
        #expect(statements(.hinted(.held), at: start) == [.beat(free: 1)])
        _ = loop.handle(.runEnded(FleetRunEnd(run: 1, attempt: 1, state: .done)), at: start)
        #expect(!loop.handle(.beaten([HeldRun(run(1))]), at: start).contains(.start(run(1))))
    }

    @Test mutating func `a lost submission reserves nothing on the next connection, and its run is found there`() {
        admit()
        _ = loop.handle(.took([]), at: start)
        _ = loop.handle(.submitting, at: start)
        _ = loop.handle(.disconnected, at: start)
        #expect(statements(.connected, at: start) == [.beat(free: 2)])
        #expect(loop.handle(.beaten([HeldRun(run(1))]), at: start).contains(.start(run(1))))
    }

    @Test
    mutating func `a cancellation by a user of the host stops a run at once, and one that is unknown at the next beat`()
    {
        admit()
        _ = loop.handle(.took([run(1)]), at: start)
        let stop = NodeLoop.Action.stop(run: 1, attempt: 1, .cancelled("userCancelled"))
        #expect(loop.handle(.cancelled(run: 1, reason: "userCancelled"), at: start).contains(stop))
        #expect(!loop.handle(.cancelled(run: 1, reason: "userCancelled"), at: start).contains(stop))
        #expect(statements(.cancelled(run: 2, reason: "userCancelled"), at: start) == [.beat(free: 1)])
    }

    @Test mutating func `a draining host submits no run for itself, and leaves after the submissions in progress`() {
        admit()
        _ = loop.handle(.took([]), at: start)
        _ = loop.handle(.submitting, at: start)
        #expect(statements(.drainRequested, at: start) == [])
        #expect(!loop.maySubmitHere)
        #expect(statements(.submitted(nil), at: start) == [.leave])
    }

    @Test mutating func `an end is kept when the connection is lost, and forgotten after its verdict only`() {
        admit()
        _ = loop.handle(.took([run(1)]), at: start)
        let end = FleetRunEnd(run: 1, attempt: 1, state: .done, result: "1")
        #expect(loop.handle(.runEnded(end), at: start).first == .send(.finish([end])))
        #expect(loop.handle(.disconnected, at: start) == [.keep(end), .syncOutbox])
        #expect(loop.outboxCount == 1)
        #expect(statements(.connected, at: start) == [.finish([end]), .beat(free: 2)])
        #expect(loop.handle(.committed([EndVerdict(1, .stale)]), at: start).first == .forget(end, .stale))
        #expect(loop.outboxCount == 0)
    }

    @Test mutating func `an end of a locked run is sent again after a poll, and delays no other end`() {
        admit()
        _ = loop.handle(.took([run(1), run(2)]), at: start)
        let ends = [1, 2].map { FleetRunEnd(run: $0, attempt: 1, state: .done) }
        _ = loop.handle(.runEnded(ends[0]), at: start)
        // Run 1 is locked, so the answer contains no verdict.
        #expect(!statements(.committed([]), at: start).contains { $0.isFinish })
        #expect(statements(.runEnded(ends[1]), at: start).contains(.finish([ends[1]])))
        #expect(!statements(.committed([EndVerdict(2, .committed)]), at: start).contains { $0.isFinish })
        #expect(statements(.timerFired, at: start + .seconds(1)).contains(.finish([ends[0]])))
        _ = loop.handle(.committed([EndVerdict(1, .committed)]), at: start + .seconds(1))
        #expect(loop.outboxCount == 0)
    }

    @Test mutating func `an end without a verdict is written to the disk, at once while the database is away`() {
        admit()
        _ = loop.handle(.took([run(1), run(2)]), at: start)
        let end = FleetRunEnd(run: 1, attempt: 1, state: .done)
        #expect(!loop.handle(.runEnded(end), at: start).contains(.keep(end)))
        #expect(!loop.handle(.timerFired, at: start + .milliseconds(249)).contains(.keep(end)))
        #expect(loop.handle(.timerFired, at: start + .milliseconds(250)).prefix(2) == [.keep(end), .syncOutbox])
        // Once for an end.
        #expect(!loop.handle(.timerFired, at: start + .milliseconds(600)).contains(.keep(end)))
        #expect(!loop.handle(.disconnected, at: start + .seconds(1)).contains(.syncOutbox))
        let late = FleetRunEnd(run: 2, attempt: 1, state: .done)
        #expect(loop.handle(.runEnded(late), at: start + .seconds(1)) == [.keep(late), .syncOutbox])
    }

    @Test mutating func `a result that a full disk of the database refuses is sent again unchanged`() {
        admit()
        _ = loop.handle(.took([run(1)]), at: start)
        let end = FleetRunEnd(run: 1, attempt: 1, state: .done, result: "1")
        #expect(statements(.runEnded(end), at: start).contains(.finish([end])))
        for second in 1...3 {
            _ = loop.handle(.failed(.finish([end])), at: start + .seconds(second - 1))
            #expect(statements(.timerFired, at: start + .seconds(second)).contains(.finish([end])))
        }
    }

    @Test mutating func `an end with a prompt verdict is never written to the disk`() {
        admit()
        _ = loop.handle(.took([run(1)]), at: start)
        _ = loop.handle(.runEnded(FleetRunEnd(run: 1, attempt: 1, state: .done)), at: start)
        _ = loop.handle(.committed([EndVerdict(1, .committed)]), at: start + .milliseconds(5))
        #expect(!loop.handle(.timerFired, at: start + .seconds(1)).contains(.syncOutbox))
    }

    @Test mutating func `ends of an earlier process are sent first`() {
        let end = FleetRunEnd(run: 7, attempt: 2, state: .failed, reason: "x")
        loop = NodeLoop(Self.settings, outbox: [end])
        #expect(statements(.connected, at: start) == [.finish([end]), .beat(free: 2)])
    }

    @Test mutating func `a result that the database refuses holds up no other, and its run ends as failed`() throws {
        admit()
        _ = loop.handle(.took([run(1), run(2)]), at: start)
        let bad = FleetRunEnd(run: 1, attempt: 1, state: .done, result: "1")
        let good = FleetRunEnd(run: 2, attempt: 1, state: .done, result: "2")
        _ = loop.handle(.disconnected, at: start)
        _ = loop.handle(.runEnded(bad), at: start)
        _ = loop.handle(.runEnded(good), at: start)
        #expect(statements(.connected, at: start).first == .finish([bad, good]))
        #expect(statements(.refused(.finish([bad, good])), at: start) == [.finish([bad])])
        _ = loop.handle(.refused(.finish([bad])), at: start)
        let actions = loop.handle(.timerFired, at: start + .milliseconds(250))
        guard case .keep(let replaced) = actions.first else { return #expect(Bool(false), "\(actions)") }
        #expect(replaced.state == .failed && replaced.result == nil)
        #expect(statements(.timerFired, at: start + .seconds(1)).contains(.finish([replaced])))
        #expect(statements(.committed([EndVerdict(1, .committed)]), at: start + .seconds(1)) == [.finish([good])])
    }

    @Test mutating func `the beat finds a take with a lost answer, unless a take was under way`() {
        admit()
        _ = loop.handle(.disconnected, at: start)
        _ = loop.handle(.connected, at: start)
        // The beat is the first statement of the connection: run 1 was taken before.
        #expect(loop.handle(.beaten([HeldRun(run(1))]), at: start).contains(.start(run(1))))
        // Now a take is under way, and the next beat is sent behind it.
        #expect(statements(.timerFired, at: start + .seconds(5)) == [.beat(free: 1)])
        _ = loop.handle(.took([run(2)]), at: start + .seconds(5))
        let actions = loop.handle(
            .beaten([HeldRun(run(1)), HeldRun(run(2)), HeldRun(run(3))]),
            at: start + .seconds(5)
        )
        #expect(!actions.contains { if case .start = $0 { true } else { false } })
    }

    @Test mutating func `an attempt that has ended here is not performed again`() {
        admit()
        _ = loop.handle(.took([run(1)]), at: start)
        _ = loop.handle(.disconnected, at: start)
        _ = loop.handle(.runEnded(FleetRunEnd(run: 1, attempt: 1, state: .done)), at: start)
        _ = loop.handle(.connected, at: start)
        #expect(!loop.handle(.beaten([HeldRun(run(1))]), at: start).contains(.start(run(1))))
    }

    @Test mutating func `a run that was swept is stopped, once`() {
        admit()
        _ = loop.handle(.took([run(1)]), at: start)
        _ = loop.handle(.timerFired, at: start + .seconds(5))
        let stop = NodeLoop.Action.stop(run: 1, attempt: 1, .swept)
        #expect(loop.handle(.beaten([]), at: start + .seconds(5)).contains(stop))
        _ = loop.handle(.timerFired, at: start + .seconds(10))
        #expect(!loop.handle(.beaten([]), at: start + .seconds(10)).contains(stop))
    }

    @Test mutating func `a cancellation arrives with the beat that a hint causes, and a forged hint does nothing`() {
        admit()
        _ = loop.handle(.took([run(1)]), at: start)
        #expect(statements(.hinted(.held), at: start).contains(.beat(free: 1)))
        let stop = NodeLoop.Action.stop(run: 1, attempt: 1, .cancelled("userCancelled"))
        #expect(!loop.handle(.beaten([HeldRun(run(1))]), at: start).contains(stop))
        _ = loop.handle(.hinted(.held), at: start)
        #expect(loop.handle(.beaten([HeldRun(run(1), cancellation: "userCancelled")]), at: start).contains(stop))
    }

    @Test mutating func `without the database, an exclusive run is stopped before the lease ends, and others go on`() {
        admit()
        _ = loop.handle(.took([run(1, .exclusive), run(2, .retryable)]), at: start)
        _ = loop.handle(.disconnected, at: start + .seconds(1))
        #expect(loop.handle(.timerFired, at: start + .seconds(24)) == [.armTimer(at: start + .seconds(25))])
        #expect(loop.handle(.timerFired, at: start + .seconds(25)) == [.stop(run: 1, attempt: 1, .leaseEnds)])
        #expect(loop.runCount == 2)
    }

    @Test mutating func `others are swept only a lease after the connection was made`() {
        admit()
        _ = loop.handle(.took([]), at: start)
        var now = start
        while now < start + .seconds(29) {
            now += .seconds(1)
            #expect(!statements(.timerFired, at: now).contains(.sweep))
            _ = loop.handle(.beaten([]), at: now)
            _ = loop.handle(.took([]), at: now)
        }
        #expect(statements(.timerFired, at: start + .seconds(30)).contains(.sweep))
        _ = loop.handle(.swept(0, due: nil), at: start + .seconds(30))
        _ = loop.handle(.disconnected, at: start + .seconds(31))
        _ = loop.handle(.connected, at: start + .seconds(32))
        #expect(!statements(.beaten([]), at: start + .seconds(41)).contains(.sweep))
    }

    @Test mutating func `a host sweeps as soon as another host's lease ends, and at least three times per lease`() {
        admit()
        _ = loop.handle(.took([]), at: start)
        let first = start + .seconds(30)
        #expect(statements(.timerFired, at: first).contains(.sweep))
        #expect(!loop.maySubmitHere)
        _ = loop.handle(.swept(0, due: .seconds(4)), at: first)
        for (after, isDue) in [(Duration.milliseconds(4049), false), (.milliseconds(4250), true)] {
            #expect(statements(.timerFired, at: first + after).contains(.sweep) == isDue)
        }
        // A lost host still holds runs, of which other hosts have locked the rows.
        let second = first + .milliseconds(4250)
        _ = loop.handle(.swept(0, due: .zero), at: second)
        #expect(!statements(.timerFired, at: second + .milliseconds(49)).contains(.sweep))
        #expect(statements(.timerFired, at: second + .milliseconds(250)).contains(.sweep))
        let third = second + .milliseconds(250)
        _ = loop.handle(.swept(0, due: .seconds(28)), at: third)
        #expect(!statements(.timerFired, at: third + .milliseconds(9999)).contains(.sweep))
        #expect(statements(.timerFired, at: third + .seconds(10)).contains(.sweep))
        // The runs of the lost host are queued.
        _ = loop.handle(.beaten([]), at: third + .seconds(10))
        // The answers to the take in progress and to the one that has become due since.
        for _ in 0..<2 { _ = loop.handle(.took([]), at: third + .seconds(10)) }
        #expect(statements(.swept(2, due: nil), at: third + .seconds(10)).contains(.take(free: 2)))
    }

    @Test mutating func `a draining host takes nothing, commits what it holds, leaves, and finishes`() {
        admit()
        _ = loop.handle(.took([run(1)]), at: start)
        #expect(statements(.drainRequested, at: start) == [])
        #expect(statements(.hinted(.held), at: start) == [.beat(free: 0)])
        _ = loop.handle(.beaten([HeldRun(run(1))]), at: start)
        let end = FleetRunEnd(run: 1, attempt: 1, state: .done)
        #expect(statements(.runEnded(end), at: start) == [.finish([end])])
        #expect(statements(.committed([EndVerdict(1, .committed)]), at: start) == [.leave])
        #expect(loop.handle(.left, at: start) == [.finish])
    }

    @Test mutating func `a host that may not leave asks which runs it holds`() {
        admit()
        _ = loop.handle(.took([]), at: start)
        #expect(statements(.drainRequested, at: start) == [.leave])
        #expect(statements(.refused(.leave), at: start) == [.beat(free: 0)])
        #expect(loop.handle(.beaten([HeldRun(run(1))]), at: start).contains(.start(run(1))))
    }

    @Test mutating func `no sequence of timers keeps the processor busy`() {
        admit()
        for round in 0..<200 {
            let now = start + .seconds(round)
            let next = loop.handle(.timerFired, at: now).compactMap {
                if case .armTimer(let at) = $0 { at } else { nil }
            }
            #expect(next.allSatisfy { $0 > now })
        }
    }

    @Test func `an end always fits: a result or reason beyond the limit does not lose it`() {
        let end = FleetRunEnd(run: 1, attempt: 1, state: .done, result: String(repeating: "1", count: 65_537))
        #expect(end.result == nil && end.reason?.contains("65536") == true)
        let long = FleetRunEnd(run: 1, attempt: 1, state: .failed, reason: String(repeating: "é", count: 1000))
        #expect(long.reason?.utf8.count == 1024)
    }

    @Test(
        arguments: [
            [["1", "1", "A/B", "x", "{}"]], [["0", "1", "A/B", "x", "{}", "once"]],
            [["1", "1", nil, "x", "{}", "once"]],
            [["1", "1", "A/B", "x", "{}", "often"]], [["a", "1", "A/B", "x", "{}", "once"]],
            [["1", "1", "A/B", "x", "{}", "once"], ["2", "1", "A/B", "x", "{}", "once"]],
        ] as [[[String?]]]
    )
    func `an answer that is not one is refused`(_ rows: [[String?]]) {
        #expect(NodeStatement.take(free: 1).event(rows) == nil)
    }

    // MARK: Helpers

    /// Connects, and lets the database accept the first beat. A take and the maintenance are under way afterwards.
    private mutating func admit() {
        _ = loop.handle(.connected, at: start)
        _ = loop.handle(.beaten([]), at: start)
    }

    private mutating func statements(_ event: NodeLoop.Event, at now: Duration) -> [NodeStatement] {
        loop.handle(event, at: now).compactMap { if case .send(let statement) = $0 { statement } else { nil } }
    }

    private func run(_ id: Int64, _ policy: RunPolicy = .once) -> FleetRun {
        FleetRun(id: id, attempt: 1, intent: "A/B", owner: "alice@web1", arguments: "{}", policy: policy, token: "t")
    }
}

extension NodeStatement {
    fileprivate var isFinish: Bool { if case .finish = self { true } else { false } }
}
