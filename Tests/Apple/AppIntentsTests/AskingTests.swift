import IntentLauncherMessages
import TestSupport
import Testing

/// Tests unanswered questions, which end the run with a typed error that contains the question.
@Suite(.ownThread) struct AskingTests {
    private func performed(_ way: String) throws -> RunRecord {
        try AppProcess.run("AskAway", of: "Ported", ["way": .string(way)])
    }

    @Test(
        arguments: [
            ("value", "count", "How many?", "value", nil),
            ("needsValue", "count", "How many, at most 3?", "value", nil),
            ("choice", "genre", "Which genre? (Novel, Poem)", "choice", ["Novel", "Poem"]),
            ("needsChoice", "genre", "This one? (Poem)", "choice", ["Poem"]),
            ("confirmValue", "genre", "A poem?", "confirmation", ["Poem"]),
            ("confirm", nil, "Order it?", "confirmation", ["Order", "Cancel"]),
            ("confirmPlain", nil, "Ask?", "confirmation", ["Continue", "Cancel"]),
            ("confirmResult", nil, "Three?", "confirmation", ["Continue", "Cancel"]),
            ("option", nil, "Where? (Left, Right)", "choice", ["Left", "Right"]),
        ] as [(String, String?, String, String, [String]?)]
    )
    func `an unanswered question ends the run with the question's message, parameter and choices`(
        _ way: String,
        parameter: String?,
        question: String,
        kind: String,
        choices: [String]?
    ) throws {
        let record = try performed(way)
        #expect(record.result.ending == .needsValue(parameter: parameter, question: question))
        #expect(record.result.details?.questionKind == kind)
        #expect(record.result.details?.choices == choices)
        #expect(record.result.details?.code == "unanswered.\(kind)")
    }

    @Test(arguments: [
        ("permission", "The app is not permitted to read contacts.", "permissionRequired.contacts"),
        ("predefined", "Who are you?", "userActionRequired.signin"),
        ("convertible", "The entity was not found.", "unrecoverable.entityNotFound"),
        ("localized", "3 words", "Trouble.words"),
        ("plain", "Plain: quiet", "Plain.quiet"),
    ])
    func `an error reaches the client with its message and its code`(
        _ way: String,
        message: String,
        code: String
    ) throws {
        let record = try performed(way)
        #expect(record.message == message)
        #expect(record.result.details?.code == code)
    }

    @Test func `the code of a Foundation error is its domain and number`() throws {
        #expect(try performed("foundation").result.details?.code == "NSCocoaErrorDomain.4")
    }

    @Test(arguments: ["foreground", "foregroundError"])
    func `a request for the foreground throws an error that gives the reason`(_ way: String) throws {
        let record = try performed(way)
        #expect(record.message?.contains("apps have no foreground on Linux") == true)
        #expect(record.result.details?.code == "noForeground")
    }

    @Test func `a run's result contains its donations`() throws {
        let donations = try #require(try performed("donate").result.details?.donations)
        #expect(donations.map(\.intent) == ["LendBook", "OldAdd", "OldAdd"])
        #expect(donations.map(\.values) == [["days": .int(3)], [:], [:]])
        #expect(donations.map(\.result) == [nil, .int(1), nil])
        #expect(Set(donations.compactMap(\.identifier)).count == 3)
    }

    @Test func `a run's result omits its own withdrawn donations, and contains the withdrawals of earlier donations`()
        throws
    {
        let details = try #require(try performed("takeBack").result.details)
        #expect(details.donations?.map(\.intent) == ["LendBook", "OldAdd"])
        #expect(details.withdrawals == DonationWithdrawals(intents: ["OldAdd"]))
    }

    @Test func `donations of an entity are withdrawn from the parameters of its type`() throws {
        let details = try #require(try performed("takeBackAbout").result.details)
        #expect(details.donations?.map { $0.values["book"] } == [.string("3")])
        let withdrawals = try #require(details.withdrawals?.entities)
        #expect(withdrawals.map(\.identifiers) == [["1", "2"], ["1"]])
        #expect(withdrawals.first?.parameters["LendBook"] == ["book", "instead"])
        #expect(withdrawals.last?.parameters == ["LendBook": ["book", "instead"]])
    }

    @Test func `a result may name one of several next intents, or none`() throws {
        func following(_ values: [String: IntentValue]) throws -> IntentReference? {
            try AppProcess.run("FollowOrNot", of: "CompileShapes5", values).result.details?.opens
        }
        #expect(try following([:]) == nil)
        #expect(try following(["url": .string("https://example.org")])?.intent == "OpenURLIntent")
        #expect(
            try following(["beach": .int(1)]) == IntentReference(intent: "TideWidget", values: ["beach": .string("1")])
        )
    }

    @Test func `a result contains the next intent with its values, and both dialogs`() throws {
        let values: [String: IntentValue] = ["title": .string("Sanditon"), "author": .string("Austen")]
        let record = try AppProcess.run("AddBook", of: "Ported", values)
        guard case .returned(.object(let book)?, let dialog) = record.result.ending else {
            Issue.record("it returned no book: \(record.result.ending)")
            return
        }
        #expect(book["id"] == .string("5"))
        #expect(dialog == "Sanditon belongs to the city now.")
        #expect(record.result.details?.supportingDialog == "Added.")
        #expect(
            record.result.details?.opens
                == IntentReference(intent: "LendBook", values: ["book": .string("5"), "days": .int(7)])
        )
    }
}
