import IntentLauncherMessages

/// Values for golden messages.
enum Sample {
    // SAFETY: the literals have the form of identifiers — IdentifierTests proves what the form is.
    static let run = RunID("0123456789")!
    // SAFETY: the literal has the form of an identifier — IdentifierTests proves the form.
    static let app = AppName("Archive")!
    static let request = RequestID(randomBits: 0x0011_2233_4455_6677, 0x8899_aabb_ccdd_eeff)
    static let usage = ResourceUsage(userTime: .microseconds(1), systemTime: .microseconds(2), peakMemoryByteCount: 3)
    static let usageSample = UsageSample(memoryByteCount: 4096, processorTime: .milliseconds(30), processCount: 2)
    static let slot = SlotID(number: 7)
    static let hello = Hello(software: "intentctl 1.0.0")

    static let limits: RunLimits = {
        var limits = RunLimits()
        limits.runtimeMax = .seconds(120)
        return limits
    }()
    static let limitsJSON =
        #"{"ceilingMilliseconds":600000,"graceCancellableMilliseconds":5000,"graceMilliseconds":1000,"#
        + #""killDelayMilliseconds":1000,"longCeilingMilliseconds":86400000,"questionTimeoutMilliseconds":3600000,"#
        + #""queueTimeoutMilliseconds":60000,"runtimeMaxMilliseconds":120000,"runtimeMilliseconds":30000}"#

    static let catalog = IntentCatalog(intents: [
        IntentDeclaration(
            name: "CompressIntent",
            title: "Compress a File",
            summary: "Makes it smaller.",
            parameters: [
                ParameterDeclaration(name: "file", title: "File", type: .file),
                ParameterDeclaration(
                    name: "level",
                    title: "Level",
                    summary: "1 to 9",
                    type: .int,
                    isOptional: true,
                    defaultValue: .int(6)
                ),
            ],
            result: .file,
            traits: [.progressReporting, .longRunning, .cancellable],
            isDiscoverable: false
        )
    ])
    static let catalogJSON =
        #"{"intents":[{"isDiscoverable":false,"name":"CompressIntent","parameters":["#
        + #"{"isOptional":false,"name":"file","title":"File","type":"file"},"#
        + #"{"defaultValue":6,"isOptional":true,"name":"level","summary":"1 to 9","title":"Level","type":"int"}],"#
        + #""result":"file","summary":"Makes it smaller.","title":"Compress a File","#
        + #""traits":["progressReporting","longRunning","cancellable"]}]}"#

    static let isolation = Isolation(grade: .reduced, parts: ["own root"], missing: ["a cgroup"], needs: [.cgroup])
    static let isolationJSON = #"{"grade":"reduced","missing":["a cgroup"],"needs":["cgroup"],"parts":["own root"]}"#

    static let description = AppDescription(
        name: "Archive",
        executable: "/usr/lib/intentd/apps/Archive",
        catalog: catalog,
        limits: limits,
        isolation: isolation
    )
    static let descriptionJSON =
        #"{"catalog":\#(catalogJSON),"executable":"/usr/lib/intentd/apps/Archive","isolation":\#(isolationJSON),"#
        + #""limits":\#(limitsJSON),"name":"Archive"}"#

    static let progress = ProgressReport(
        completedUnitCount: 3,
        totalUnitCount: 4,
        fraction: 0.75,
        title: "Compressing",
        detail: "3 of 4 MB"
    )
    static let progressJSON =
        #"{"completedUnitCount":3,"detail":"3 of 4 MB","fraction":0.75,"title":"Compressing","totalUnitCount":4}"#

    /// A question in which every property is set.
    static let question: Question = {
        var question = Question(
            number: 2,
            text: "Which?",
            parameter: "level",
            type: .enumeration([
                EnumerationCase(value: "1", title: "One", subtitle: "fast"),
                EnumerationCase(value: "2", title: "None", style: .cancel),
            ]),
            kind: .choice,
            title: "Level"
        )
        question.range = NumberRange(lowerBound: 1)
        question.size = ElementCount(minimum: 1)
        question.isOptional = true
        question.defaultValue = .int(6)
        question.acceptLabel = "Order"
        question.denyLabel = "Cancel"
        question.isDestructive = true
        question.isSecret = true
        question.problem = "too many"
        return question
    }()
    static let openQuestion = OpenQuestion(question, remaining: .seconds(3600), needsOther: true)
    static let openQuestionJSON =
        #"{"acceptLabel":"Order","defaultValue":6,"denyLabel":"Cancel","isDestructive":true,"isOptional":true,"#
        + #""isSecret":true,"kind":"choice","needsOther":true,"number":2,"parameter":"level","problem":"too many","#
        + #""range":{"lowerBound":1},"remainingMilliseconds":3600000,"size":{"minimum":1},"text":"Which?","#
        + #""title":"Level","type":{"enum":[{"subtitle":"fast","title":"One","value":"1"},"#
        + #"{"style":"cancel","title":"None","value":"2"}]}}"#

