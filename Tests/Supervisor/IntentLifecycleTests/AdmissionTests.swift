import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Tests which runs get a slot, and which runs wait for one.
@Suite struct AdmissionTests {
    private let ada = Caller.local(user: 1000)
    private let bob = Caller.local(user: 1001)
    private let eve = Caller.local(user: 1002)
    private let soup = Scene.app("Soup", runCountMax: 1)
    private let salad = Scene.app("Salad")

    @Test func `a run waits while its user is at the limit, and other runs overtake it`() throws {
        var scene = try scene(places: 3, perUser: 1)
        let first = scene.echo(1, user: ada, app: salad)
        #expect(scene.launchedRuns(first) == [1])
        #expect(scene.launchedRuns(scene.echo(2, user: ada, app: salad)) == [])
        #expect(scene.launchedRuns(scene.echo(3, user: bob, app: salad)) == [3])
        let ended = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(scene.launchedRuns(ended) == [2])
    }

    @Test func `a run waits while its app is at its limit, and other runs overtake it`() throws {
        var scene = try scene(places: 3)
        let first = scene.echo(1, user: ada, app: soup)
        #expect(scene.launchedRuns(scene.echo(2, user: bob, app: soup)) == [])
        #expect(scene.launchedRuns(scene.echo(3, user: bob, app: salad)) == [3])
        #expect(scene.runTable.load.runningCount == 2)
        #expect(scene.runTable.load.queuedCount == 1)
        let ended = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(scene.launchedRuns(ended) == [2])
    }

    @Test func `a free slot goes to the user who has waited longest since the last admission`() throws {
        var scene = try scene(places: 2, perUser: 1)
        let first = scene.echo(1, user: ada, app: salad)
        let second = scene.echo(2, user: bob, app: salad)
        for (number, user) in [(UInt64(3), ada), (4, bob), (5, eve), (6, ada)] {
            #expect(scene.launchedRuns(scene.echo(number, user: user, app: salad)) == [])
        }
        // Ada still has a slot, and Bob had a slot a moment ago. Eve has had no slot.
        #expect(scene.launchedRuns(scene.finish(try scene.launchedSlot(second, mode: .once))) == [5])
        // Ada was admitted before Bob.
        #expect(scene.launchedRuns(scene.finish(try scene.launchedSlot(first, mode: .once))) == [3])
    }

    @Test func `a user who floods the backlog delays only their own runs`() throws {
        var scene = try scene(places: 1, queued: 100)
        var place = try scene.launchedSlot(scene.echo(1, user: ada, app: salad), mode: .once)
        for number in UInt64(2)...40 { _ = scene.echo(number, user: ada, app: salad) }
        #expect(scene.launchedRuns(scene.echo(41, user: bob, app: salad)) == [])
        #expect(scene.launchedRuns(scene.echo(42, user: bob, app: salad)) == [])
        #expect(scene.launchedRuns(scene.echo(43, user: eve, app: salad)) == [])
        var served: [UInt64] = []
        for _ in 0..<6 {
            let actions = scene.finish(place)
            served += scene.launchedRuns(actions)
            place = try scene.launchedSlot(actions, mode: .once)
        }
        #expect(served == [41, 43, 2, 42, 3, 4])
    }

    @Test func `two users with one run at a time delay no waiting user`() throws {
        var scene = try scene(places: 1, queued: 100)
        var place = try scene.launchedSlot(scene.echo(1, user: ada, app: salad), mode: .once)
        for number in UInt64(2)...10 { _ = scene.echo(number, user: ada, app: salad) }
        var served: [UInt64] = []
        var number: UInt64 = 20
        var waiting: Set<UInt64> = []
        for _ in 0..<12 {
            // Bob's runs have even numbers, and Eve's have odd numbers. Each user makes a new request when their run
            // has ended.
            for (user, parity) in [(bob, UInt64(0)), (eve, 1)] where !waiting.contains(where: { $0 % 2 == parity }) {
                number += number % 2 == parity ? 2 : 1
                waiting.insert(number)
                _ = scene.echo(number, user: user, app: salad)
            }
            let actions = scene.finish(place)
            served += scene.launchedRuns(actions)
            if let last = served.last { waiting.remove(last) }
            place = try scene.launchedSlot(actions, mode: .once)
        }
        #expect(served.count { $0 < 20 } >= 3, "\(served)")
    }

    @Test func `the backlog has room for the next user, however many users have filled their share`() throws {
        var scene = try scene(places: 1, queued: 8)
        _ = scene.echo(1, user: ada, app: salad)
        var number: UInt64 = 1
        for user in [ada, bob] {
            var refusal: ErrorReport?
            while refusal == nil {
                number += 1
                refusal = Scene.refusal(in: scene.echo(number, user: user, app: salad))
            }
            #expect(refusal?.message.contains("one user's full share of the backlog") == true)
        }
        #expect(Scene.refusal(in: scene.echo(90, user: eve, app: salad)) == nil)
    }

