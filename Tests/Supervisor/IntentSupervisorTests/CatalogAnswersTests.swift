import IntentLauncherMessages
import Testing

@testable import IntentSupervisor

@Suite struct CatalogAnswersTests {
    private var answers = CatalogAnswers()

    /// An app with strings that look like the end of a message.
    private func app(_ name: String, summary: String = #""id":18446744073709551615,"type":"app"}"#) -> AppDescription {
        AppDescription(
            name: name,
            executable: "/x/\(name)",
            catalog: IntentCatalog(intents: [IntentDeclaration(name: "Greet", title: "Greet", summary: summary)]),
            limits: RunLimits()
        )
    }

    private mutating func remembered(_ answer: ClientAnswer, id: UInt64) -> [UInt8]? {
        answers.frame(of: answer, id: id).map(Array.init)
    }

    private func fresh(_ answer: ClientAnswer, id: UInt64) throws -> [UInt8] {
        try Frame.encode(WireCoding.encode(ClientMessage.answer(id: id, answer)), limit: Frame.clientPayloadLimit)
    }

    @Test mutating func `a cached answer has the same bytes as a new one, with the number of its own request`()
        throws
    {
        for answer in [ClientAnswer.app(app("Soup")), .apps([app("Soup"), app("Archive")]), .apps([])] {
            for id: UInt64 in [1, 18_446_744_073_709_551_615, 42] {
                let frame = remembered(answer, id: id)
                #expect(try frame == fresh(answer, id: id))
            }
        }
    }

    @Test mutating func `a changed app is encoded again`() throws {
        _ = answers.frame(of: .app(app("Soup")), id: 1)
        let changed = ClientAnswer.app(app("Soup", summary: "Says hello."))
        let frame = remembered(changed, id: 2)
        #expect(try frame == fresh(changed, id: 2))
    }

    @Test mutating func `more apps than the cache holds are answered`() throws {
        for number in 0..<40 {
            let answer = ClientAnswer.app(app("App\(number)"))
            let frame = remembered(answer, id: 3)
            #expect(try frame == fresh(answer, id: 3))
        }
    }

    @Test mutating func `an answer without a catalogue is not cached`() {
        #expect(answers.frame(of: .upgrading, id: 1) == nil)
    }

    @Test mutating func `a list that is too large omits the largest catalogues, which clients request one by one`()
        throws
    {
        let long = String(repeating: "x", count: 600_000)
        let all = [app("A", summary: long), app("B"), app("C", summary: long + "x"), app("D", summary: long)]
        let frame = try #require(remembered(.apps(all), id: 7))
        guard
            case .answer(7, .apps(let sent)) = try WireCoding.decode(
                ClientMessage.self,
                from: Array(frame.dropFirst(Frame.headerByteCount))
            )
        else { throw WireError.malformed("another message") }
        #expect(sent.map(\.name) == ["A", "B", "C", "D"] && sent.map(\.isIncomplete).count { $0 } == 2)
        #expect(sent[2].isIncomplete && !sent[1].isIncomplete && sent[1] == all[1])
        let single = remembered(.app(all[2]), id: 8)
        #expect(try single == fresh(.app(all[2]), id: 8))
    }
}
