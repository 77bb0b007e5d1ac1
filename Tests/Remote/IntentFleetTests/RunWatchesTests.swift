import IntentFleet
import IntentProtocol
import Testing

/// What local clients are told about runs of the fleet.
struct RunWatchesTests {
    @Test func `a client hears each state once, and the end last`() throws {
        var watches = RunWatches()
        watches.watch(7, by: 1, after: 100)
        #expect(events(watches.update([try row("queued")], asked: [7])) == ["state queued"])
        #expect(watches.update([try row("queued")], asked: [7]) == [])
        #expect(
            events(watches.update([try row("running", report: Self.report(1))], asked: [7]))
                == ["state running", "progress 1"]
        )
        #expect(events(watches.update([try row("running", report: Self.report(2))], asked: [7])) == ["progress 2"])
        let last = watches.update([try row("done")], asked: [7])
        #expect(events(last) == ["finished failed"])
        #expect(watches.isEmpty)
        #expect(watches.update([try row("done")], asked: [7]) == [])
    }

    @Test func `serials grow, and begin after those of an earlier process`() throws {
        var watches = RunWatches()
        watches.watch(7, by: 1, after: 100)
        let first = watches.update([try row("queued")], asked: [7])
        let second = watches.update([try row("running")], asked: [7])
        #expect(first.map(\.event.serial) == [101])
        #expect(second.map(\.event.serial) == [102])
    }

    @Test func `a second client hears the state, and clients that leave hear nothing`() throws {
        var watches = RunWatches()
        watches.watch(7, by: 1, after: 0)
        _ = watches.update([try row("running")], asked: [7])
        watches.watch(7, by: 2, after: 0)
        #expect(watches.update([try row("running")], asked: [7]).map(\.client).sorted() == [1, 2])
        watches.left(1)
        #expect(watches.update([try row("done")], asked: [7]).map(\.client) == [2])
        watches.watch(8, by: 2, after: 0)
        watches.left(2)
        #expect(watches.isEmpty)
    }

    @Test func `an end that this host has committed reaches each client once, without a query`() throws {
        var watches = RunWatches()
        watches.watch(7, by: 1, after: 100)
        watches.watch(7, by: 2, after: 100)
        _ = watches.update([try row("running")], asked: [7])
        let outcome = RunEnd(
            run: RunID(randomBits: 3),
            outcome: .done(value: nil, dialog: nil),
            account: RunAccount()
        )
        let json = String(decoding: WireCoding.encode(outcome), as: UTF8.self)
        let end = FleetRunEnd(run: 7, attempt: 1, state: .done, result: json)
        let deliveries = watches.ended(try #require(end.forClients))
        #expect(deliveries.map(\.client) == [1, 2])
        #expect(deliveries.map(\.event.serial) == [102, 102])
        #expect(deliveries.map(\.event.run.fleetNumber) == [7, 7])
        #expect(events(deliveries) == ["finished done", "finished done"])
        #expect(watches.update([try row("done", result: json)], asked: [7]) == [])
        // The database queues such a run again if its policy permits.
        #expect(FleetRunEnd(run: 7, attempt: 1, state: .lost, result: json).forClients == nil)
    }

    @Test func `a run that the database no longer has ends as lost, after it was missing three times`() {
        var watches = RunWatches()
        watches.watch(7, by: 1, after: 0)
        #expect(watches.update([], asked: [7]) == [])
        #expect(watches.update([], asked: []) == [])
        #expect(watches.update([], asked: [7]) == [])
        #expect(events(watches.update([], asked: [7])) == ["finished lost"])
        #expect(watches.isEmpty)
    }

    @Test func `a lost host, a cancellation and a damaged result have outcomes`() throws {
        #expect(try row("failed", reason: "hostLost").end?.outcome.kindName == "hostLost")
        #expect(try row("cancelled", reason: "clientDisconnected").end?.outcome == .cancelled(.clientDisconnected))
        #expect(try row("done", result: "{").end?.outcome.kindName == "failed")
        let end = RunEnd(
            run: RunID(randomBits: 3),
            outcome: .done(value: .int(4), dialog: nil),
            account: RunAccount(),
            fileCount: 5
        )
        let read = try row("done", result: String(decoding: WireCoding.encode(end), as: UTF8.self)).end
        #expect(read?.outcome == .done(value: .int(4), dialog: nil))
        #expect(read?.run == RunID(fleet: 7))
        #expect(read?.fileCount == 0)
        #expect(try row("running", reason: "userCancelled").runState == .stopping)
    }

    @Test func `a row with other columns is not a run`() {
        #expect(FleetRecord([]) == nil)
        #expect(FleetRecord(Array(repeating: nil, count: 15)) == nil)
        #expect(FleetRecord(["7", "ada@web1", "NoSlash", "done", "{}"] + Array(repeating: "1", count: 10)) == nil)
    }

    @Test(arguments: [
        ("ada", "ada@web1"), ("", "uid.7@web1"), ("uid.8", "uid.7@web1"), ("a b", "uid.7@web1"), ("a@b", "uid.7@web1"),
        (".ada", "uid.7@web1"), ("a/b", "uid.7@web1"), ("Ann-2_x.y", "Ann-2_x.y@web1"),
    ])
    func `a local user has a name that no other account can have`(account: String, name: String) {
        #expect(FleetUser.name(user: 7, account: account, realm: "web1") == name)
    }

    @Test func `a host offers what its operator permits`() {
        func intent(_ name: String, _ rule: FleetRule?, _ type: ValueType = .string) -> IntentDeclaration {
            var details = IntentDetails()
            details.fleet = rule
            return IntentDeclaration(
                name: name,
                title: name,
                parameters: [ParameterDeclaration(name: "p", title: "p", type: type)],
                details: details
            )
        }
        let app = AppDescription(
            name: "A",
            executable: "/apps/A",
            catalog: IntentCatalog(intents: [
                intent("Open", FleetRule(.once)), intent("Closed", nil),
                intent("Files", FleetRule(.once), .array(.file)),
                intent("Elsewhere", FleetRule(.once, hosts: ["web2"])),
                intent("Labelled", FleetRule(.retryable, tries: 5, hosts: ["@gpu"])),
                intent("Newer", FleetRule(FleetRule.Policy(rawValue: "twice"))),
            ]),
            problem: nil,
            limits: RunLimits(),
            isolation: nil
        )
        let plan = OfferPlan([app], host: "web1", labels: ["gpu"])
        #expect(
            plan.offers == [
                "A/Open": .init(.once, tries: 3), "A/Files": .init(.once, tries: 3),
                "A/Labelled": .init(.retryable, tries: 5),
            ]
        )
        #expect(plan.apps.first?.catalog?.intents.map(\.name) == ["Open", "Files", "Labelled"])
        #expect(plan.apps.first?.executable == "A")
        #expect(OfferPlan([app], host: "web3", labels: []).offers.keys.sorted() == ["A/Files", "A/Open"])
    }

    // MARK: Support

    private static func report(_ count: Int64) -> String {
        let report = ProgressReport(completedUnitCount: count, totalUnitCount: 4, fraction: Double(count) / 4)
        return String(decoding: WireCoding.encode(report), as: UTF8.self)
    }

    @Test func `the story of a run that asks has its question, with what it shows`() throws {
        var question = Question(number: 3, text: "Order it?", type: .bool, kind: .confirmation)
        question.snippet = Snippet(root: SnippetElement(.text("Two bowls")))
        let open = OpenQuestion(question, remaining: .seconds(60))
        let json = String(decoding: WireCoding.encode(open), as: UTF8.self)
        let asked = try row("running", question: json).story(user: 1).changes.compactMap { change -> Question? in
            if case .question(let question) = change.event { question } else { nil }
        }
        #expect(asked == [question])
        #expect(try row("running").story(user: 1).changes.count == 2)
        #expect(try row("running", question: "[]").story(user: 1).changes.count == 2)
        #expect(try row("done", question: json).story(user: 1).changes.count == 2)
    }

    private func row(
        _ state: String,
        reason: String? = nil,
        result: String? = nil,
        report: String? = nil,
        question: String? = nil
    ) throws -> FleetRecord {
        try #require(
            FleetRecord([
                "7", "ada@web1", "A/B", state, "{}", "1000", "2000", "3000", "2000", "1", "web2", reason, result,
                report, question,
            ])
        )
    }

    private func events(_ deliveries: [RunWatches.Delivery]) -> [String] {
        deliveries.map { delivery in
            switch delivery.event.event {
            case .state(let state, _): "state \(state.rawValue)"
            case .progress(let progress): "progress \(progress.completedUnitCount)"
            case .question: "question"
            case .answered: "answered"
            case .output: "output"
            case .finished(let end): "finished \(end.outcome.kindName)"
            }
        }
    }
}