    @Test func `among a user's own runs, interactive runs are admitted first`() throws {
        var scene = try scene(places: 1)
        let first = try scene.launchedSlot(scene.echo(1, user: ada, app: salad), mode: .once)
        _ = scene.echo(2, user: ada, app: salad)
        _ = scene.echo(3, user: ada, app: salad, isInteractive: true)
        #expect(scene.launchedRuns(scene.finish(first)) == [3])
    }

    @Test func `a refusal contains the time to retry, computed from the rate of admissions`() throws {
        var scene = try scene(places: 1, queued: 2)
        let first = try scene.launchedSlot(scene.echo(1, user: ada, app: salad), mode: .once)
        _ = scene.echo(2, user: ada, app: salad)
        #expect(Scene.refusal(in: scene.echo(3, user: ada, app: salad))?.retryAfter == .seconds(5))
        _ = scene.finish(first)
        let refusal = try #require(
            Scene.refusal(in: scene.echo(4, user: ada, app: salad))
                ?? Scene.refusal(in: scene.echo(5, user: ada, app: salad))
        )
        #expect((.seconds(1)...Duration.seconds(60)).contains(try #require(refusal.retryAfter)))
        #expect(refusal.hint?.contains("try again in about") == true)
    }

    @Test func `several slots that become free at the same time are filled at the same time`() throws {
        var scene = try scene(places: 3)
        let first = scene.echo(1, user: ada, app: soup)
        _ = scene.echo(2, user: ada, app: soup)
        var raised = soup
        raised.runCountMax = 4
        // The operator has raised the limit, which also applies to waiting runs.
        #expect(scene.launchedRuns(scene.echo(3, user: ada, app: raised)) == [2, 3])
        _ = try scene.launchedSlot(first, mode: .once)
    }

    @Test func `a run with an open question occupies no slot of its user and app until the question closes`()
        throws
    {
        var scene = try scene(places: 3, perUser: 1)
        let first = try scene.launchedSlot(scene.echo(1, user: ada, app: soup), mode: .once)
        #expect(scene.launchedRuns(scene.echo(2, user: ada, app: soup)) == [])
        let second = ask(first, in: &scene)
        #expect(scene.launchedRuns(second) == [2])
        #expect(scene.runTable.load.runningCount == 1)
        #expect(scene.runTable.load.waitingCount == 1)
        // The cancelled run has no slot until the second run releases it. No further run is admitted until both have
        // ended.
        _ = scene.runTable.handle(.requested(Scene.client, ada, id: 9, .cancel(run: Scene.run(1).text)), at: at(1))
        #expect(scene.launchedRuns(scene.echo(3, user: ada, app: soup)) == [])
        #expect(scene.launchedRuns(scene.finish(try scene.launchedSlot(second, mode: .once))) == [])
        let ended = scene.runTable.handle(.ended(first, Scene.exited, lastLine: nil), at: at(2))
        #expect(scene.launchedRuns(ended) == [3])
    }

    @Test func `above MaxWaiting=, the run with the oldest question releases its slot when another question closes`()
        throws
    {
        var scene = try scene(places: 9, perUser: 1, waiting: 1)
        let first = try scene.launchedSlot(scene.echo(1, user: ada, app: salad), mode: .once)
        let second = try scene.launchedSlot(scene.echo(2, user: bob, app: salad), mode: .once)
        #expect(scene.launchedRuns(scene.echo(3, user: bob, app: salad)) == [])
        _ = ask(first, in: &scene)
        #expect(scene.launchedRuns(ask(second, in: &scene)) == [])
        let ended = scene.runTable.handle(.ended(first, Scene.exited, lastLine: nil), at: at(2))
        #expect(scene.launchedRuns(ended) == [3])
    }

    @Test func `one user's runs with questions, open or answered, leave slots and waiting places to others`() throws {
        var queue = AdmissionQueue(capacity: RunTable.Capacity())
        var lastRun: UInt64 = 0
        func begin(_ user: Caller) -> RunID? {
            lastRun += 1
            let run = Scene.run(lastRun)
            let ticket = AdmissionQueue.Ticket(run: run, user: user, account: .local(user: user.uid), app: soup.name)
            queue.join(ticket, appLimit: 32)
            return queue.admit().contains(run) ? run : nil
        }
        var asking: [RunID] = []
        while let run = begin(ada) {
            queue.questionOpened(run)
            asking.append(run)
        }
        #expect(asking.count == 128 + 31)
        let run = try #require(begin(bob))
        queue.questionOpened(run)
        #expect(!queue.hasSlot(run))
        for run in asking { queue.questionClosed(run) }
        _ = queue.admit()
        #expect(asking.count { queue.hasSlot($0) } == 31)
        #expect(begin(bob) != nil)
        #expect(begin(eve) == nil, "the app's last slot is Bob's")
    }

    @Test func `each app keeps a slot for a user who has none of it`() throws {
        var scene = try scene(places: 9)
        var stew = salad
        stew.runCountMax = 2
        #expect(scene.launchedRuns(scene.echo(1, user: ada, app: stew)) == [1])
        #expect(scene.launchedRuns(scene.echo(2, user: ada, app: stew)) == [])
        #expect(scene.launchedRuns(scene.echo(3, user: bob, app: stew)) == [3])
        #expect("\(AdmissionQueue.Obstacle.appShare(2))".contains("MaxRunsPerApp=2"))
    }

    @Test func `one user can fill half of the backlog, and the refusal states this limit`() throws {
        var scene = try scene(places: 1, queued: 5)
        for number in UInt64(1)...4 { #expect(Scene.refusal(in: scene.echo(number, user: ada, app: salad)) == nil) }
        let refused = scene.echo(5, user: ada, app: salad)
        let error = try #require(Scene.refusal(in: refused))
        #expect(error.code == .busy)
        #expect(error.message.contains("3 of your runs are already waiting"))
        #expect(error.message.contains("one user's full share of the backlog (MaxQueued=5)"))
        #expect(refused.contains(.forget(Scene.run(5))))
        #expect(Scene.refusal(in: scene.echo(6, user: bob, app: salad)) == nil)
    }

    @Test func `a full backlog refuses every run without a free slot`() throws {
        var scene = try scene(places: 4, perUser: 1, queued: 2)
        for (number, user) in [(UInt64(1), ada), (2, ada), (3, bob), (4, bob)] {
            #expect(Scene.refusal(in: scene.echo(number, user: user, app: salad)) == nil)
        }
        #expect(scene.runTable.load.queuedCount == 2)
        // A slot is free, so the run needs no room in the backlog.
        #expect(scene.launchedRuns(scene.echo(5, user: eve, app: soup)) == [5])
        let error = try #require(Scene.refusal(in: scene.echo(6, user: Caller.local(user: 1003), app: soup)))
        #expect(error.code == .busy)
        #expect(error.message.contains("full: 2 runs are queued (MaxQueued=2)"))
        // The reached limit is independent of the total number of slots.
        #expect(!error.message.contains("every place"))
    }

    @Test func `the end of a run that waited too long names the limit that kept it in the backlog`() throws {
        var byApp = try scene(places: 9, perUser: 9)
        _ = byApp.echo(1, user: ada, app: soup)
        _ = byApp.echo(2, user: bob, app: soup)
        #expect(byApp.busyMessage(2)?.hasSuffix("within 60 s: \(AdmissionQueue.Obstacle.appLimit(1))") == true)
        var byUser = try scene(places: 9, perUser: 1)
        _ = byUser.echo(1, user: ada, app: salad)
        _ = byUser.echo(2, user: ada, app: soup)
        #expect(byUser.busyMessage(2)?.hasSuffix("within 60 s: \(AdmissionQueue.Obstacle.userLimit(1))") == true)
        var byAll = try scene(places: 1, perUser: 9)
        _ = byAll.echo(1, user: ada, app: salad)
        _ = byAll.echo(2, user: bob, app: soup)
        #expect(byAll.busyMessage(2)?.hasSuffix("within 60 s: \(AdmissionQueue.Obstacle.limit(1))") == true)
        #expect("\(AdmissionQueue.Obstacle.appLimit(1))".contains("MaxRunsPerApp=1"))
        #expect("\(AdmissionQueue.Obstacle.userLimit(3))".contains("MaxRunsPerUser=3"))
        #expect("\(AdmissionQueue.Obstacle.limit(64))".contains("MaxRuns=64"))
    }

    @Test func `room in the backlog is free again when a run leaves it`() throws {
        var scene = try scene(places: 1, queued: 2)
        _ = scene.echo(1, user: ada, app: salad)
        for number in UInt64(2)...80 {
            #expect(Scene.refusal(in: scene.echo(number, user: ada, app: salad)) == nil)
            #expect(scene.runTable.load.queuedCount == 1)
            let cancel = RunTable.Event.requested(Scene.client, ada, id: 9, .cancel(run: Scene.run(number).text))
            _ = scene.runTable.handle(cancel, at: at(0))
            #expect(scene.runTable.load.queuedCount == 0)
        }
    }

    @Test func `while an app describes its intents, one user may fill half of the backlog`() throws {
        var capacity = RunTable.Capacity()
        capacity.queueCount = 4
        var scene = Scene(capacity)
        let slot = try scene.launchedSlot(scene.echo(1, user: ada), mode: .describe)
        _ = scene.echo(2, user: ada)
        #expect(Scene.refusal(in: scene.echo(3, user: ada))?.message.contains("2 of your runs") == true)
        _ = scene.echo(4, user: bob)
        #expect(Scene.refusal(in: scene.echo(5, user: bob))?.message.contains("1 of your runs is") == true)
        #expect(Scene.refusal(in: scene.echo(6, user: eve)) == nil)
        #expect(Scene.refusal(in: scene.echo(7, user: eve))?.message.contains("full: 4 runs are queued") == true)
        _ = scene.runTable.handle(.reported(slot, .catalog(Scene.catalog)), at: at(0))
        let told = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        #expect(scene.launchedRuns(told) == [1, 2, 4, 6])
    }

    @Test func `many requests that are accepted at the same time cannot exceed the limit of the backlog`() throws {
        var capacity = RunTable.Capacity()
        capacity.queueCount = 4
        capacity.runCount = 2
        var scene = try Scene.ready(capacity, apps: [soup])
        for (number, user) in [(UInt64(1), ada), (2, ada), (3, bob)] { _ = scene.echo(number, user: user, app: soup) }
        #expect(scene.runTable.load.queuedCount == 2)
        let slot = try scene.launchedSlot(scene.echo(4, user: ada, app: salad), mode: .describe)
        for (number, user) in [(UInt64(5), ada), (6, bob)] { _ = scene.echo(number, user: user, app: salad) }
        #expect(Scene.refusal(in: scene.echo(7, user: bob, app: salad))?.code == .busy)
        _ = scene.runTable.handle(.reported(slot, .catalog(Scene.catalog)), at: at(0))
        let told = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        // One run gets the free slot, and one run joins the backlog. The rest of the backlog is reserved for another
        // user.
        #expect(scene.launchedRuns(told) == [4])
        #expect(scene.runTable.load.queuedCount == 3)
        #expect(Scene.refusal(in: told)?.code == .busy)
        #expect(told.contains(.forget(Scene.run(6))))
        #expect(Scene.refusal(in: scene.echo(8, user: eve, app: salad)) == nil)
    }

    @Test func `a request that is still waiting when intentd stops is refused`() throws {
        var scene = Scene()
        let slot = try scene.launchedSlot(scene.echo(1), mode: .describe)
        _ = scene.runTable.handle(.reported(slot, .catalog(Scene.catalog)), at: at(0))
        _ = scene.runTable.handle(.stopRequested, at: at(0))
        let told = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        #expect(Scene.refusal(in: told)?.code == .stopping)
        #expect(told.last == .quit(.stopped))
    }

    private func scene(
        places: Int,
        perUser: Int = 32,
        waiting: Int = 256,
        queued: Int = 1024
    ) throws -> Scene {
        var capacity = RunTable.Capacity()
        capacity.runCount = places
        capacity.runCountPerUser = perUser
        capacity.waitingCount = waiting
        capacity.queueCount = queued
        return try Scene.ready(capacity, apps: [soup, salad])
    }

    private func ask(_ slot: SlotID, in scene: inout Scene) -> [RunTable.Action] {
        _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let question = Question(number: 1, text: "?", type: .int)
        return scene.runTable.handle(.reported(slot, .question(question)), at: at(0))
    }
}

