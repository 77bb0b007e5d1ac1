import IntentLauncherMessages
import TestSupport
import Testing

/// Tests the errors of `needsValueError(_:)`, and intents that perform other intents.
@Suite(.ownThread) struct NeedsValueTests {
    @Test(arguments: [
        ("words", "count", "How many, 3 or more?"),
        ("none", "count", "How many cups?"),
        ("property", "count", "How many cups?"),
        ("title", "way", "Way"),
        ("other", nil, "Where?"),
    ])
    func `the run ends with the parameter and the question`(way: String, parameter: String?, question: String) throws {
        let run = try AppProcess.run("Ask", of: "CompileShapes5", ["way": .string(way)])
        #expect(run.result.ending == .needsValue(parameter: parameter, question: question))
    }

    @Test func `the function's earlier name also asks for a value`() throws {
        let run = try AppProcess.run("AskInTheOldWay", of: "CompileShapes5")
        #expect(run.result.ending == .needsValue(parameter: "count", question: "How many?"))
    }

    @Test func `a choice without values asks for any value, and a value set in init() is sufficient`() throws {
        let reader: [String: IntentValue] = ["reader": .string("Ann")]
        let run = try AppProcess.run("LendBook", of: "CompileShapes5", reader)
        #expect(run.result.ending == .needsValue(parameter: "book", question: "Which book?"))
        let loanRun = try AppProcess.run(
            "LendBook",
            of: "CompileShapes5",
            reader.merging(["book": .string("Emma")]) { $1 }
        )
        #expect(loanRun.text == "Emma to Ann for 14")
        let parameters = try AppProcess.declaration(of: "LendBook", in: "CompileShapes5").parameters
        #expect(parameters.map(\.isRequired) == [false, true, false])
        #expect(parameters.map(\.defaultValue) == [.int(14), nil, nil])
    }

    @Test(arguments: [("custom", "the intent's own"), ("known", "The entity was not found.")])
    func `predefined errors have their messages`(way: String, message: String) throws {
        #expect(try AppProcess.run("Ask", of: "CompileShapes5", ["way": .string(way)]).message == message)
    }

    @Test func `an app on the command line exits with 76 and names the missing option`() throws {
        let (code, output) = try AppProcess.byHand("Soup", "OrderSoup", "--soup", "tomato")
        #expect(code == 76)
        let hint = "OrderSoupIntent needs a value for 'quantity': add --quantity INTEGER"
        #expect(output.hasSuffix("\nHow many bowls?\n\(hint)\n"))
    }

    @Test func `an intent performs other intents in its own process`() throws {
        let run = try AppProcess.run("Compose", of: "CompileShapes5")
        let value = IntentValue.array([.string("dark"), .string("done")])
        #expect(run.result.ending == .returned(value: value, dialog: "Composed"))
        #expect(run.phases == [.entered, .left, .entered, .left])
        #expect(run.progress.last?.detail == "half")
    }
}
