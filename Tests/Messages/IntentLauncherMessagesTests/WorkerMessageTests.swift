import IntentLauncherMessages
import Testing

@Suite struct WorkerMessageTests {
    static let commands: [Golden<WorkerCommand>] = [
        Golden(
            #"{"files":2,"intent":"CompressIntent","run":"0123456789","type":"perform","values":{"level":9}}"#,
            .perform(
                PerformCommand(run: Sample.run, intent: "CompressIntent", values: ["level": .int(9)], fileCount: 2)
            )
        ),
        Golden(
            #"{"graceMilliseconds":5000,"reason":"serviceStopping","type":"cancel"}"#,
            .cancel(reason: .serviceStopping, graceMilliseconds: 5000)
        ),
        Golden(#"{"question":1,"type":"answer","value":3}"#, .answer(question: 1, value: .int(3))),
        Golden(#"{"question":1,"type":"refuse"}"#, .refuse(question: 1)),
        Golden(#"{"files":16,"type":"files"}"#, .files(count: 16)),
        Golden(#"{"type":"acknowledge"}"#, .acknowledge),
        Golden(#"{"number":2,"type":"resume"}"#, .resume(number: 2)),
    ]

    static let reports: [Golden<WorkerReport>] = [
        Golden(#"{"protocolVersion":1,"software":"AppIntents","type":"hello"}"#, .hello(Hello(software: "AppIntents"))),
        Golden(#"{"catalog":\#(Sample.catalogJSON),"type":"catalog"}"#, .catalog(Sample.catalog)),
        Golden(#"{"type":"started"}"#, .started),
        Golden(#"{"progress":\#(Sample.progressJSON),"type":"progress"}"#, .progress(Sample.progress)),
        Golden(#"{"phase":"entered","type":"background"}"#, .background(.entered)),
        Golden(#"{"phase":"left","type":"background"}"#, .background(.left)),
        Golden(
            #"{"question":{"number":1,"parameter":"quantity","text":"How many?","type":"int"},"type":"question"}"#,
            .question(Question(number: 1, text: "How many?", parameter: "quantity", type: .int))
        ),
        Golden(#"{"question":1,"type":"withdrawn"}"#, .withdrawn(question: 1)),
        Golden(
            #"{"ending":{"dialog":"Done.","kind":"returned","value":[1,"two"]},"files":[{},{"path":"out/a.gz"}],"#
                + #""type":"finished"}"#,
            .finished(
                WorkerResult(
                    ending: .returned(value: .array([.int(1), .string("two")]), dialog: "Done."),
                    files: [.memory, .path("out/a.gz")]
                )
            )
        ),
        Golden(
            #"{"ending":{"kind":"returned","value":null},"files":[],"type":"finished"}"#,
            .finished(WorkerResult(ending: .returned(value: .null, dialog: nil)))
        ),
        Golden(
            #"{"ending":{"kind":"threw","message":"no space"},"files":[],"type":"finished"}"#,
            .finished(WorkerResult(ending: .threw(message: "no space")))
        ),
        Golden(
            #"{"ending":{"kind":"needsValue","message":"Which soup?","parameter":"soup"},"files":[],"#
                + #""type":"finished"}"#,
            .finished(WorkerResult(ending: .needsValue(parameter: "soup", question: "Which soup?")))
        ),
        Golden(
            #"{"ending":{"kind":"threwCancellation"},"files":[],"type":"finished"}"#,
            .finished(WorkerResult(ending: .threwCancellation))
        ),
        Golden(
            #"{"hasBegun":true,"isInBackground":false,"number":2,"type":"resumed"}"#,
            .resumed(WorkerState(number: 2, hasBegun: true))
        ),
        Golden(
            #"{"stacks":{"callStacks":[{"frames":[{"address":"0x1a","image":0}],"thread":"run"}],"#
                + #""images":[{"path":""}]},"type":"stuck"}"#,
            .stuck(
                StackReport(
                    callStacks: [
                        StackReport.CallStack(
                            frames: [CrashReport.Frame(image: 0, address: CrashReport.Address(rawValue: 0x1A))],
                            thread: "run"
                        )
                    ],
                    images: [CrashReport.Image(path: "", buildID: nil)]
                )
            )
        ),
        Golden(
            #"{"crash":{"code":1,"faultAddress":"0x40","frames":[{"address":"0x1a2b","image":0},{}],"#
                + #""images":[{"buildID":"ab12","path":""},{"path":"/lib/libc.so.6"}],"#
                + #""memory":{"byteCount":5,"limit":6},"signal":11,"thread":"run"},"#
                + #""type":"crashed"}"#,
            .crashed(
                CrashReport(
                    signal: 11,
                    code: 1,
                    faultAddress: CrashReport.Address(rawValue: 0x40),
                    thread: "run",
                    frames: [
                        CrashReport.Frame(image: 0, address: CrashReport.Address(rawValue: 0x1A2B)),
                        CrashReport.Frame(image: nil, address: nil),
                    ],
                    images: [
                        CrashReport.Image(path: "", buildID: "ab12"),
                        CrashReport.Image(path: "/lib/libc.so.6", buildID: nil),
                    ],
                    memory: CrashReport.Memory(byteCount: 5, limit: 6)
                )
            )
        ),
    ]

    @Test(arguments: commands) func `a command to a worker has these bytes`(_ golden: Golden<WorkerCommand>) throws {
        try golden.check()
    }

    @Test(arguments: reports) func `a worker's report has these bytes`(_ golden: Golden<WorkerReport>) throws {
        try golden.check()
    }

    @Test func `every command and report is in these tables`() {
        #expect(
            Set(Self.commands.map { Self.kind(of: $0.message) })
                == ["files", "perform", "cancel", "answer", "refuse", "acknowledge", "resume"]
        )
        #expect(
            Set(Self.reports.map { Self.kind(of: $0.message) })
                == [
                    "hello", "catalog", "started", "progress", "background", "question", "withdrawn", "returned",
                    "threw",
                    "needsValue",
                    "threwCancellation", "resumed", "crashed", "stuck",
                ]
        )
    }

    @Test func `an unknown trait of a newer library is ignored`() throws {
        let json = Sample.catalogJSON.replacing(#""longRunning""#, with: #""timeTravelling""#)
        let catalog = try WireCoding.decode(IntentCatalog.self, from: Array(json.utf8))
        #expect(catalog.intents.map(\.traits) == [[.progressReporting, .cancellable]])
    }

    @Test func `an intent is found with and without its suffix`() {
        let intent = IntentDeclaration(name: "CompressIntent", title: "")
        #expect(intent.answers(to: "CompressIntent"))
        #expect(intent.answers(to: "Compress"))
        #expect(!intent.answers(to: "compress"))
        #expect(!intent.answers(to: ""))
        #expect(IntentDeclaration(name: "Compress", title: "").answers(to: "CompressIntent"))
    }

    // The switches have no default, so a new case breaks the build until it is in the tables above.

    private static func kind(of command: WorkerCommand) -> String {
        switch command {
        case .files: "files"
        case .perform: "perform"
        case .cancel: "cancel"
        case .answer: "answer"
        case .refuse: "refuse"
        case .acknowledge: "acknowledge"
        case .resume: "resume"
        }
    }

    private static func kind(of report: WorkerReport) -> String {
        switch report {
        case .hello: "hello"
        case .catalog: "catalog"
        case .started: "started"
        case .progress: "progress"
        case .background: "background"
        case .question: "question"
        case .resumed: "resumed"
        case .withdrawn: "withdrawn"
        case .crashed: "crashed"
        case .stuck: "stuck"
        case .finished(let result):
            switch result.ending {
            case .returned: "returned"
            case .threw: "threw"
            case .needsValue: "needsValue"
            case .threwCancellation: "threwCancellation"
            }
        }
    }
}
