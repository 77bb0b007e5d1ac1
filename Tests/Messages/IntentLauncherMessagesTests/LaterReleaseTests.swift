import IntentLauncherMessages
import Testing

/// Tests how this release's client decodes the messages of a later release's daemon.
@Suite struct LaterReleaseTests {
    private func decode<Message: Decodable>(_: Message.Type, _ json: String) throws -> Message {
        try WireCoding.decode(Message.self, from: Array(json.utf8))
    }

    @Test func `keywords of a later release are kept unchanged`() throws {
        #expect(try decode([RunState].self, #"["eclipsed"]"#) == [.unknown("eclipsed")])
        #expect(try decode([SandboxLimit].self, #"["heat"]"#) == [.unknown("heat")])
        #expect(try decode([EntryPoint].self, #"["telepathy"]"#) == [.unknown("telepathy")])
        #expect(try decode([Question.Kind].self, #"["riddle"]"#) == [.unknown("riddle")])
        #expect(try decode([CancellationReason].self, #"["eclipse"]"#) == [.unknown("eclipse")])
        #expect(try decode(RunChange.self, #"{"type":"moved","to":"b"}"#) == .unknown("moved"))
    }

    @Test func `keywords of this release are never unknown`() {
        for state in RunState.allCases { #expect(RunState(rawValue: state.rawValue) == state) }
        for limit in SandboxLimit.allCases { #expect(SandboxLimit(rawValue: limit.rawValue) == limit) }
        for way in EntryPoint.allCases { #expect(EntryPoint(rawValue: way.rawValue) == way) }
        for kind in Question.Kind.allCases { #expect(Question.Kind(rawValue: kind.rawValue) == kind) }
    }

    @Test(arguments: [
        (#"{"kind":"eclipsed"}"#, "eclipsed", ""),
        (#"{"kind":"eclipsed","message":"the moon"}"#, "eclipsed", "the moon"),
        (#"{"kind":"exceeded","limit":"heat","message":"it was too hot"}"#, "exceeded", "it was too hot"),
    ])
    func `an outcome of a later release has its own name and text`(_ json: String, _ kind: String, _ message: String)
        throws
    {
        let outcome = try decode(RunOutcome.self, json)
        #expect(outcome == .unknown(kind: kind, message: message))
        #expect(outcome.kindName == kind)
        #expect(outcome.message == message)
    }
}
