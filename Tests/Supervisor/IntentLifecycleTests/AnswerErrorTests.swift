import IntentLauncherMessages
import IntentLifecycle
import Testing

/// The reasons for which an answer is refused.
@Suite struct AnswerErrorTests {
    private static func question(_ number: UInt64) -> Question {
        Question(number: number, text: "Really?", type: .bool, kind: .confirmation)
    }

    private static func message(_ scene: inout ApprovalScene, _ number: UInt64, by sender: ApprovalScene.Sender)
        -> String?
    {
        Scene.refusal(in: scene.answer(.bool(true), to: number, by: sender))?.message
    }

    @Test func `an answer to an earlier question names the user who answered it, and not for any other question`()
        throws
    {
        var scene = try ApprovalScene(.never)
        _ = scene.perform(ApprovalScene.Asked(), by: .person)
        _ = scene.ask(Self.question(1))
        #expect(scene.answer(.bool(true), to: 1, by: .person).isAccepted)
        let slot = try #require(scene.slot)
        _ = scene.scene.runTable.handle(.reported(slot, .question(Self.question(2))), at: at(2))
        let earlier = try #require(Self.message(&scene, 1, by: .person))
        #expect(earlier.contains("question 1") && earlier.contains("user 1000"))
        let unknown = try #require(Self.message(&scene, 7, by: .person))
        #expect(unknown.contains("question 7") && !unknown.contains("user 1000"))
    }

    @Test func `an agent hears that a person must confirm, and a caller that another user must`() throws {
        var ofAgent = try ApprovalScene(.never)
        _ = ofAgent.perform(ApprovalScene.Asked())
        _ = ofAgent.ask(Self.question(1))
        #expect(Self.message(&ofAgent, 1, by: .agent)?.hasPrefix("an agent may not approve or confirm") == true)
        var ofPerson = try ApprovalScene(.never, confirm: .other)
        _ = ofPerson.perform(ApprovalScene.Asked(), by: .person)
        _ = ofPerson.ask(Self.question(1))
        #expect(Self.message(&ofPerson, 1, by: .person)?.hasPrefix("the caller of the run may not confirm") == true)
    }
}
