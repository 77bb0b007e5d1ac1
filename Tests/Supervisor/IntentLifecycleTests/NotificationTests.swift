import IntentLauncherMessages
import IntentLifecycle
import Testing

/// `[Notify]`: which ends of runs are reported, and with which values.
@Suite struct NotificationTests {
    private static let hour: Int64 = 3600

    private let mail: NotifyRule.Target
    private let series: Notifications.Series
    private var rule = NotifyRule()
    private var notifications = Notifications()

    init() throws {
        mail = try #require(NotifyRule.Target("Mail/Send"))
        series = Notifications.Series(app: Scene.app.name, intent: "Echo", user: Scene.user, .values("a"))
    }

    private mutating func end(
        _ result: Notifications.Result,
        of other: Notifications.Series? = nil,
        perHour: Int = 20,
        at seconds: Int64 = 0
    ) -> Notifications.Decision {
        notifications.ended(result, of: other ?? series, under: rule, perHour: perHour, at: at(seconds))
    }

    @Test(arguments: [
        ("Mail/Send", true), ("Mail/SendIntent", true), ("Mail", false), ("/Send", false), ("Mail/", false),
        ("Mail/Send/now", false), ("Mail/Send now", false), ("", false),
    ])
    func `a target is an app and an intent`(text: String, isTarget: Bool) {
        #expect((NotifyRule.Target(text) != nil) == isTarget)
    }

    // MARK: Failures in a row

    @Test mutating func `without a rule no end is reported`() {
        #expect(end(.failure) == .none)
        #expect(end(.success) == .none)
    }

