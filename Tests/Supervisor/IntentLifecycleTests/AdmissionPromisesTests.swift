import IntentLauncherMessages
import IntentLifecycle
import TestSupport
import Testing

/// Random arrivals, questions, ends and changes of the limits, against rules that are computed independently.
@Suite(.ownThread) struct AdmissionPromisesTests {
    @Test func `no limit is exceeded, no run that fits waits, and no user starves`() {
        for seed in UInt64(1)...(Endurance.isWhole ? 4000 : 50) {
            // In every second world each user has runs that wait, and users with a greater number have a higher
            // priority.
            var world = World(seed: seed, isSaturated: seed.isMultiple(of: 2))
            for _ in 0..<250 where world.problems.isEmpty { world.step() }
            guard world.problems.isEmpty else {
                Issue.record("seed \(seed): \(world.problems)")
                return
            }
        }
    }

    /// Runs of four users and two apps. The rules are computed from the events of each run.
    private struct World {
        private struct Entry {
            var ticket: AdmissionQueue.Ticket
            var isWaiting = true
            var isAsking = false
            var isReplaced = false
        }

        private static let users = (1...6).map { Caller.local(user: $0) }
        private static let apps = ["A", "B"].compactMap { AppName($0) }

        private let isSaturated: Bool
        private var random: SeededNumbers
        private var capacity = RunTable.Capacity()
        private var queue: AdmissionQueue
        private let appLimit: Int
        /// The limits of each app.
        private var limits: [[ConcurrencyLimit]]
        private var entries: [Entry] = []
        private var nextRun: UInt64 = 0
        /// The number of admissions of other users since a user without a slot has had a run that fits.
        private var overtaken: [Caller: Int] = [:]
        private(set) var problems: [String] = []

        init(seed: UInt64, isSaturated: Bool) {
            self.isSaturated = isSaturated
            random = SeededNumbers(seed: seed)
            capacity.runCount = .random(in: 1...5, using: &random)
            capacity.runCountPerUser = .random(in: 1...5, using: &random)
            capacity.waitingCount = .random(in: 0...8, using: &random)
            capacity.queueCount = isSaturated ? 100 : 30
            for user in Self.users where Bool.random(using: &random) {
                capacity.weights[user] = .random(in: 50...400, using: &random)
            }
            queue = AdmissionQueue(capacity: capacity)
            appLimit = .random(in: 1...5, using: &random)
            limits = []
            limits = Self.apps.map { _ in randomLimits() }
        }

        private mutating func randomLimits() -> [ConcurrencyLimit] {
            let scopes: [ConcurrencyLimit.Scope] = [.all, .parameter("p"), .state]
            return scopes.compactMap { scope in
                guard Bool.random(using: &random) else { return nil }
                return ConcurrencyLimit(
                    scope,
                    count: scope == .state ? 1 : .random(in: 1...3, using: &random),
                    overflow: ConcurrencyLimit.Overflow.allCases.randomElement(using: &random) ?? .queue
                )
            }
        }

        private func claims(_ app: Int, _ user: Caller, _ value: IntentValue) -> [ConcurrencyClaim] {
            limits[app].map { limit in
                let group: ConcurrencyClaim.Key.Group =
                    switch limit.scope {
                    case .all: .all
                    case .parameter(let name): .value(name, value)
                    case .state: .state(user)
                    case .sandbox: .sandbox(user)
                    }
                return ConcurrencyClaim(.init(app: Self.apps[app], group: group), under: limit)
            }
        }

        mutating func step() {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5 where !isSaturated: if let user = Self.users.randomElement(using: &random) { arrive(user) }
            case 5, 6: ask()
            case 7: answer()
            default: end()
            }
            if isSaturated {
                for user in Self.users where entries.count(where: { $0.isWaiting && $0.ticket.user == user }) < 5 {
                    arrive(user)
                }
            }
            for run in queue.admit() { begin(run) }
            check()
        }

        private mutating func arrive(_ user: Caller) {
            nextRun += 1
            let app = Int.random(in: 0..<Self.apps.count, using: &random)
            let value: IntentValue = Bool.random(using: &random) ? .null : .int(.random(in: 1...2, using: &random))
            var ticket = AdmissionQueue.Ticket(
                run: Scene.run(nextRun),
                user: user,
                account: .local(user: user.uid),
                app: Self.apps[app]
            )
            ticket.isInteractive = Bool.random(using: &random)
            ticket.claims = claims(app, user, value)
            ticket.priority = isSaturated ? Int(user.uid) : .random(in: -2...2, using: &random)
            let excess = (ticket.claims ?? []).first { claim in
                claim.limit.overflow == .refuse && entries.count { has($0, claim) } >= claim.limit.count
            }
            let refusal = queue.refusal(of: ticket, appLimit: appLimit)
            if let excess, refusal != .limitReached(excess) { problems.append("\(ticket) is not refused: \(excess)") }
            if excess == nil, case .limitReached(let claim)? = refusal { problems.append("\(ticket): \(claim)") }
            guard refusal == nil else { return }
            queue.join(ticket, appLimit: appLimit)
            entries.append(Entry(ticket: ticket))
            replace(by: ticket)
        }

