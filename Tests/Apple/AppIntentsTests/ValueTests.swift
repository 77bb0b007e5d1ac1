import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

/// Tests the conversion of values from the wire to an intent and back.
@Suite(.ownThread) struct ValueTests {
    @Test func `every type of value reaches the intent`() throws {
        let values: [String: IntentValue] = [
            "amount": .string("1.10"), "when": .string("1970-01-01T00:01:00+00:00"), "link": .string("https://a.b/c"),
            "length": .int(90), "cup": .string("veryLarge"), "tags": .array([.string("a"), .string("b")]),
            "roast": .string("2"), "day": .string("1970-01-01T00:00:00.5Z"), "hour": .null, "pause": .double(0.25),
            "numbers": .array([.int(3), .int(4)]), "cups": .array([]), "sizes": .array([.int(1), .double(2.5)]),
        ]
        let texts = [
            "1.1", "60.0", "https://a.b/c", "90.0 seconds", "veryLarge", "a", "b", "dark", "0.5", "-", "0.25 seconds",
            "3", "4", "1.0", "2.5",
        ]
        let run = try AppProcess.run("EveryKind", of: "CompileShapes5", values)
        #expect(run.value == .array(texts.map { .string($0) }))
    }

    @Test(arguments: [
        ("Instants", ["date": IntentValue.string("2026-11-21T09:30:00Z")], IntentValue.string("2026-11-21T09:30:00Z")),
        (
            "Instants", ["date": .string("2026-11-21T10:30:00.25+01:00"), "span": .double(0.1)],
            .string("2026-11-21T09:30:00.350Z")
        ),
        ("Spans", ["span": .int(3)], .int(6)),
        ("Spans", ["span": .double(0.25)], .double(0.5)),
        (
            "Links", ["link": .string("https://a.b/c"), "prices": .array([.string("0.1"), .int(2)])],
            .array([.string("https://a.b/c/0.2"), .string("https://a.b/c/4")])
        ),
    ])
    func `a result contains the value in its wire form`(
        intent: String,
        values: [String: IntentValue],
        result: IntentValue
    ) throws {
        #expect(try AppProcess.run(intent, of: "CompileShapes6", values).value == result)
    }

    @Test func `enumerations are sent by their raw values, also in lists`() throws {
        let values: [String: IntentValue] = ["roasts": .array([.string("1"), .string("2")])]
        let run = try AppProcess.run("ReverseRoasts", of: "CompileShapes5", values)
        #expect(run.value == .array([.string("2"), .string("1")]))
        #expect(try AppProcess.run("OneRoast", of: "CompileShapes5").value == .string("2"))
    }

    @Test func `files are sent in lists`() throws {
        let files = try ["one", "two"].map { try MemoryFile.sealed(name: $0, ArraySlice($0.utf8)) }
        let run = try AppProcess.run(
            "Files",
            of: "CompileShapes6",
            ["files": .array([.file(at: 0, named: "one.txt"), .file(at: 1, named: "two.txt")])],
            files: files
        )
        guard case .array(let values)? = run.value else { throw AppProcess.Failure(description: "no list") }
        #expect(values.flatMap(\.files).map(\.name) == ["two.txt", "one.txt"])
        #expect(run.result.files.count == 2)
    }

    @Test(arguments: [
        ("c", IntentValue.int(4), "expects a whole number from 1 to 3, got 4"),
        ("d", .double(1.5), "expects a number from 0 to 1, got 1.5"),
        ("k", .array([.int(5), .int(6)]), "expects a whole number from 1 to 5, got 6"),
        ("j", .string("smal"), "expects one of small, large, got 'smal'; did you mean 'small'?"),
        ("j", .string("veryLarge"), "expects one of small, large, got 'veryLarge'"),
        ("m", .string("nowhere"), "expects a URL, got 'nowhere'; for example: https://example.org/menu"),
        ("n", .string("1,5"), "expects a decimal number, got '1,5'; for example: 12.50"),
        ("k", .int(1), "expects a list in which each element is a whole number, got a whole number"),
        ("a", .null, "expects true or false, got nothing"),
    ])
    func `an invalid value fails the run with an error that names the parameter`(
        name: String,
        value: IntentValue,
        message: String
    ) throws {
        let run = try AppProcess.run("EveryLabel", of: "CompileShapes5", [name: value])
        #expect(run.message == "parameter '\(name)' \(message)")
    }

    @Test func `a duration that is too large is refused`() throws {
        let run = try AppProcess.run("Spans", of: "CompileShapes6", ["span": .double(1e30)])
        #expect(run.message == "parameter 'span' expects a duration, got 1e+30 seconds")
    }
}
