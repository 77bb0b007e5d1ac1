import IntentLauncherMessages
import Testing

/// Tests the bytes of clients' requests. ``HistoryMessageTests`` tests requests about history.
@Suite struct ClientRequestTests {
    private static let lasting: AnswerRequest = {
        var answer = AnswerRequest(run: "0123456789", question: 0, value: .bool(true))
        answer.scope = .seconds(60)
        return answer
    }()

    static let requests: [Golden<NumberedRequest>] = [
        Golden(
            #"{"id":1,"protocolVersion":1,"software":"intentctl 1.0.0","type":"hello"}"#,
            NumberedRequest(id: 1, .hello(Sample.hello))
        ),
        Golden(
            #"{"fleetUser":"ada@web1","id":1,"protocolVersion":1,"software":"intentd-fleet","type":"hello"}"#,
            NumberedRequest(id: 1, .hello(Hello(software: "intentd-fleet", fleetUser: "ada@web1")))
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
            #"{"id":5,"reason":"clientDisconnected","run":"0123456789","type":"cancel"}"#,
            NumberedRequest(id: 5, .cancel(run: "0123456789", reason: .clientDisconnected))
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
            #"{"id":5,"question":0,"run":"0123456789","scopeMilliseconds":60000,"type":"answer","value":true}"#,
            NumberedRequest(id: 5, .answer(lasting))
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

    @Test(arguments: requests) func `a client's request has these bytes`(_ golden: Golden<NumberedRequest>) throws {
        try golden.check()
    }

    @Test func `a perform request may omit keys that have a default`() throws {
        let json = #"{"app":"A","id":1,"intent":"B","request":"00112233445566778899aabbccddeeff","type":"perform"}"#
        #expect(
            try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8))
                == NumberedRequest(
                    id: 1,
                    .perform(PerformRequest(request: Sample.request, app: "A", intent: "B"))
                )
        )
    }

    @Test func `the error for an undecodable request contains its number`() {
        #expect(NumberedRequest.id(in: Array(#"{"id":9,"type":"dance"}"#.utf8)) == 9)
        #expect(NumberedRequest.id(in: Array(#"{"id":-9,"type":"list"}"#.utf8)) == nil)
        #expect(NumberedRequest.id(in: Array("}".utf8)) == nil)
    }
}
