import IntentLauncherMessages
import Testing

@Suite struct HistoryMessageTests {
    private static let tea = OwnShortcut(
        name: "Tea",
        intent: "Make",
        title: "Make tea",
        path: nil,
        digest: "ab",
        byteCount: 15
    )

    static let requests = [
        Golden(#"{"id":1,"type":"history"}"#, NumberedRequest(id: 1, .history(HistoryQuery()))),
        Golden(
            #"{"app":"A","before":9,"count":5,"everybody":true,"id":1,"intent":"B","sinceMilliseconds":1,"#
                + #""state":"done","type":"history","untilMilliseconds":2,"user":1000}"#,
            NumberedRequest(
                id: 1,
                .history(
                    HistoryQuery(
                        since: Timestamp(millisecondsSince1970: 1),
                        until: Timestamp(millisecondsSince1970: 2),
                        app: "A",
                        intent: "B",
                        state: "done",
                        user: 1000,
                        everybody: true,
                        count: 5,
                        before: 9
                    )
                )
            )
        ),
        Golden(
            #"{"account":"alice@home","id":1,"type":"history"}"#,
            NumberedRequest(
                id: 1,
                .history(
                    {
                        var query = HistoryQuery()
                        query.account = "alice@home"
                        return query
                    }()
                )
            )
        ),
        Golden(#"{"id":2,"run":"0123456789","type":"story"}"#, NumberedRequest(id: 2, .story(run: "0123456789"))),
        Golden(
            #"{"after":3,"id":2,"run":"0123456789","type":"logs"}"#,
            NumberedRequest(id: 2, .logs(run: "0123456789", after: 3))
        ),
        Golden(
            #"{"id":3,"keepCount":2,"keepMilliseconds":1,"type":"prune"}"#,
            NumberedRequest(id: 3, .prune(PruneRequest(keep: .milliseconds(1), keepCount: 2)))
        ),
        Golden(#"{"id":4,"stories":[],"type":"import"}"#, NumberedRequest(id: 4, .importRuns([]))),
        Golden(#"{"files":16,"id":6,"type":"files"}"#, NumberedRequest(id: 6, .files(count: 16))),
        Golden(
            #"{"from":16,"id":7,"run":"0123456789","type":"fetch"}"#,
            NumberedRequest(id: 7, .fetch(run: "0123456789", from: 16))
        ),
        Golden(
            #"{"app":"Soup","id":5,"intent":"Cook","key":"schedule:a:1","message":"no","type":"startFailed"}"#,
            NumberedRequest(
                id: 5,
                .startFailed(StartFailure(app: "Soup", intent: "Cook", key: "schedule:a:1", message: "no"))
            )
        ),
        Golden(
            #"{"id":9,"run":"0123456789","type":"revoke"}"#,
            NumberedRequest(id: 9, .revoke(run: "0123456789"))
        ),
        Golden(
            #"{"id":6,"name":"Tea","path":"/home/ada/Tea.shortcut","text":"[Shortcut Make]","type":"addShortcut"}"#,
            NumberedRequest(
                id: 6,
                .addShortcut(OwnShortcutText(name: "Tea", text: "[Shortcut Make]", path: "/home/ada/Tea.shortcut"))
            )
        ),
        Golden(#"{"id":6,"type":"shortcuts"}"#, NumberedRequest(id: 6, .shortcuts)),
        Golden(
            #"{"id":6,"name":"Tea","type":"removeShortcut"}"#,
            NumberedRequest(id: 6, .removeShortcut(name: "Tea"))
        ),
        Golden(
            #"{"app":"","files":0,"id":6,"intent":"","onDisconnect":"cancel","plan":"[Shortcut Make]","#
                + #""request":"00000000000000000000000000000001","type":"perform","values":{}}"#,
            NumberedRequest(
                id: 6,
                .perform(
                    PerformRequest(request: RequestID(randomBits: 0, 1), app: "", intent: "", plan: "[Shortcut Make]")
                )
            )
        ),
        Golden(
            #"{"id":8,"run":"0123456789","type":"discardFiles"}"#,
            NumberedRequest(id: 8, .discardFiles(run: "0123456789"))
        ),
        Golden(
            #"{"digest":"d","id":9,"question":2,"run":"0123456789","type":"ticket"}"#,
            NumberedRequest(id: 9, .ticket(TicketRequest(run: "0123456789", question: 2, digest: "d")))
        ),
        Golden(
            #"{"digest":"d","id":10,"ticket":"t","type":"redeem"}"#,
            NumberedRequest(id: 10, .redeem(RedeemRequest(ticket: "t", digest: "d")))
        ),
        Golden(#"{"id":4,"type":"metrics"}"#, NumberedRequest(id: 4, .metrics)),
        Golden(#"{"id":5,"type":"reload"}"#, NumberedRequest(id: 5, .reload)),
        Golden(#"{"id":6,"type":"upgrade"}"#, NumberedRequest(id: 6, .upgrade)),
        Golden(
            #"{"app":"A","entryPoint":"commandLine","files":0,"id":5,"intent":"B","key":"k","onDisconnect":"cancel","#
                + #""request":"00112233445566778899aabbccddeeff","retryOf":"0123456789","#
                + #""traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","type":"perform","values":{}}"#,
            NumberedRequest(
                id: 5,
                .perform(
                    PerformRequest(
                        request: Sample.request,
                        app: "A",
                        intent: "B",
                        key: "k",
                        retryOf: Sample.run,
                        entryPoint: .commandLine,
                        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
                    )
                )
            )
        ),
    ]

    private static var summary: RecordedRun {
        var run = RecordedRun(
            number: 7,
            run: Sample.run,
            app: "A",
            intent: "B",
            user: 1000,
            entryPoint: .mcp,
            accepted: Timestamp(millisecondsSince1970: 1)
        )
        run.userName = "ann"
        run.outcome = "cancelled"
        run.reason = .timeout
        run.message = "m"
        run.ended = Timestamp(millisecondsSince1970: 2)
        run.queued = .milliseconds(3)
        run.runtime = .milliseconds(4)
        run.exitSignal = 9
        run.usage = ResourceUsage(userTime: .microseconds(5), systemTime: .microseconds(6), peakMemoryByteCount: 7)
        run.isolation = .full
        return run
    }

    private static let summaryJSON =
        #"{"acceptedMilliseconds":1,"app":"A","endedMilliseconds":2,"entryPoint":"mcp","exitSignal":9,"intent":"B","#
        + #""isolation":"full","message":"m","number":7,"outcome":"cancelled","queuedMilliseconds":3,"#
        + #""reason":"timeout","run":"0123456789","runtimeMilliseconds":4,"usage":{"peakMemoryByteCount":7,"#
        + #""systemMicroseconds":6,"userMicroseconds":5},"user":1000,"userName":"ann"}"#

    private static let events: [(String, RunChange)] = [
        (#"{"reason":"timeout","state":"stopping","type":"state"}"#, .state(.stopping, reason: .timeout, slot: nil)),
        (#"{"slot":3,"state":"starting","type":"state"}"#, .state(.starting, reason: nil, slot: SlotID(number: 3))),
        (
            #"{"question":{"number":1,"text":"t","type":"string"},"type":"question"}"#,
            .question(Question(number: 1, text: "t", type: .string))
        ),
        (#"{"question":1,"type":"answer"}"#, .answer(RecordedAnswer(question: 1))),
        (
            #"{"isInAdvance":true,"process":12,"question":1,"software":"s","type":"answer","user":1000,"value":3}"#,
            .answer(
                RecordedAnswer(
                    AnswerNotice(
                        question: 1,
                        by: CallerProcess(user: 1000, process: 12, software: "s"),
                        isInAdvance: true
                    ),
                    value: .int(3)
                )
            )
        ),
        (
            #"{"process":8,"software":"s","type":"cancel","user":9}"#,
            .cancel(CallerProcess(user: 9, process: 8, software: "s"))
        ),
        (#"{"signal":"SIGTERM","type":"signal"}"#, .signal(.terminate)),
        (
            #"{"observation":{"omittedThreadCount":0,"threads":[{"name":"n","processorMilliseconds":2,"state":"S","#
                + #""waitChannel":"w"}]},"type":"observation"}"#,
            .observation(
                WorkerObservation(threads: [
                    WorkerObservation.Thread(name: "n", state: "S", waitChannel: "w", processorTime: .milliseconds(2))
                ])
            )
        ),
        (
            #"{"memoryByteCount":4096,"processCount":2,"processorMilliseconds":30,"type":"usage"}"#,
            .usage(Sample.usageSample)
        ),
    ]

    static var answers: [Golden<ClientMessage>] {
        let changes = events.map {
            Recorded(time: Timestamp(millisecondsSince1970: 1), after: .milliseconds(2), event: $0.1)
        }
        let changesJSON = events.map { #"{"afterMilliseconds":2,"event":\#($0.0),"wallMilliseconds":1}"# }
        var details = RunDetails(code: "closed")
        details.denial = SandboxDenial(subject: .reading, path: "/a", errorNumber: 2, key: "ReadPaths=/a")
        let story = RunStory(
            summary: summary,
            process: 12,
            software: "s",
            request: Sample.request,
            key: "k",
            retryOf: Sample.run,
            traceparent: "t",
            traits: [.longRunning],
            values: ["a": .int(1)],
            secretNames: ["p"],
            fileCount: 1,
            limits: Sample.limits,
            changes: changes,
            end: Recorded(
                time: Timestamp(millisecondsSince1970: 1),
                after: .milliseconds(2),
                event: RecordedEnd(
                    outcome: .cancelled(.timeout),
                    account: RunAccount(runtime: .milliseconds(4), details: details),
                    progress: ProgressReport(completedUnitCount: 1, totalUnitCount: 2, fraction: 0.5),
                    progressAge: .milliseconds(3),
                    advanceAge: .milliseconds(4),
                    clock: .silence,
                    lastSerial: 5
                )
            ),
            exit: Recorded(
                time: Timestamp(millisecondsSince1970: 1),
                after: .milliseconds(2),
                event: WorkerExit(
                    processEnd: .signaled(signal: 9),
                    exceeded: .memory,
                    leftoverProcessCount: 1,
                    hadLateResult: true
                )
            ),
            printedByteCount: 6
        )
        let storyJSON =
            #"{"changes":[\#(changesJSON.joined(separator: ","))],"end":{"afterMilliseconds":2,"event":{"#
            + #""account":{"details":{"code":"closed","denial":{"errorNumber":2,"key":"ReadPaths=/a","path":"/a","#
            + #""subject":"reading"}},"hadLateResult":false,"leftoverProcessCount":0,"runtimeMilliseconds":4,"#
            + #""signals":[]},"advanceAgeMilliseconds":4,"clock":"silence","lastSerial":5,"#
            + #""outcome":{"kind":"cancelled","reason":"timeout"},"progress":{"completedUnitCount":1,"#
            + #""fraction":0.5,"totalUnitCount":2},"progressAgeMilliseconds":3},"wallMilliseconds":1},"#
            + #""exit":{"afterMilliseconds":2,"event":{"exceeded":"memory","hadLateResult":true,"#
            + #""leftoverProcessCount":1,"processEnd":{"signaled":9}},"wallMilliseconds":1},"fileCount":1,"#
            + #""key":"k","limits":\#(Sample.limitsJSON),"printedByteCount":6,"process":12,"#
            + #""request":"00112233445566778899aabbccddeeff","retryOf":"0123456789","secretNames":["p"],"#
            + #""software":"s","summary":\#(summaryJSON),"traceparent":"t","traits":["longRunning"],"values":{"a":1}}"#
        return [
            Golden(
                #"{"history":{"next":7,"runs":[\#(summaryJSON)]},"id":1,"type":"history"}"#,
                .answer(id: 1, .history(HistoryPage(runs: [summary], next: 7)))
            ),
            Golden(#"{"id":1,"story":\#(storyJSON),"type":"story"}"#, .answer(id: 1, .story(story))),
            Golden(
                #"{"id":1,"logs":{"next":2,"pieces":[{"followsGap":true,"serial":2,"stream":"stderr","text":"t","#
                    + #""wallMilliseconds":3}]},"type":"logs"}"#,
                .answer(
                    id: 1,
                    .logs(
                        LogPage(
                            pieces: [
                                LogPiece(
                                    serial: 2,
                                    time: Timestamp(millisecondsSince1970: 3),
                                    stream: .stderr,
                                    text: "t",
                                    followsGap: true
                                )
                            ],
                            next: 2
                        )
                    )
                )
            ),
            Golden(#"{"id":1,"runCount":3,"type":"pruned"}"#, .answer(id: 1, .pruned(runCount: 3))),
            Golden(
                #"{"id":1,"knownCount":2,"runCount":3,"type":"imported","unfinishedCount":1}"#,
                .answer(id: 1, .imported(ImportReport(runCount: 3, knownCount: 2, unfinishedCount: 1)))
            ),
            Golden(#"{"id":1,"run":"0123456789","type":"revoked"}"#, .answer(id: 1, .revoked(run: Sample.run))),
            Golden(
                #"{"id":1,"shortcut":{"byteCount":15,"digest":"ab","intent":"Make","name":"Tea","title":"Make tea"},"#
                    + #""type":"shortcutAdded"}"#,
                .answer(id: 1, .shortcutAdded(Self.tea))
            ),
            Golden(
                #"{"id":1,"shortcuts":[{"byteCount":15,"digest":"ab","intent":"Make","name":"Tea","title":"Make tea"}],"#
                    + #""type":"shortcuts"}"#,
                .answer(id: 1, .shortcuts([Self.tea]))
            ),
            Golden(#"{"id":1,"name":"Tea","type":"shortcutRemoved"}"#, .answer(id: 1, .shortcutRemoved(name: "Tea"))),
            Golden(#"{"id":1,"type":"startFailureNoted"}"#, .answer(id: 1, .startFailureNoted)),
            Golden(#"{"count":16,"id":1,"type":"filesReceived"}"#, .answer(id: 1, .filesReceived(count: 16))),
            Golden(
                #"{"files":1,"id":1,"references":[{"index":16,"name":"a.txt"}],"run":"0123456789","totalCount":17,"#
                    + #""type":"files"}"#,
                .answer(
                    id: 1,
                    .files(
                        FilePart(
                            run: Sample.run,
                            references: [FileReference(index: 16, name: "a.txt")],
                            totalCount: 17
                        )
                    )
                )
            ),
            Golden(
                #"{"id":1,"run":"0123456789","type":"filesDiscarded"}"#,
                .answer(id: 1, .filesDiscarded(run: Sample.run))
            ),
            Golden(#"{"id":1,"ticket":"t","type":"ticket"}"#, .answer(id: 1, .ticket(text: "t"))),
            Golden(#"{"id":1,"text":"a 1","type":"metrics"}"#, .answer(id: 1, .metrics(text: "a 1"))),
            Golden(
                #"{"appCount":2,"id":1,"type":"reloaded","warnings":["Soup: it exited with code 3"]}"#,
                .answer(id: 1, .reloaded(ReloadReport(appCount: 2, warnings: ["Soup: it exited with code 3"])))
            ),
            Golden(#"{"id":1,"type":"upgrading"}"#, .answer(id: 1, .upgrading)),
        ]
    }

    @Test(arguments: requests) func `a history request has these bytes`(
        _ golden: Golden<NumberedRequest>
    ) throws {
        try golden.check()
    }

    @Test(arguments: answers) func `a history answer has these bytes`(
        _ golden: Golden<ClientMessage>
    ) throws {
        try golden.check()
    }

    @Test(arguments: [
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", false),
        ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", true),
        ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
        ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
        ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
        ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", false),
        ("", false),
    ]) func `a traceparent follows W3C Trace Context`(text: String, isValid: Bool) {
        #expect(TraceContext.isValid(text) == isValid)
    }
}
