import IntentLauncherMessages
import Testing

@Suite struct LaunchMessageTests {
    static let commands: [Golden<LaunchCommand>] = [
        Golden(#"{"protocolVersion":1,"software":"intentd","type":"hello"}"#, .hello(Hello(software: "intentd"))),
        Golden(
            #"{"app":"Archive","mode":"once","run":"0123456789","slot":7,"type":"launch"}"#,
            .launch(LaunchRequest(slot: Sample.slot, app: Sample.app, mode: .once, run: Sample.run))
        ),
        Golden(
            #"{"account":"ann","app":"Archive","mode":"once","slot":7,"type":"launch","user":1000}"#,
            .launch(
                LaunchRequest(
                    slot: Sample.slot,
                    app: Sample.app,
                    mode: .once,
                    for: .local(user: 1000, account: "ann")
                )
            )
        ),
        Golden(
            #"{"app":"Archive","mode":"describe","slot":18446744073709551615,"type":"launch"}"#,
            .launch(LaunchRequest(slot: SlotID(number: .max), app: Sample.app, mode: .describe))
        ),
        Golden(#"{"signal":"SIGTERM","slot":7,"type":"signal"}"#, .signal(slot: Sample.slot, .terminate)),
        Golden(#"{"signal":"SIGKILL","slot":7,"type":"signal"}"#, .signal(slot: Sample.slot, .kill)),
        Golden(
            #"{"paths":["out/a.gz","b"],"slot":7,"type":"open"}"#,
            .open(slot: Sample.slot, paths: ["out/a.gz", "b"])
        ),
        Golden(#"{"slot":7,"type":"release"}"#, .release(slot: Sample.slot)),
        Golden(#"{"type":"measure"}"#, .measure()),
        Golden(#"{"reportsUsage":true,"type":"measure"}"#, .measure(reportsUsage: true)),
        Golden(#"{"type":"keepNotes"}"#, .keepNotes),
        Golden(#"{"run":"0123456789","type":"keepInputs"}"#, .keepInputs(run: Sample.run)),
        Golden(#"{"run":"0123456789","type":"dropInputs"}"#, .dropInputs(run: Sample.run)),
        Golden(
            #"{"keep":{"indices":[0,2],"run":"0123456789"},"paths":["a","b"],"slot":7,"type":"open"}"#,
            .open(slot: Sample.slot, paths: ["a", "b"], keep: KeptFileNames(run: Sample.run, indices: [0, 2]))
        ),
        Golden(#"{"slot":7,"type":"observe"}"#, .observe(slot: Sample.slot)),
        Golden(#"{"type":"adopt"}"#, .adopt),
        Golden(#"{"type":"reload"}"#, .reload),
        Golden(
            #"{"host":"a.example","isPermitted":false,"number":5,"port":443,"sandbox":3,"type":"decide"}"#,
            .decide(question, isPermitted: false)
        ),
        Golden(
            #"{"account":"ann","app":"Archive","run":"0123456789","schedule":"nightly","type":"openCredentials"}"#,
            .openCredentials(
                ScheduledRun(run: Sample.run, schedule: "nightly", app: Sample.app, account: "ann")
            )
        ),
        Golden(
            #"{"app":"Archive","intent":"Fetch","mode":"once","run":"0123456789","slot":7,"type":"launch"}"#,
            .launch(
                LaunchRequest(slot: Sample.slot, app: Sample.app, mode: .once, run: Sample.run, intent: "Fetch")
            )
        ),
        Golden(#"{"type":"quit"}"#, .quit),
    ]

    private static let refusal = RefusedConnection(host: "tracker.example", port: 443, reason: .notGranted)

    static let reports: [Golden<LaunchReport>] = [
        Golden(
            #"{"isolation":{"grade":"full","missing":[],"parts":["own root"]},"process":4710,"protocolVersion":1,"software":"launcher","type":"hello"}"#,
            .hello(Hello(software: "launcher"), isolation: Isolation(grade: .full, parts: ["own root"]), process: 4710)
        ),
        Golden(
            #"{"isolation":{"grade":"reduced","missing":["a cgroup"],"parts":["own root"]},"process":4711,"slot":7,"type":"launched"}"#,
            .launched(
                slot: Sample.slot,
                process: 4711,
                Isolation(grade: .reduced, parts: ["own root"], missing: ["a cgroup"])
            )
        ),
        Golden(
            #"{"message":"no executable","slot":7,"type":"launchFailed"}"#,
            .launchFailed(slot: Sample.slot, LaunchFailure(message: "no executable"))
        ),
        Golden(
            #"{"isTemporary":true,"message":"no process id","slot":7,"type":"launchFailed"}"#,
            .launchFailed(slot: Sample.slot, LaunchFailure(message: "no process id", isTemporary: true))
        ),
        Golden(#"{"slot":7,"type":"opened"}"#, .opened(slot: Sample.slot)),
        Golden(#"{"slot":7,"type":"opened","writable":[0,2]}"#, .opened(slot: Sample.slot, writable: [0, 2])),
        Golden(
            #"{"message":"a link","slot":7,"type":"openFailed"}"#,
            .openFailed(slot: Sample.slot, message: "a link")
        ),
        Golden(
            #"{"leftoverProcessCount":1,"processEnd":{"exited":0},"slot":7,"type":"ended"}"#,
            .ended(slot: Sample.slot, SlotEnd(processEnd: .exited(code: 0), leftoverProcessCount: 1))
        ),
        Golden(
            #"{"exceeded":"tasks","leftoverProcessCount":0,"processEnd":{"signaled":6},"slot":7,"type":"ended"}"#,
            .ended(slot: Sample.slot, SlotEnd(processEnd: .signaled(signal: 6), exceeded: .tasks))
        ),
        Golden(
            #"{"leftoverProcessCount":0,"processEnd":{"exited":0},"slot":7,"type":"ended","#
                + #""usage":{"peakMemoryByteCount":3,"systemMicroseconds":2,"userMicroseconds":1}}"#,
            .ended(slot: Sample.slot, SlotEnd(processEnd: .exited(code: 0), usage: Sample.usage))
        ),
        Golden(
            #"{"isolation":{"grade":"full","missing":[],"parts":[]},"process":4711,"slot":7,"type":"kept"}"#,
            .kept(slot: Sample.slot, process: 4711, Isolation(grade: .full, parts: []))
        ),
        Golden(#"{"slots":[7],"type":"outdated"}"#, .outdated(slots: [Sample.slot])),
        Golden(
            #"{"path":"/srv/disk","slots":[7],"type":"outdated"}"#,
            .outdated(slots: [Sample.slot], path: "/srv/disk")
        ),
        Golden(
            #"{"event":{"host":"tracker.example","port":443,"reason":"notGranted","type":"refused"},"slots":[7],"type":"hosts"}"#,
            .hosts(slots: [Sample.slot], .refused(Self.refusal))
        ),
        Golden(
            #"{"names":["password"],"problem":"no","run":"0123456789","type":"credentials"}"#,
            .credentials(run: Sample.run, names: ["password"], problem: "no")
        ),
        Golden(#"{"run":"0123456789","type":"keptInputs"}"#, .keptInputs(run: Sample.run)),
        Golden(
            #"{"slots":[{"sample":{"memoryByteCount":4096,"processCount":2,"processorMilliseconds":30},"slot":7}],"type":"usage"}"#,
            .usage([SlotUsage(slot: Sample.slot, sample: Sample.usageSample)])
        ),
        Golden(
            #"{"omittedThreadCount":2,"slot":7,"threads":[{"name":"main","processorMilliseconds":10,"state":"S"}],"type":"observed"}"#,
            .observed(
                slot: Sample.slot,
                WorkerObservation(
                    threads: [
                        WorkerObservation.Thread(
                            name: "main",
                            state: "S",
                            waitChannel: nil,
                            processorTime: .milliseconds(10)
                        )
                    ],
                    omittedThreadCount: 2
                )
            )
        ),
        Golden(
            #"{"lastSlot":9,"lostNanoseconds":5,"type":"adopted"}"#,
            .adopted(Adopted(lastSlot: 9, lostNanoseconds: 5))
        ),
    ]

    @Test(arguments: commands) func `a command to the launcher has these bytes`(
        _ golden: Golden<LaunchCommand>
    ) throws {
        try golden.check()
    }

    @Test(arguments: reports) func `a launcher's report has these bytes`(_ golden: Golden<LaunchReport>) throws {
        try golden.check()
    }

    @Test func `every command and report is in these tables`() {
        #expect(
            Set(Self.commands.map { Self.kind(of: $0.message) })
                == [
                    "hello", "launch", "signal", "open", "release", "measure", "observe", "keepNotes", "keepInputs",
                    "dropInputs", "adopt", "reload", "decide", "openCredentials", "quit",
                ]
        )
        #expect(
            Set(Self.reports.map { Self.kind(of: $0.message) })
                == [
                    "hello", "launched", "launchFailed", "opened", "openFailed", "observed", "usage", "outdated",
                    "hosts", "credentials", "ended", "kept", "keptInputs", "adopted",
                ]
        )
    }

    @Test func `the messages between a launcher and intentd-egress have these bytes`() throws {
        let grants = ["api.example:443", "db:5432,private"].compactMap(HostGrant.init)
        let credential = try #require(
            InsertedCredential.grant(["github", "host=api.example,private", "value=token %s"])
        )
        let commands: [Golden<EgressCommand>] = [
            Golden(
                #"{"grants":["api.example:443","db:5432,private"],"sandbox":3,"type":"serve"}"#,
                .serve(sandbox: 3, grants: grants)
            ),
            Golden(
                #"{"generation":2,"grants":[],"sandbox":3,"type":"serve"}"#,
                .serve(sandbox: 3, grants: [], generation: 2)
            ),
            Golden(#"{"sandbox":3,"type":"end"}"#, .end(sandbox: 3)), Golden(#"{"type":"noted"}"#, .noted),
            Golden(
                #"{"grants":["ask","github host=api.example:443,private header=Authorization \"value=token %s\""],"sandbox":3,"type":"serve"}"#,
                .serve(sandbox: 3, grants: [HostGrant("ask"), credential].compactMap(\.self))
            ),
            Golden(
                #"{"host":"a.example","isPermitted":true,"number":5,"port":443,"sandbox":3,"type":"decide"}"#,
                .decide(Self.question, isPermitted: true)
            ),
        ]
        for golden in commands { try golden.check() }
        try Golden(
            #"{"event":{"host":"tracker.example","port":443,"reason":"notGranted","type":"refused"},"sandbox":3}"#,
            EgressReport(sandbox: 3, .refused(Self.refusal))
        ).check()
        try Golden(
            #"{"event":{"hosts":[],"type":"used"},"sandbox":3}"#,
            EgressReport(sandbox: 3, .used(hosts: []))
        ).check()
        for (type, event) in [("asked", HostEvent.asked(Self.question)), ("withdrawn", .withdrawn(Self.question))] {
            try Golden(
                #"{"event":{"host":"a.example","number":5,"port":443,"sandbox":3,"type":"\#(type)"},"sandbox":3}"#,
                EgressReport(sandbox: 3, event)
            ).check()
        }
    }

    private static let question = HostQuestion(sandbox: 3, number: 5, host: "a.example", port: 443)

    @Test func `the launcher receives names of apps, never paths`() {
        let json = #"{"app":"../../bin/sh","mode":"once","slot":7,"type":"launch"}"#
        #expect(throws: WireError.malformed("field 'app': expected an app's name, got '../../bin/sh'")) {
            try WireCoding.decode(LaunchCommand.self, from: Array(json.utf8))
        }
    }

    // The switches have no default, so a new case breaks the build until it is in the tables above.

    private static func kind(of command: LaunchCommand) -> String {
        switch command {
        case .hello: "hello"
        case .launch: "launch"
        case .signal: "signal"
        case .open: "open"
        case .release: "release"
        case .measure: "measure"
        case .observe: "observe"
        case .keepNotes: "keepNotes"
        case .keepInputs: "keepInputs"
        case .dropInputs: "dropInputs"
        case .adopt: "adopt"
        case .reload: "reload"
        case .decide: "decide"
        case .openCredentials: "openCredentials"
        case .quit: "quit"
        }
    }

    private static func kind(of report: LaunchReport) -> String {
        switch report {
        case .hello: "hello"
        case .launched: "launched"
        case .launchFailed: "launchFailed"
        case .opened: "opened"
        case .openFailed: "openFailed"
        case .observed: "observed"
        case .usage: "usage"
        case .outdated: "outdated"
        case .hosts: "hosts"
        case .credentials: "credentials"
        case .ended: "ended"
        case .kept: "kept"
        case .keptInputs: "keptInputs"
        case .adopted: "adopted"
        }
    }
}
