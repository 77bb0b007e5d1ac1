import IntentLauncherMessages
import Testing

/// Tests the bytes of a run's events.
@Suite struct RunEventTests {
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

    @Test(arguments: events) func `an event has these bytes`(_ golden: Golden<ClientMessage>) throws {
        try golden.check()
    }
}