        private mutating func replace(by ticket: AdmissionQueue.Ticket) {
            for run in queue.replacements(by: ticket.run) {
                guard let index = entries.firstIndex(where: { $0.ticket.run == run }) else {
                    problems.append("\(run) is replaced, and has ended")
                    continue
                }
                if entries[index].ticket.user != ticket.user { problems.append("\(run) of another user is replaced") }
                entries[index].isReplaced = true
                if entries[index].isWaiting {
                    entries.remove(at: index)
                    queue.leave(run)
                }
            }
            for claim in ticket.claims ?? [] where claim.limit.overflow == .replace {
                let own = entries.count { has($0, claim) && !$0.isReplaced && $0.ticket.user == ticket.user }
                if own > claim.limit.count { problems.append("\(own) runs are left under \(claim)") }
            }
        }

        private mutating func ask() {
            let working = entries.indices.filter { !entries[$0].isWaiting && !entries[$0].isAsking }
            guard let index = working.randomElement(using: &random) else { return }
            entries[index].isAsking = true
            queue.questionOpened(entries[index].ticket.run)
        }

        private mutating func answer() {
            guard let index = entries.indices.filter({ entries[$0].isAsking }).randomElement(using: &random) else {
                return
            }
            entries[index].isAsking = false
            queue.questionClosed(entries[index].ticket.run)
        }

        private mutating func end() {
            let ending = isSaturated ? entries.indices.filter { !entries[$0].isWaiting } : Array(entries.indices)
            guard let index = ending.randomElement(using: &random) else { return }
            if entries[index].isWaiting, Int.random(in: 0..<4, using: &random) > 0 { return }
            queue.leave(entries.remove(at: index).ticket.run)
        }

        private mutating func begin(_ run: RunID) {
            guard let index = entries.firstIndex(where: { $0.ticket.run == run && $0.isWaiting }) else {
                return problems.append("\(run) begins and does not wait")
            }
            let entry = entries[index]
            let better = entries.contains {
                $0.isWaiting && $0.ticket.user == entry.ticket.user && fits($0)
                    && $0.ticket.priority > entry.ticket.priority
            }
            if better { problems.append("\(run) begins before a run of higher priority") }
            for user in Self.users where user != entry.ticket.user {
                let own = entries.filter { $0.ticket.user == user }
                if own.isEmpty || own.contains(where: { !$0.isWaiting }) { overtaken[user] = 0 }
                guard own.allSatisfy(\.isWaiting), own.contains(where: { fits($0) }) else { continue }
                overtaken[user, default: 0] += 1
                let bound = Self.users.reduce(0) { $0 + weight($1) / weight(user) + 3 }
                if overtaken[user, default: 0] > bound { problems.append("user \(user.uid) starves") }
            }
            overtaken[entry.ticket.user] = 0
            entries[index].isWaiting = false
        }

        private mutating func check() {
            checkSlots()
            for entry in entries where entry.isWaiting {
                if fits(entry) { problems.append("\(entry.ticket.run) waits and fits") }
                if queue.obstacle(of: entry.ticket.run) == nil {
                    problems.append("\(entry.ticket.run) waits for nothing")
                }
            }
        }

        /// Checks that no limit is exceeded: of slots, of one user's slots of an app, of runs without a slot and of one
        /// user's share of these. A run has a slot or asks, except while no slot is free for it.
        private mutating func checkSlots() {
            let working = entries.filter { !$0.isWaiting }
            let placed = working.filter { queue.hasSlot($0.ticket.run) }
            let waiting = working.filter { !queue.hasSlot($0.ticket.run) }
            if placed.count > capacity.runCount { problems.append("\(placed.count) runs have slots") }
            if waiting.count > capacity.waitingCount { problems.append("\(waiting.count) runs have no slot") }
            for user in Self.users {
                let own = placed.filter { $0.ticket.user == user }
                let ownWaiting = waiting.count { $0.ticket.user == user }
                if own.count > capacity.runCountPerUser { problems.append("\(own.count) slots of user \(user.uid)") }
                if ownWaiting > (capacity.waitingCount + 1) / 2 { problems.append("\(ownWaiting) of \(user.uid) wait") }
                if own.contains(where: \.isAsking), ownWaiting < capacity.waitingCount - waiting.count {
                    problems.append("a run of user \(user.uid) asks and keeps its slot")
                }
                for app in Self.apps where own.count(where: { $0.ticket.app == app }) > max(1, appLimit - 1) {
                    problems.append("user \(user.uid) has every slot of \(app)")
                }
            }
            for app in Self.apps where placed.count(where: { $0.ticket.app == app }) > appLimit {
                problems.append("\(app) has slots over its limit")
            }
            for entry in waiting where !entry.isAsking && fits(entry) {
                problems.append("\(entry.ticket.run) was answered, fits and has no slot")
            }
        }

        private func weight(_ user: Caller) -> Int { capacity.weights[user] ?? 100 }

        private func has(_ entry: Entry, _ claim: ConcurrencyClaim) -> Bool {
            (entry.ticket.claims ?? []).contains { $0.key == claim.key }
        }

        private func fits(_ entry: Entry) -> Bool {
            let working = entries.filter { !$0.isWaiting }
            let placed = working.filter { queue.hasSlot($0.ticket.run) }
            let ofApp = placed.filter { $0.ticket.app == entry.ticket.app }
            return placed.count < capacity.runCount
                && placed.count { $0.ticket.user == entry.ticket.user } < capacity.runCountPerUser
                && ofApp.count < (ofApp.contains { $0.ticket.user == entry.ticket.user } ? appLimit - 1 : appLimit)
                // A run that was answered has its claims.
                && (!entry.isWaiting
                    || (entry.ticket.claims ?? []).allSatisfy { claim in
                        working.count { has($0, claim) } < claim.limit.count
                    })
        }
    }
}
