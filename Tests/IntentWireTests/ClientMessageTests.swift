import IntentWire
import Testing

@Suite struct ClientMessageTests {
    static let requests: [Golden<NumberedRequest>] = [
        Golden(
            #"{"id":1,"protocolVersion":1,"software":"intentctl 1.0.0","type":"hello"}"#,
            NumberedRequest(id: 1, .hello(Sample.hello))
        ),
        Golden(#"{"id":2,"type":"list"}"#, NumberedRequest(id: 2, .list)),
        Golden(
            #"{"app":"../é\"\n/x","id":3,"type":"describe"}"#,
            NumberedRequest(id: 3, .describe(app: "../é\"\n/x"))
        ),
        Golden(
            #"{"app":"Archive","files":1,"id":18446744073709551615,"intent":"Compress","#
                + #""limitMilliseconds":120000,"onDisconnect":"continue","#
                + #""request":"00112233445566778899aabbccddeeff","type":"perform","#
                + #""values":{"file":{"file":{"contentType":"text/plain","index":0,"name":"a.txt"}},"level":9}}"#,
            NumberedRequest(
                id: .max,
                .perform(
                    PerformRequest(
                        request: Sample.request,
                        app: "Archive",
                        intent: "Compress",
                        values: [
                            "file": .file(FileReference(index: 0, name: "a.txt", contentType: "text/plain")),
                            "level": .int(9),
                        ],
                        fileCount: 1,
                        limit: .milliseconds(120_000),
                        onDisconnect: .continue
                    )
                )
            )
        ),
        Golden(
            #"{"app":"A","ceilingMilliseconds":3600000,"files":0,"id":0,"intent":"B","onDisconnect":"cancel","#
                + #""request":"00112233445566778899aabbccddeeff","type":"perform","values":{}}"#,
            NumberedRequest(
                id: 0,
                .perform(
                    PerformRequest(request: Sample.request, app: "A", intent: "B", ceiling: .milliseconds(3_600_000))
                )
            )
        ),
        Golden(
            #"{"id":5,"run":"0123456789","type":"cancel"}"#,
            NumberedRequest(id: 5, .cancel(run: "0123456789"))
        ),
        Golden(
            #"{"id":5,"run":"0123456789","type":"watch"}"#,
            NumberedRequest(id: 5, .watch(run: "0123456789", after: nil))
        ),
        Golden(
            #"{"after":7,"id":5,"run":"0123456789","type":"watch"}"#,
            NumberedRequest(id: 5, .watch(run: "0123456789", after: 7))
        ),
        Golden(
            #"{"id":5,"run":"0123456789","type":"question"}"#,
            NumberedRequest(id: 5, .question(run: "0123456789"))
        ),
        Golden(
            #"{"id":5,"question":2,"run":"0123456789","type":"answer","value":3}"#,
            NumberedRequest(id: 5, .answer(AnswerRequest(run: "0123456789", question: 2, value: .int(3))))
        ),
        Golden(
            #"{"id":5,"run":"0123456789","type":"answer","value":null}"#,
            NumberedRequest(id: 5, .answer(AnswerRequest(run: "0123456789", value: .null)))
        ),
        Golden(
            #"{"answers":{"confirmations":"harmless","others":"refuse","values":{"quantity":3}},"app":"A","files":0,"#
                + #""id":0,"intent":"B","onDisconnect":"cancel","request":"00112233445566778899aabbccddeeff","#
                + #""type":"perform","values":{}}"#,
            NumberedRequest(
                id: 0,
                .perform(
                    PerformRequest(
                        request: Sample.request,
                        app: "A",
                        intent: "B",
                        answers: AnswersInAdvance(
                            values: ["quantity": .int(3)],
                            confirmations: .harmless,
                            others: .refuse
                        )
                    )
                )
            )
        ),
        Golden(#"{"id":6,"type":"runs"}"#, NumberedRequest(id: 6, .runs)),
        Golden(#"{"id":7,"type":"status"}"#, NumberedRequest(id: 7, .status)),
    ]

    static let answers: [Golden<ClientMessage>] =
        [
            Golden(
                #"{"id":1,"protocolVersion":1,"software":"intentd","type":"hello"}"#,
                .answer(id: 1, .hello(Hello(software: "intentd")))
            ),
            Golden(#"{"apps":[],"id":2,"type":"apps"}"#, .answer(id: 2, .apps([]))),
            Golden(
                #"{"app":\#(Sample.descriptionJSON),"id":3,"type":"app"}"#,
                .answer(id: 3, .app(Sample.description))
            ),
            Golden(
                #"{"apps":[{"executable":"/x","limits":\#(Sample.limitsJSON),"name":"X","problem":"no catalogue"}],"#
                    + #""id":3,"type":"apps"}"#,
                .answer(
                    id: 3,
                    .apps([
                        AppDescription(
                            name: "X",
                            executable: "/x",
                            catalog: nil,
                            problem: "no catalogue",
                            limits: Sample.limits
                        )
                    ])
                )
            ),
            Golden(
                #"{"id":4,"run":"0123456789","type":"accepted"}"#,
                .answer(id: 4, .accepted(run: Sample.run))
            ),
            Golden(
                #"{"app":"A","id":4,"intent":"B","live":{"ageMilliseconds":1,"app":"A","intent":"B","#
                    + #""run":"0123456789","state":"running"},"run":"0123456789","type":"watching"}"#,
                .answer(
                    id: 4,
                    .watching(
                        WatchedRun(
                            run: Sample.run,
                            app: "A",
                            intent: "B",
                            live: LiveRun(
                                run: Sample.run,
                                app: "A",
                                intent: "B",
                                state: .running,
                                age: .milliseconds(1)
                            )
                        )
                    )
                )
            ),
            Golden(
                #"{"app":"A","id":4,"intent":"B","run":"0123456789","type":"watching"}"#,
                .answer(id: 4, .watching(WatchedRun(run: Sample.run, app: "A", intent: "B", live: nil)))
            ),
            Golden(
                #"{"app":"A","id":4,"intent":"B","question":\#(Sample.openQuestionJSON),"run":"0123456789","#
                    + #""title":"Do B","type":"asking","user":1000}"#,
                .answer(
                    id: 4,
                    .asking(
                        AskingRun(
                            run: Sample.run,
                            app: "A",
                            intent: "B",
                            user: 1000,
                            title: "Do B",
                            question: Sample.openQuestion
                        )
                    )
                )
            ),
            Golden(
                #"{"id":4,"question":2,"run":"0123456789","type":"answerTaken"}"#,
                .answer(id: 4, .answerTaken(run: Sample.run, question: 2))
            ),
            Golden(
                #"{"id":6,"runs":[{"ageMilliseconds":20,"app":"A","asks":"Go on?","intent":"B","run":"0123456789","#
                    + #""state":"asking","user":1000}],"type":"runs"}"#,
                .answer(
                    id: 6,
                    .runs([
                        LiveRun(
                            run: Sample.run,
                            app: "A",
                            intent: "B",
                            state: .asking,
                            age: .milliseconds(20),
                            asks: "Go on?",
                            user: 1000
                        )
                    ])
                )
            ),
            Golden(
                #"{"id":6,"runs":[{"ageMilliseconds":20,"app":"Archive","intent":"Compress","#
                    + #""progress":\#(Sample.progressJSON),"reason":"timeout","remainingMilliseconds":10,"#
                    + #""run":"0123456789","state":"stopping"}],"type":"runs"}"#,
                .answer(
                    id: 6,
                    .runs([
                        LiveRun(
                            run: Sample.run,
                            app: "Archive",
                            intent: "Compress",
                            state: .stopping,
                            age: .milliseconds(20),
                            remaining: .milliseconds(10),
                            progress: Sample.progress,
                            reason: .timeout
                        )
                    ])
                )
            ),
            Golden(
                #"{"id":7,"status":{"appCount":2,"endedCount":128,"isolation":["own root"],"isolationGrade":"reduced","#
                    + #""isolationMissing":["a cgroup"],"queuedCount":0,"runningCount":3,"software":"intentd","uptimeMilliseconds":5},"type":"status"}"#,
                .answer(
                    id: 7,
                    .status(
                        DaemonStatus(
                            software: "intentd",
                            uptime: .milliseconds(5),
                            runningCount: 3,
                            queuedCount: 0,
                            endedCount: 128,
                            appCount: 2,
                            isolation: Sample.isolation
                        )
                    )
                )
            ),
            // Before the launcher has greeted.
            Golden(
                #"{"id":7,"status":{"appCount":0,"endedCount":0,"isolation":[],"queuedCount":0,"runningCount":0,"#
                    + #""software":"intentd","uptimeMilliseconds":0},"type":"status"}"#,
                .answer(
                    id: 7,
                    .status(
                        DaemonStatus(
                            software: "intentd",
                            uptime: .milliseconds(0),
                            runningCount: 0,
                            queuedCount: 0,
                            endedCount: 0,
                            appCount: 0,
                            isolation: nil
                        )
                    )
                )
            ),
            Golden(
                #"{"error":{"code":"unknownApp","hint":"did you mean 'Archive'?","message":"no app 'Arhive'"},"#
                    + #""id":8,"type":"error"}"#,
                .answer(
                    id: 8,
                    .refused(ErrorReport(.unknownApp, "no app 'Arhive'", hint: "did you mean 'Archive'?"))
                )
            ),
            Golden(
                #"{"error":{"code":"protocolViolation","message":"not JSON"},"type":"error"}"#,
                .answer(id: nil, .refused(ErrorReport(.protocolViolation, "not JSON")))
            ),
        ]
        + Sample.outcomes.map { json, outcome in
            Golden(
                #"{"account":\#(Sample.accountJSON),"files":1,"id":5,"outcome":\#(json),"run":"0123456789","#
                    + #""type":"ended"}"#,
                .answer(
                    id: 5,
                    .ended(RunEnd(run: Sample.run, outcome: outcome, account: Sample.account, fileCount: 1))
                )
            )
        }

    static let events: [Golden<ClientMessage>] = [
        event(#""run":"0123456789","serial":1,"state":"queued","type":"state""#, 1, .state(.queued, reason: nil)),
        event(#""run":"0123456789","serial":2,"state":"starting","type":"state""#, 2, .state(.starting, reason: nil)),
        event(#""run":"0123456789","serial":3,"state":"running","type":"state""#, 3, .state(.running, reason: nil)),
        event(
            #""reason":"userCancelled","run":"0123456789","serial":4294967296,"state":"stopping","type":"state""#,
            1 << 32,
            .state(.stopping, reason: .userCancelled)
        ),
        event(
            #""progress":\#(Sample.progressJSON),"run":"0123456789","serial":5,"type":"progress""#,
            5,
            .progress(Sample.progress)
        ),
        event(#""run":"0123456789","serial":5,"state":"asking","type":"state""#, 5, .state(.asking, reason: nil)),
        event(
            #""question":\#(Sample.openQuestionJSON),"run":"0123456789","serial":6,"type":"question""#,
            6,
            .question(Sample.openQuestion)
        ),
        event(
            #""isInAdvance":true,"process":7,"question":2,"run":"0123456789","serial":7,"software":"x","type":"answered","#
                + #""user":1000"#,
            7,
            .answered(
                AnswerNotice(question: 2, by: CallerProcess(user: 1000, process: 7, software: "x"), isInAdvance: true)
            )
        ),
        event(
            #""run":"0123456789","serial":6,"stream":"stderr","text":"one\ntwo","type":"output""#,
            6,
            .output(.stderr, text: "one\ntwo")
        ),
        event(
            #""run":"0123456789","serial":7,"stream":"stdout","text":"","type":"output""#,
            7,
            .output(.stdout, text: "")
        ),
        event(
            #""account":\#(Sample.accountJSON),"files":0,"outcome":{"kind":"done"},"run":"0123456789","serial":8,"#
                + #""type":"finished""#,
            8,
            .finished(RunEnd(run: Sample.run, outcome: .done(value: nil, dialog: nil), account: Sample.account))
        ),
    ]

    private static func event(_ fields: String, _ serial: UInt64, _ event: RunEvent) -> Golden<ClientMessage> {
        Golden("{\(fields)}", .event(NumberedEvent(run: Sample.run, serial: serial, event)))
    }

    @Test(arguments: requests) func `a client's request has these bytes`(_ golden: Golden<NumberedRequest>) throws {
        try golden.check()
    }

    @Test(arguments: answers) func `an answer has these bytes`(_ golden: Golden<ClientMessage>) throws {
        try golden.check()
    }

    @Test(arguments: events) func `an event has these bytes`(_ golden: Golden<ClientMessage>) throws {
        try golden.check()
    }

    @Test func `every request, answer, event and outcome is in these tables`() {
        let requests = Set((Self.requests + HistoryMessageTests.requests).map { Self.kind(of: $0.message.request) })
        let requestKinds: Set = [
            "hello", "list", "describe", "perform", "cancel", "watch", "runs", "status", "history", "story", "logs",
            "prune", "metrics", "question", "answer", "reload", "upgrade", "files", "fetch", "discardFiles",
        ]
        #expect(requests == requestKinds)
        let messages = Self.answers + HistoryMessageTests.answers + Self.events
        let messageKinds: Set = [
            "hello", "apps", "app", "accepted", "ended", "watching", "runs", "status", "refused", "history", "story",
            "logs", "pruned", "metrics", "reloaded", "upgrading", "state", "progress", "output", "finished", "asking",
            "answerTaken", "question", "answered", "filesTaken", "files", "filesDiscarded",
        ]
        #expect(Set(messages.map { Self.kind(of: $0.message) }) == messageKinds)
        #expect(
            Set(Sample.outcomes.map { Sample.kind(of: $0.outcome) })
                == [
                    "done", "failed", "unanswered", "cancelled", "crashed", "exceeded", "violated", "notStarted",
                    "busy",
                    "lost",
                ]
        )
    }

    @Test func `a perform request may leave out what has a default`() throws {
        let json = #"{"app":"A","id":1,"intent":"B","request":"00112233445566778899aabbccddeeff","type":"perform"}"#
        #expect(
            try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8))
                == NumberedRequest(
                    id: 1,
                    .perform(PerformRequest(request: Sample.request, app: "A", intent: "B"))
                )
        )
    }

    @Test func `the number of a request that cannot be decoded is found for the error`() {
        #expect(NumberedRequest.id(in: Array(#"{"id":9,"type":"dance"}"#.utf8)) == 9)
        #expect(NumberedRequest.id(in: Array(#"{"id":-9,"type":"list"}"#.utf8)) == nil)
        #expect(NumberedRequest.id(in: Array("}".utf8)) == nil)
    }

    // The switches have no default: a new case breaks the build here, and then belongs into the tables above.

    private static func kind(of request: ClientRequest) -> String {
        switch request {
        case .hello: "hello"
        case .list: "list"
        case .describe: "describe"
        case .perform: "perform"
        case .cancel: "cancel"
        case .watch: "watch"
        case .question: "question"
        case .answer: "answer"
        case .files: "files"
        case .fetch: "fetch"
        case .discardFiles: "discardFiles"
        case .runs: "runs"
        case .status: "status"
        case .history: "history"
        case .story: "story"
        case .logs: "logs"
        case .prune: "prune"
        case .metrics: "metrics"
        case .reload: "reload"
        case .upgrade: "upgrade"
        }
    }

    private static func kind(of message: ClientMessage) -> String {
        switch message {
        case .answer(_, .hello): "hello"
        case .answer(_, .apps): "apps"
        case .answer(_, .app): "app"
        case .answer(_, .accepted): "accepted"
        case .answer(_, .ended): "ended"
        case .answer(_, .watching): "watching"
        case .answer(_, .asking): "asking"
        case .answer(_, .answerTaken): "answerTaken"
        case .answer(_, .filesTaken): "filesTaken"
        case .answer(_, .files): "files"
        case .answer(_, .filesDiscarded): "filesDiscarded"
        case .answer(_, .runs): "runs"
        case .answer(_, .status): "status"
        case .answer(_, .history): "history"
        case .answer(_, .story): "story"
        case .answer(_, .logs): "logs"
        case .answer(_, .pruned): "pruned"
        case .answer(_, .metrics): "metrics"
        case .answer(_, .reloaded): "reloaded"
        case .answer(_, .upgrading): "upgrading"
        case .answer(_, .refused): "refused"
        case .event(let event):
            switch event.event {
            case .state: "state"
            case .progress: "progress"
            case .question: "question"
            case .answered: "answered"
            case .output: "output"
            case .finished: "finished"
            }
        }
    }
}
