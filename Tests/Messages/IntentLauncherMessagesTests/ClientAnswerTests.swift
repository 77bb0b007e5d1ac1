import IntentLauncherMessages
import Testing

/// Tests the bytes of answers to clients. ``HistoryMessageTests`` tests answers about history.
@Suite struct ClientAnswerTests {
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
                #"{"id":4,"question":2,"run":"0123456789","type":"answerAccepted"}"#,
                .answer(id: 4, .answerAccepted(run: Sample.run, question: 2))
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
                #"{"id":6,"runs":[{"ageMilliseconds":20,"app":"A","intent":"B","run":"0123456789","#
                    + #""state":"queued","waitsFor":"other runs"}],"type":"runs"}"#,
                .answer(
                    id: 6,
                    .runs([
                        LiveRun(
                            run: Sample.run,
                            app: "A",
                            intent: "B",
                            state: .queued,
                            age: .milliseconds(20),
                            waitsFor: "other runs"
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
                    + #""isolationMissing":["a cgroup"],"isolationNeeds":["cgroup"],"queuedCount":0,"runningCount":3,"software":"intentd","uptimeMilliseconds":5},"type":"status"}"#,
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
            Golden(
                #"{"id":7,"status":{"appCount":1,"endedCount":0,"isolation":[],"problems":["#
                    + #"{"hint":"free some space","message":"no new runs"},{"app":"Soup","message":"no file"}],"#
                    + #""queuedCount":0,"runningCount":0,"software":"intentd","uptimeMilliseconds":0},"type":"status"}"#,
                .answer(
                    id: 7,
                    .status(
                        DaemonStatus(
                            software: "intentd",
                            uptime: .milliseconds(0),
                            runningCount: 0,
                            queuedCount: 0,
                            endedCount: 0,
                            appCount: 1,
                            isolation: nil,
                            problems: [
                                ServiceProblem(message: "no new runs", hint: "free some space"),
                                ServiceProblem(app: "Soup", message: "no file"),
                            ]
                        )
                    )
                )
            ),
            // The status before the launcher's hello.
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

    @Test(arguments: answers) func `an answer has these bytes`(_ golden: Golden<ClientMessage>) throws {
        try golden.check()
    }
}