    static let account = RunAccount(
        runtime: .milliseconds(1500),
        signals: ["SIGTERM", "SIGKILL"],
        leftoverProcessCount: 2,
        processEnd: .signaled(signal: 9),
        hadLateResult: true,
        isolation: .reduced
    )
    static let accountJSON =
        #"{"hadLateResult":true,"isolation":"reduced","leftoverProcessCount":2,"processEnd":{"signaled":9},"#
        + #""runtimeMilliseconds":1500,"signals":["SIGTERM","SIGKILL"]}"#

    /// Every outcome with its JSON.
    static let outcomes: [(json: String, outcome: RunOutcome)] = [
        (#"{"kind":"done"}"#, .done(value: nil, dialog: nil)),
        (#"{"kind":"done","value":null}"#, .done(value: .null, dialog: nil)),
        (
            #"{"dialog":"Done.","kind":"done","value":{"file":{"index":0,"name":"a.gz"}}}"#,
            .done(value: .file(FileReference(index: 0, name: "a.gz")), dialog: "Done.")
        ),
        (#"{"kind":"failed","message":"no space"}"#, .failed(message: "no space")),
        (
            #"{"kind":"unanswered","message":"Which soup?","parameter":"soup"}"#,
            .unanswered(parameter: "soup", question: "Which soup?")
        ),
        (#"{"kind":"unanswered","message":"Which?"}"#, .unanswered(parameter: nil, question: "Which?")),
        (#"{"kind":"cancelled","reason":"timeout"}"#, .cancelled(.timeout)),
        (#"{"kind":"cancelled","reason":"userCancelled"}"#, .cancelled(.userCancelled)),
        (#"{"kind":"cancelled","reason":"serviceStopping"}"#, .cancelled(.serviceStopping)),
        (#"{"kind":"cancelled","reason":"clientDisconnected"}"#, .cancelled(.clientDisconnected)),
        (#"{"kind":"cancelled","reason":"replaced"}"#, .cancelled(.replaced)),
        (#"{"kind":"cancelled","reason":"eclipse"}"#, .cancelled(.unknown("eclipse"))),
        (#"{"end":{"exited":3},"kind":"crashed"}"#, .crashed(.exited(code: 3))),
        (#"{"end":{"signaled":11},"kind":"crashed"}"#, .crashed(.signaled(signal: 11))),
        (
            #"{"kind":"exceeded","limit":"memory","message":"the app used more memory than MemoryMax= allows. "#
                + #"To permit more, raise MemoryMax= in [Sandbox] of the app's .conf file"}"#,
            .exceeded(.memory)
        ),
        (
            #"{"kind":"exceeded","limit":"tasks","message":"the app had more processes and threads than TasksMax= "#
                + #"allows. To permit more, raise TasksMax= in [Sandbox] of the app's .conf file"}"#,
            .exceeded(.tasks)
        ),
        (
            #"{"kind":"exceeded","limit":"disk","message":"the app wrote more to the run folder than DiskMax= "#
                + #"allows. To permit more, raise DiskMax= in [Sandbox] of the app's .conf file"}"#,
            .exceeded(.disk)
        ),
        (
            #"{"kind":"exceeded","limit":"state","message":"the app's state folder grew larger than StateMax= "#
                + #"allows. To permit more, raise StateMax= in [Sandbox] of the app's .conf file"}"#,
            .exceeded(.state)
        ),
        (#"{"kind":"violated","message":"two results"}"#, .violated(message: "two results")),
        (#"{"kind":"notStarted","message":"no executable"}"#, .notStarted(message: "no executable")),
        (#"{"kind":"busy","message":"queue full"}"#, .busy(message: "queue full")),
        (#"{"kind":"lost","message":"launcher died"}"#, .lost(message: "launcher died")),
        (#"{"kind":"hostLost","message":"web2 fell silent"}"#, .hostLost(message: "web2 fell silent")),
        (#"{"kind":"eclipsed","message":"the moon"}"#, .unknown(kind: "eclipsed", message: "the moon")),
    ]

    /// The switch has no default, so a new outcome breaks the build until it is in the table above.
    static func kind(of outcome: RunOutcome) -> String {
        switch outcome {
        case .done: "done"
        case .failed: "failed"
        case .unanswered: "unanswered"
        case .cancelled: "cancelled"
        case .crashed: "crashed"
        case .exceeded: "exceeded"
        case .violated: "violated"
        case .notStarted: "notStarted"
        case .busy: "busy"
        case .lost: "lost"
        case .hostLost: "hostLost"
        case .unknown: "unknown"
        }
    }
}
