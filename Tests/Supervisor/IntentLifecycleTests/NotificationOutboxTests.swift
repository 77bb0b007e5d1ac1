import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Notifications that are delivered later, and notifications about schedules and questions.
@Suite struct NotificationOutboxTests {
    private static let hour: Int64 = 3600

    private let mail: NotifyRule.Target

    init() throws { mail = try #require(NotifyRule.Target("Mail/Send")) }

    private func app(_ change: (inout InstalledApp) -> Void) -> InstalledApp {
        var app = Scene.app
        change(&app)
        return app
    }

    private func only(_ steps: [RunTable.Action]) throws -> NotificationOutbox.Step {
        let steps = steps.compactMap { if case .notify(let step) = $0 { step } else { nil } }
        try #require(steps.count == 1, "\(steps)")
        return steps[0]
    }

    /// A run table with a notification that waits for its next attempt, and the first attempt.
    private func withFailedDelivery(
        _ rows: inout [String: String]
    ) throws -> (table: RunTable, NotificationOutbox.Delivery) {
        var table = try Scene.ready().runTable
        var capacity = RunTable.Capacity()
        capacity.notify.onFailure = mail
        _ = table.handle(.requested(Scene.client, Scene.user, id: 1, .reload(capacity, [], warnings: [])), at: at(0))
        var actions = table.handle(failedStart(of: "nightly"), at: at(0))
        guard case .perform(let delivery) = try only(actions) else { throw Unexpected("no attempt") }
        actions += table.handle(.undelivered(delivery.request, "the mail server is down"), at: at(1))
        store(actions, in: &rows)
        return (table, delivery)
    }

    private func failedStart(of schedule: String, number: Int = 1) -> RunTable.Event {
        let key = "schedule:\(schedule):\(number)"
        let failure = StartFailure(app: "Nope", intent: "Echo", key: key, message: "unknown app")
        return .requested(Scene.client, Scene.user, id: 1, .startFailed(failure))
    }

    private func store(_ actions: [RunTable.Action], in rows: inout [String: String]) {
        for case .record(let record) in actions {
            if case .stored(let name, let value) = record.fact { rows[name] = value }
        }
    }

    @Test func `a start without a run is a failure of its schedule, even of an unknown app`() throws {
        var rows: [String: String] = [:]
        let (_, delivery) = try withFailedDelivery(&rows)
        #expect(delivery.notification.series.schedule == "nightly")
        #expect(delivery.notification.message == "the start did not result in a run: unknown app")
        #expect(delivery.notification.event == .failure)
    }

    @Test func `a start without a run counts once, although intentctl and the unit report it`() throws {
        var table = try Scene.ready().runTable
        var capacity = RunTable.Capacity()
        capacity.notify.onFailure = mail
        capacity.notify.after = 2
        _ = table.handle(.requested(Scene.client, Scene.user, id: 1, .reload(capacity, [], warnings: [])), at: at(0))
        func count(_ number: Int, in table: inout RunTable) -> Int {
            let actions = table.handle(failedStart(of: "nightly", number: number), at: at(1))
            #expect(actions.contains { if case .answer(_, _, .startFailureNoted) = $0 { true } else { false } })
            return actions.count { if case .notify = $0 { true } else { false } }
        }
        #expect([1, 1, 1, 2].map { count($0, in: &table) } == [0, 0, 0, 1])
    }

    @Test func `a failed delivery is repeated after a pause, also by the next intentd, and then given up`() throws {
        var rows: [String: String] = [:]
        var (table, first) = try withFailedDelivery(&rows)
        #expect(
            table.handle(.timerFired(.notifications), at: at(10)).allSatisfy {
                if case .notify = $0 { false } else { true }
            }
        )
        guard case .perform(let second) = try only(table.handle(.timerFired(.notifications), at: at(11))) else {
            throw Unexpected("no second attempt")
        }
        #expect(second.attempt == 2)
        #expect(second.request != first.request)
        #expect(second.notification == first.notification)
        // After a crash, the rows restore the attempt with its identifier, so that no attempt is performed twice.
        var next = try Scene.ready().runTable
        #expect(try only(next.handle(.recalled(rows), at: at(20))) == .perform(second))
        guard case .gaveUp = try only(next.handle(.undelivered(second.request, "down"), at: at(86_400))) else {
            throw Unexpected("not given up")
        }
        store(next.handle(.timerFired(.notifications), at: at(90_001)), in: &rows)
        #expect(next.undeliveredCount == 0)
    }

    @Test func `a user has a bounded number of undelivered notifications, and the oldest is given up`() throws {
        var rows: [String: String] = [:]
        var (table, _) = try withFailedDelivery(&rows)
        var gaveUp: [String?] = []
        for number in 1...100 {
            // The limit of notifications per hour is not concerned.
            let actions = table.handle(failedStart(of: "s\(number)"), at: at(Int64(number) * Self.hour / 15))
            for case .notify(.gaveUp(let delivery, _)) in actions {
                gaveUp.append(delivery.notification.series.schedule)
            }
        }
        #expect(gaveUp == ["nightly"])
    }

