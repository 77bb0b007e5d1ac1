import IntentLauncherMessages
import IntentLifecycle
import TestSupport
import Testing

/// Every order in which a few runs arrive, ask, are answered and leave, against rules that are computed independently.
@Suite(.ownThread) struct AdmissionOrdersTests {
    @Test(arguments: [1, 2], [0, 1, 2])
    func `in every order, no run gets a slot above a limit, and no run that fits waits`(_ perUser: Int, _ waiting: Int)
    {
        var capacity = RunTable.Capacity()
        capacity.runCount = 2
        capacity.runCountPerUser = perUser
        capacity.waitingCount = waiting
        capacity.queueCount = 3
        var visited = 0
        walk(World(capacity), depth: 9, &visited)
        #expect(visited > 10_000)
    }

    private func walk(_ world: World, depth: Int, _ visited: inout Int) {
        visited += 1
        guard depth > 0 else { return }
        for event in world.possibleEvents {
            var next = world
            next.take(event)
            guard next.problems.isEmpty else {
                Issue.record("\(next.problems) after \(next.path)")
                return
            }
            walk(next, depth: depth - 1, &visited)
        }
    }

    enum Event {
        case come(Int)
        case ask(Int)
        case answer(Int)
        case leave(Int)
    }

    enum Stage { case queued, placed, asking }

    /// Five runs of two users and two apps. The rules are computed from the events of each run.
    struct World {
        private static let users: [UInt32] = [1, 1, 2, 1, 2]
        private static let apps = ["A", "B", "A", "A", "B"]
        private static let appLimit = ["A": 1, "B": 2]

        private let capacity: RunTable.Capacity
        private var queue: AdmissionQueue
        private var nextRun = 0
        private var stages: [Int: Stage] = [:]
        private(set) var path: [Event] = []
        private(set) var problems: [String] = []

        init(_ capacity: RunTable.Capacity) {
            self.capacity = capacity
            queue = AdmissionQueue(capacity: capacity)
        }

        var possibleEvents: [Event] {
            let coming: [Event] = nextRun < Self.users.count ? [.come(nextRun)] : []
            return coming
                + stages.sorted { $0.key < $1.key }.flatMap { run, stage -> [Event] in
                    switch stage {
                    case .queued: [.leave(run)]
                    case .placed: [.ask(run), .leave(run)]
                    case .asking: [.answer(run), .leave(run)]
                    }
                }
        }

        mutating func take(_ event: Event) {
            path.append(event)
            switch event {
            case .come(let run): come(run)
            case .ask(let run):
                stages[run] = .asking
                queue.questionOpened(Scene.run(UInt64(run)))
            case .answer(let run):
                stages[run] = .placed
                queue.questionClosed(Scene.run(UInt64(run)))
            case .leave(let run):
                stages[run] = nil
                queue.leave(Scene.run(UInt64(run)))
            }
            for id in queue.admit() {
                guard let run = stages.keys.first(where: { Scene.run(UInt64($0)) == id }), stages[run] == .queued else {
                    problems.append("\(id) gets a place and does not wait for one")
                    continue
                }
                // An older waiting run of the same user and app must have been admitted first.
                if queued.contains(where: { $0 < run && isKin($0, run) }) {
                    problems.append("\(run) overtakes its kin")
                }
                stages[run] = .placed
            }
            checkSlots()
            for run in queued where fits(run) { problems.append("\(run) waits though it fits") }
            let askers = stages.filter { $0.value == .asking }
            if queue.queuedCount != queued.count { problems.append("\(queue.queuedCount) are said to wait") }
            if queue.askingCount != askers.count { problems.append("\(queue.askingCount) are said to ask") }
        }

        private mutating func come(_ run: Int) {
            nextRun += 1
            guard let app = AppName(Self.apps[run]) else { return problems.append("'\(Self.apps[run])' is no name") }
            let ticket = AdmissionQueue.Ticket(
                run: Scene.run(UInt64(run)),
                user: Caller.local(user: Self.users[run]),
                account: .local(user: Self.users[run]),
                app: app
            )
            let own = queued.count { Self.users[$0] == Self.users[run] }
            let expected: AdmissionQueue.Refusal? =
                if fits(run) {
                    nil
                } else if queued.count >= capacity.queueCount {
                    .queueFull(queued.count)
                } else if own >= capacity.queueCount - queued.count {
                    .userShareFull(own)
                } else {
                    nil
                }
            let limit = Self.appLimit[Self.apps[run]] ?? 0
            let refusal = queue.refusal(of: ticket, appLimit: limit)
            if refusal != expected {
                problems.append("\(run): \(refusal, default: "none") is no \(expected, default: "-")")
            }
            guard refusal == nil else { return }
            stages[run] = .queued
            queue.join(ticket, appLimit: limit)
        }

        private mutating func checkSlots() {
            let placed = placed
            if placed.count > capacity.runCount { problems.append("\(placed) have slots") }
            for run in placed {
                let kin = placed.count { isKin($0, run) }
                let appLimit = Self.appLimit[Self.apps[run]] ?? 0
                if placed.count(where: { Self.users[$0] == Self.users[run] }) > capacity.runCountPerUser
                    || placed.count(where: { Self.apps[$0] == Self.apps[run] }) > appLimit
                    || kin > max(1, appLimit - 1)
                {
                    problems.append("\(placed) have slots over a limit of \(run)")
                }
            }
            let waiting = stages.keys.filter { stages[$0] != .queued && !placed.contains($0) }
            if waiting.count > capacity.waitingCount { problems.append("\(waiting) have no slot") }
            for (run, stage) in stages where stage != .queued {
                let own = waiting.count { Self.users[$0] == Self.users[run] }
                if stage == .asking, placed.contains(run), own < capacity.waitingCount - waiting.count {
                    problems.append("\(run) asks and keeps its slot")
                }
                if stage == .placed, waiting.contains(run), fits(run) { problems.append("\(run) has no slot") }
            }
        }

        private var queued: [Int] { stages.filter { $0.value == .queued }.keys.sorted() }

        /// The runs with a slot.
        private var placed: [Int] { stages.keys.filter { queue.hasSlot(Scene.run(UInt64($0))) } }

        private func fits(_ run: Int) -> Bool {
            let appLimit = Self.appLimit[Self.apps[run]] ?? 0
            return placed.count < capacity.runCount
                && placed.count { Self.users[$0] == Self.users[run] } < capacity.runCountPerUser
                && placed.count { Self.apps[$0] == Self.apps[run] } < appLimit
                && placed.count { isKin($0, run) } < max(1, appLimit - 1)
        }

        private func isKin(_ left: Int, _ right: Int) -> Bool {
            Self.users[left] == Self.users[right] && Self.apps[left] == Self.apps[right]
        }
    }
}