    @Test mutating func `the failure that reaches After= is reported, and no later one`() {
        rule.onFailure = mail
        rule.after = 3
        #expect(
            (1...5).map { _ in end(.failure) } == [.none, .none, .report(.failure, to: mail, count: 3), .none, .none]
        )
    }

    @Test mutating func `a success resets the count of failures`() {
        rule.onFailure = mail
        rule.after = 2
        #expect(end(.failure) == .none)
        #expect(end(.success) == .none)
        #expect(end(.failure) == .none)
        #expect(end(.failure) == .report(.failure, to: mail, count: 2))
        #expect(end(.success) == .none)
        #expect(end(.failure) == .none)
        #expect(end(.failure) == .report(.failure, to: mail, count: 2))
    }

    @Test mutating func `failures are counted separately for each intent and user`() {
        rule.onFailure = mail
        rule.after = 2
        let other = Notifications.Series(app: series.app, intent: "AddIntent", user: series.user, series.subject)
        let others = Notifications.Series(app: series.app, intent: "Echo", user: .local(user: 1001), series.subject)
        for series in [series, other, others] { #expect(end(.failure, of: series) == .none) }
        for series in [series, other, others] {
            #expect(end(.failure, of: series) == .report(.failure, to: mail, count: 2))
        }
    }

    @Test mutating func `failures are counted separately for each schedule and for equal values`() {
        rule.onFailure = mail
        rule.after = 2
        func other(_ subject: Notifications.Series.Subject) -> Notifications.Series {
            Notifications.Series(app: series.app, intent: "Echo", user: series.user, subject)
        }
        // The successes of one database must not hide the failures of another.
        let (sales, stock, nightly) = (other(.values("sales")), other(.values("stock")), other(.schedule("nightly")))
        var reports: [Notifications.Decision] = []
        for _ in 1...3 { reports += [end(.failure, of: sales), end(.success, of: stock), end(.failure, of: nightly)] }
        let report = Notifications.Decision.report(.failure, to: mail, count: 2)
        #expect(reports == [.none, .none, .none, report, .none, report, .none, .none, .none])
    }

    // MARK: Recovery and success

    @Test mutating func `the first success after a reported failure is a recovery, with the number of failures`() {
        rule.onRecovery = mail
        rule.after = 2
        #expect(end(.failure) == .none)
        #expect(end(.success) == .none)
        for _ in 1...3 { #expect(end(.failure) == .none) }
        #expect(end(.success) == .report(.recovery, to: mail, count: 3))
        #expect(end(.success) == .none)
    }

    @Test mutating func `every other success is reported as a success`() throws {
        let hook = try #require(NotifyRule.Target("Webhook/Post"))
        rule.onSuccess = hook
        rule.onRecovery = mail
        #expect(end(.success) == .report(.success, to: hook, count: 0))
        #expect(end(.failure) == .none)
        #expect(end(.success) == .report(.recovery, to: mail, count: 1))
        #expect(end(.success) == .report(.success, to: hook, count: 0))
    }

    // MARK: The limit

    @Test mutating func `above PerHour= the suppression is logged once, and the next hour permits more reports`() {
        rule.onSuccess = mail
        let report = Notifications.Decision.report(.success, to: mail, count: 0)
        #expect((0..<5).map { end(.success, perHour: 2, at: $0) } == [report, report, .limited, .none, .none])
        #expect(end(.success, perHour: 2, at: Self.hour - 1) == .none)
        #expect((0..<3).map { end(.success, perHour: 2, at: Self.hour + $0) } == [report, report, .limited])
    }

    @Test mutating func `one app or user does not use up the limit of another`() throws {
        rule.onSuccess = mail
        #expect(end(.success, perHour: 1) == .report(.success, to: mail, count: 0))
        #expect(end(.success, perHour: 1) == .limited)
        let app = try #require(AppName("Soup"))
        for other in [
            Notifications.Series(app: app, intent: "Echo", user: series.user, series.subject),
            Notifications.Series(app: series.app, intent: "Echo", user: .local(user: 1001), series.subject),
        ] {
            #expect(end(.success, of: other, perHour: 1) == .report(.success, to: mail, count: 0))
        }
        // Another intent of the same app and user has the same limit.
        let intent = Notifications.Series(app: series.app, intent: "AddIntent", user: series.user, series.subject)
        #expect(end(.success, of: intent, perHour: 1) == .none)
    }

    @Test mutating func `a failure beyond the limit is reported by the next failure in a later hour`() {
        rule.onFailure = mail
        rule.onSuccess = mail
        #expect(end(.success, perHour: 1) == .report(.success, to: mail, count: 0))
        #expect(end(.failure, perHour: 1) == .limited)
        #expect(end(.failure, perHour: 1, at: Self.hour) == .report(.failure, to: mail, count: 2))
    }

    // MARK: What counts

    @Test(arguments: [
        (RunOutcome.done(value: nil, dialog: nil), Notifications.Result?.some(.success)),
        (.failed(message: ""), .failure), (.unanswered(parameter: nil, question: ""), .failure),
        (.cancelled(.timeout), .failure), (.crashed(.exited(code: 1)), .failure), (.exceeded(.memory), .failure),
        (.violated(message: ""), .failure), (.notStarted(message: ""), .failure), (.busy(message: ""), .failure),
        (.lost(message: ""), .failure), (.unknown(kind: "new", message: ""), .failure),
        (.cancelled(.userCancelled), nil), (.cancelled(.serviceStopping), nil), (.cancelled(.clientDisconnected), nil),
        (.cancelled(.replaced), nil), (.cancelled(.unknown("new")), nil),
    ])
    func `an end is a success, a failure or neither`(outcome: RunOutcome, result: Notifications.Result?) {
        #expect(Notifications.Result(outcome) == result)
    }

    // MARK: In the run table

    /// The notifications, and the lines about suppressed ones, for a run of this app that fails or returns a value.
    private func reports(
        _ app: InstalledApp,
        failing message: String? = "it broke",
        text: String = "a",
        as client: RunTable.RequestOrigin? = nil,
        entryPoint: EntryPoint? = nil
    ) throws -> [RunTable.Action] {
        var scene = try Scene.ready()
        var request = PerformRequest(app: app.name.text, intent: "Echo", entryPoint: entryPoint)
        request.values["text"] = .string(text)
        // A notification omits the values that its intent does not declare.
        if entryPoint == .notification, client != nil { request.values["event"] = .string("failure") }
        let origin =
            client
            ?? RunTable.RequestOrigin(
                client: Scene.client,
                user: Scene.user,
                rank: .user,
                groups: [],
                id: 1,
                caller: CallerProcess(Scene.user)
            )
        let actions = scene.runTable.handle(
            .requested(origin, .perform(request, newRun: Scene.run(1), .found(app))),
            at: at(0)
        )
        #expect(Scene.refusal(in: actions) == nil)
        let slot = try scene.launchedSlot(actions, mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let ending: WorkerEnding =
            message.map { .threw(message: $0) } ?? .returned(value: .string(text), dialog: "You said: \(text)")
        var ended = scene.runTable.handle(.reported(slot, .finished(WorkerResult(ending: ending))), at: at(3))
        ended += scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(3))
        return ended.filter { action in
            switch action {
            case .notify: true
            default: false
            }
        }
    }

    private func app(_ change: (inout InstalledApp) -> Void) -> InstalledApp {
        var app = Scene.app
        change(&app)
        return app
    }

    private func notification(_ actions: [RunTable.Action]) -> Notification? {
        actions.lazy.compactMap { if case .notify(.perform(let delivery)) = $0 { delivery.notification } else { nil } }
            .first
    }

    @Test func `a report has the facts of the run, but none of its values`() throws {
        let app = app { $0.notify.onFailure = mail }
        let report = try #require(notification(try reports(app, text: "private")))
        #expect(report.target == mail)
        let values = report.values(started: "2026-11-23T16:00:00Z", host: "kitchen")
        #expect(
            values == [
                "event": .string("failure"), "app": .string("Probe"), "intent": .string("Echo"),
                "run": .string(Scene.run(1).text), "user": .string("1000"), "outcome": .string("failed"),
                "message": .string("it broke"), "started": .string("2026-11-23T16:00:00Z"), "duration": .double(3),
                "count": .int(1), "host": .string("kitchen"), "schedule": .string(""), "link": .string(""),
            ]
        )
    }

    @Test func `a success has no message, because its dialog may contain values`() throws {
        let app = app { $0.notify.onSuccess = mail }
        let report = try #require(notification(try reports(app, failing: nil, text: "private")))
        #expect(report.message == "")
        #expect(report.event == .success)
    }

    @Test func `a message hides secret values, and is one line of at most 1000 characters`() throws {
        let app = app {
            $0.notify.onFailure = mail
            $0.secretNames = ["text"]
        }
        let message = "no user hush-hush:\r\n.\r\nBcc: all\u{202E}\u{1B}[2J" + String(repeating: "x", count: 5000)
        let report = try #require(notification(try reports(app, failing: message, text: "hush-hush")))
        #expect(report.message.hasPrefix("no user …:  .  Bcc: all  [2Jxxx"))
        #expect(report.message.unicodeScalars.count == 1000)
    }

    @Test func `a combining mark after a secret value does not reveal the value`() throws {
        let app = app {
            $0.notify.onFailure = mail
            $0.secretNames = ["text"]
        }
        let message = "no user hush-hush\u{301}, hush-hush\u{20DD}"
        let report = try #require(notification(try reports(app, failing: message, text: "hush-hush")))
        #expect(Array(report.message.utf8) == Array("no user …\u{301}, …\u{20DD}".utf8))
    }

    @Test func `an intent's own rule replaces its app's`() throws {
        let own = app {
            $0.notify.onFailure = mail
            $0.intentRules["Echo", default: IntentRules()].notify = NotifyRule()
        }
        #expect(try reports(own) == [])
    }

    @Test(arguments: ["Probe/Echo", "Probe/EchoIntent"])
    func `the end of a notification's own intent is not reported`(target: String) throws {
        let app = app { $0.notify.onFailure = NotifyRule.Target(target) }
        #expect(try reports(app) == [])
    }

    @Test func `the end of a notification is not reported, and a client cannot claim to be one`() throws {
        let app = app { $0.notify.onFailure = mail }
        let intentd = RunTable.RequestOrigin(
            client: .intentd,
            user: Scene.user,
            rank: .user,
            groups: [],
            id: 1,
            caller: CallerProcess(Scene.user)
        )
        #expect(try reports(app, as: intentd, entryPoint: .notification) == [])
        #expect(try notification(reports(app, entryPoint: .notification)) != nil)
    }
}
