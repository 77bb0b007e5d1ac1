import IntentLauncherMessages
import IntentLifecycle
import Testing

/// What the question for an approval says about a request.
@Suite struct QuestionTextTests {
    private static func text(
        _ change: (inout ApprovalScene.Asked) -> Void = { _ in },
        _ settings: (inout InstalledApp) -> Void = { _ in }
    ) throws -> String {
        var scene = try ApprovalScene(.always)
        settings(&scene.app)
        var asked = ApprovalScene.Asked()
        change(&asked)
        return try #require(scene.perform(asked).question).question.text
    }

    @Test func `a request that refuses other questions says so, and another one does not`() throws {
        let refusing = try Self.text { $0.request.answers = AnswersInAdvance(others: .refuse) }
        #expect(refusing.contains("refuses other questions"))
        #expect(!(try Self.text()).contains("refuses other questions"))
    }

    @Test(arguments: [(200, false), (201, true)])
    func `a value of more than 200 characters is shortened, with its length`(count: Int, isCut: Bool) throws {
        // The quotes of the value are two of its characters.
        let text = try Self.text { $0.request.values["path"] = .string(String(repeating: "x", count: count - 2)) }
        #expect(text.contains("(\(count) characters in total") == isCut, "\(text)")
    }

    @Test func `a name is shown as it is, or in quotes if it could look like another part`() throws {
        let plain = try Self.text { $0.request.answers = AnswersInAdvance(values: ["other": .string("a")]) }
        #expect(plain.contains(#"Answers in advance: other="a""#), "\(plain)")
        let like = try Self.text { $0.request.answers = AnswersInAdvance(values: ["(choice)": .string("a")]) }
        #expect(like.contains(#"Answers in advance: "(choice)"="a""#), "\(like)")
    }
}