extension Scene {
    /// The outcome of a run that has exceeded its queue timeout.
    fileprivate mutating func busyMessage(_ number: UInt64) -> String? {
        let fired = runTable.handle(.timerFired(.run(Scene.run(number))), at: at(60))
        return fired.lazy.compactMap { action in
            if case .publish(_, let event) = action, case .finished(let end) = event.event,
                case .busy(let message) = end.outcome
            {
                return message
            }
            return nil
        }.first
    }

    @Test func `a retry of a run begins once that run has released its slot`() throws {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.echo(1), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let request = PerformRequest(
            request: Scene.request(2),
            app: "Probe",
            intent: "Echo",
            values: ["text": .string("a")],
            retryOf: Scene.run(1)
        )
        let asked = RunTable.Event.requested(
            Scene.client,
            Scene.user,
            id: 2,
            .perform(request, newRun: Scene.run(2), .found(Scene.app))
        )
        let accepted = scene.runTable.handle(asked, at: at(1))
        #expect(accepted.contains(.answer(Scene.client, id: 2, .accepted(run: Scene.run(2)))))
        #expect(scene.launchedRuns(accepted) == [])
        // The outcome is announced, but the process has not exited.
        let result = WorkerResult(ending: .returned(value: nil, dialog: nil))
        #expect(scene.launchedRuns(scene.runTable.handle(.reported(slot, .finished(result)), at: at(2))) == [])
        let gone = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(3))
        #expect(scene.launchedRuns(gone) == [2])
    }
}
