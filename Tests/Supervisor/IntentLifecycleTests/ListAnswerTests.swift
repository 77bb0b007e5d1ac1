import IntentLauncherMessages
import IntentLifecycle
import Testing

/// A list of values that a request gives in advance answers one question after another.
@Suite struct ListAnswerTests {
    private static let catalog = IntentCatalog(intents: [
        IntentDeclaration(
            name: "Mix",
            title: "Mix",
            parameters: [ParameterDeclaration(name: "counts", title: "Counts", type: .array(.int), isOptional: true)]
        )
    ])

    private static func running(_ answers: AnswersInAdvance) throws -> (scene: Scene, slot: SlotID) {
        var scene = Scene()
        let description = try scene.launchedSlot(scene.perform("Mix", [:], answers: answers), mode: .describe)
        _ = scene.runTable.handle(.reported(description, .catalog(catalog)), at: at(0))
        let begun = scene.runTable.handle(.ended(description, Scene.exited, lastLine: nil), at: at(0))
        let slot = try scene.launchedSlot(begun, mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        return (scene, slot)
    }

    private static func answers(_ number: UInt64, _ type: ValueType, in scene: inout Scene, _ slot: SlotID)
        -> [IntentValue]
    {
        let question = Question(number: number, text: "Which?", parameter: "counts", type: type, kind: .value)
        return scene.runTable.handle(.reported(slot, .question(question)), at: at(1)).told
    }

    @Test func `each question for one element gets the next one, and a person answers the others`() throws {
        var (scene, slot) = try Self.running(AnswersInAdvance(values: ["counts": .array([.int(4), .int(7)])]))
        #expect(Self.answers(1, .int, in: &scene, slot) == [.int(4)])
        #expect(Self.answers(2, .int, in: &scene, slot) == [.int(7)])
        #expect(Self.answers(3, .int, in: &scene, slot) == [])
        #expect(scene.runTable.openQuestion(of: Scene.run(1)) == 3)
    }

    @Test func `a question for the list gets the whole list`() throws {
        let list = IntentValue.array([.int(4), .int(7)])
        var (scene, slot) = try Self.running(AnswersInAdvance(values: ["counts": list]))
        #expect(Self.answers(1, .array(.int), in: &scene, slot) == [list])
    }

    @Test func `the answer to a choice without a parameter answers no question about a parameter`() throws {
        let cases = ["a", "b"].map { EnumerationCase(value: $0, title: $0) }
        for (kind, isTold) in [(Question.Kind.choice, true), (.value, false)] {
            let answers = AnswersInAdvance(values: [AnswersInAdvance.choiceName: .string("b")])
            var (scene, slot) = try Self.running(answers)
            let question = Question(number: 1, text: "Which?", type: .enumeration(cases), kind: kind)
            let told = scene.runTable.handle(.reported(slot, .question(question)), at: at(1)).told
            #expect(told == (isTold ? [.string("b")] : []))
        }
    }
}