    @Test func `a schedule without a success for ExpectEvery= is reported once, also after a restart`() throws {
        var app = Scene.app
        app.notify.onFailure = mail
        app.notify.expectEvery = .seconds(26 * Self.hour)
        var rows: [String: String] = [:]
        var scene = try Scene.ready()
        let request = PerformRequest(
            app: "Probe",
            intent: "Echo",
            values: ["text": .string("a")],
            key: "schedule:nightly:1"
        )
        let actions = scene.runTable.handle(
            .requested(Scene.client, Scene.user, id: 1, .perform(request, newRun: Scene.run(1), .found(app))),
            at: at(0)
        )
        let slot = try scene.launchedSlot(actions, mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let ending = WorkerResult(ending: .returned(value: .string("a"), dialog: nil))
        store(scene.runTable.handle(.reported(slot, .finished(ending)), at: at(3)), in: &rows)
        store(scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(3)), in: &rows)
        #expect(scene.runTable.scheduleRows.map(\.lastMilliseconds) == [3000])
        var next = try Scene.ready().runTable
        _ = next.handle(.recalled(rows), at: at(Self.hour))
        _ = next.handle(.started([app]), at: at(Self.hour))
        #expect(next.undeliveredCount == 0)
        guard case .perform(let delivery) = try only(next.handle(.timerFired(.notifications), at: at(27 * Self.hour)))
        else { throw Unexpected("not overdue") }
        #expect(delivery.notification.event == .overdue)
        _ = next.handle(.timerFired(.notifications), at: at(54 * Self.hour))
        #expect(next.undeliveredCount == 1)
    }

    @Test func `the first success of an overdue schedule is a recovery`() throws {
        var app = Scene.app
        (app.notify.onFailure, app.notify.onRecovery) = (mail, mail)
        app.notify.expectEvery = .seconds(26 * Self.hour)
        var scene = try Scene.ready()
        _ = scene.runTable.handle(.started([app]), at: at(0))
        /// Performs a run of the schedule at this time.
        func perform(_ number: UInt64, at seconds: Int64) throws -> [RunTable.Action] {
            let request = PerformRequest(
                request: Scene.request(number),
                app: "Probe",
                intent: "Echo",
                values: ["text": .string("a")],
                key: "schedule:nightly:\(number)"
            )
            let body = RunTable.Request.perform(request, newRun: Scene.run(number), .found(app))
            let requested = RunTable.Event.requested(Scene.client, Scene.user, id: number, body)
            let slot = try scene.launchedSlot(scene.runTable.handle(requested, at: at(seconds)), mode: .once)
            let ending = WorkerResult(ending: .returned(value: .string("a"), dialog: nil))
            let events: [RunTable.Event] = [
                .launched(slot, Scene.isolation), .reported(slot, .started), .reported(slot, .finished(ending)),
                .ended(slot, Scene.exited, lastLine: nil),
            ]
            return events.flatMap { scene.runTable.handle($0, at: at(seconds)) }
        }
        func events(_ actions: [RunTable.Action]) -> [Notification.Event] {
            actions.compactMap {
                if case .notify(.perform(let delivery)) = $0 { delivery.notification.event } else { nil }
            }
        }
        #expect(events(try perform(1, at: 0)) == [])
        #expect(events(scene.runTable.handle(.timerFired(.notifications), at: at(26 * Self.hour))) == [.overdue])
        #expect(events(try perform(2, at: 27 * Self.hour)) == [.recovery])
        #expect(events(try perform(3, at: 28 * Self.hour)) == [])
    }

    @Test func `a waiting run is reported once, and again before its question expires`() throws {
        let app = app { $0.notify.onQuestion = mail }
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.perform("Echo", ["text": .string("a")], app: app), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let question = Question(number: 1, text: "Which?", type: .string)
        let asked = scene.runTable.handle(.reported(slot, .question(question)), at: at(0))
        guard case .perform(let delivery) = try only(asked) else { throw Unexpected("not reported") }
        #expect(delivery.notification.event == .question)
        #expect(delivery.notification.message.contains("intentctl answer \(Scene.run(1))"))
        let timer = asked.compactMap { if case .armTimer(.notifications, let instant) = $0 { instant } else { nil } }
        #expect(timer == [.boottime(at(2700).boottime)])
        guard case .perform(let reminder) = try only(scene.runTable.handle(.timerFired(.notifications), at: at(2700)))
        else { throw Unexpected("no reminder") }
        #expect(reminder.notification.event == .reminder)
        let direct = scene.perform(
            "Echo",
            ["text": .string("a")],
            id: 2,
            newRun: Scene.run(2),
            request: 2,
            isInteractive: true,
            app: app
        )
        let other = try scene.launchedSlot(direct, mode: .once)
        _ = scene.launched(other)
        _ = scene.runTable.handle(.reported(other, .started), at: at(2701))
        let atTerminal = scene.runTable.handle(.reported(other, .question(question)), at: at(2701))
        #expect(atTerminal.allSatisfy { if case .notify = $0 { false } else { true } })
    }
}

private struct Unexpected: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
