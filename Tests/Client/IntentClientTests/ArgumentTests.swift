import Foundation
import IntentLinux
import Testing

@testable import IntentClient

/// Swift values as arguments of intents and as values of runs.
@Suite struct ArgumentTests {
    private struct Order: Codable, Equatable, Sendable {
        var soup: String
        var count: UInt8
        var notes: [String]
        var at: Date?
        var wait: Duration
        var price: Decimal
        var page: URL
        var extras: [String: Bool]
    }

    private let order = Order(
        soup: "tomato",
        count: 2,
        notes: ["hot"],
        at: Date(timeIntervalSince1970: 1_000_000_000.25),
        wait: .milliseconds(1500),
        price: Decimal(string: "12.50")!,
        page: URL(string: "https://example.org/menu")!,
        extras: ["bread": true]
    )

    private func encoded(_ argument: IntentArgument) throws -> (value: IntentValue, files: [RunFile]) {
        let files = ArgumentFiles()
        return (try argument.value(addingFilesTo: files), files.all)
    }

    private func result(_ value: IntentValue?, files: [RunFile] = []) -> RunResult {
        RunResult(
            RunEnd(run: RunID(randomBits: 7), outcome: .done(value: value, dialog: nil), account: RunAccount()),
            files: files
        )
    }

    @Test func `literals are values of their kind`() throws {
        let argument: IntentArgument = [
            "text": "a\(1)", "list": [1, 2.5, true, nil], "object": ["wait": .milliseconds(50)],
        ]
        #expect(
            try encoded(argument).value
                == .object([
                    "text": .string("a1"), "list": .array([.int(1), .double(2.5), .bool(true), .null]),
                    "object": .object(["wait": .double(0.05)]),
                ])
        )
        let value: IntentValue = ["a": [1, 2.5, false, "x"]]
        #expect(value == .object(["a": .array([.int(1), .double(2.5), .bool(false), .string("x")])]))
    }

    @Test func `a value is encoded in the form of parameters, and decoded from the form of results`() throws {
        let value = try encoded(IntentArgument(order)).value
        #expect(
            value
                == .object([
                    "soup": .string("tomato"), "count": .int(2), "notes": .array([.string("hot")]),
                    "at": .string("2001-09-09T01:46:40.250Z"), "wait": .double(1.5), "price": .string("12.5"),
                    "page": .string("https://example.org/menu"), "extras": .object(["bread": .bool(true)]),
                ])
        )
        #expect(try result(value).value(as: Order.self) == order)
    }

    @Test func `parts of a date are a day, a time or both`() throws {
        let day = DateComponents(year: 2026, month: 11, day: 4)
        #expect(try encoded(IntentArgument(day)).value == .string("2026-11-04"))
        let time = DateComponents(hour: 9, minute: 5)
        #expect(try encoded(IntentArgument(time)).value == .string("09:05:00"))
        #expect(try result(.string("2026-11-04")).value(as: DateComponents.self) == day)
        #expect(throws: EncodingError.self) { try encoded(IntentArgument(DateComponents(year: 2026))) }
        #expect(throws: EncodingError.self) {
            try encoded(IntentArgument(DateComponents(year: 2026, month: 2, day: 30)))
        }
    }

    @Test func `files have indices in the order of the values, also inside other values`() throws {
        struct Letter: Encodable {
            var text: RunFile
            var pictures: [Data]
        }
        let letter = Letter(
            text: try RunFile(data: Data("hi".utf8), name: "a.txt"),
            pictures: [Data([1]), Data([2, 3])]
        )
        let (value, files) = try encoded(IntentArgument(letter))
        #expect(value.files.map(\.index).sorted() == [0, 1, 2])
        #expect(files.map(\.name) == ["a.txt", "data", "data"])
        #expect(try files.map { try $0.data() } == [Data("hi".utf8), Data([1]), Data([2, 3])])
        let back = result(
            .object(["pictures": .array([.file(FileReference(index: 0, name: "data"))])]),
            files: [files[2]]
        )
        struct Pictures: Decodable { var pictures: [Data] }
        #expect(try back.value(as: Pictures.self).pictures == [Data([2, 3])])
    }

    @Test func `a file that does not exist and a value without a form make the call fail`() throws {
        let missing = URL(fileURLWithPath: "/nonexistent/a.txt")
        let error = #expect(throws: IntentClientError.self) { try encoded(["x": .file(missing)]) }
        #expect(error?.code == .unreadableFile)
        #expect(throws: EncodingError.self) { try encoded(IntentArgument([Double.nan])) }
        #expect(throws: EncodingError.self) { try encoded(IntentArgument(UInt64.max)) }
        #expect(throws: CodingProblem.self) { try encoded(IntentArgument(.file(FileReference(index: 3, name: "x")))) }
    }

    @Test func `an unexpected value says what was expected, and where`() throws {
        func problem<Value: Decodable>(_ value: IntentValue?, _ type: Value.Type) -> String? {
            let error = #expect(throws: IntentRunError.self) { try result(value).value(as: type) }
            return error?.valueProblem
        }
        #expect(problem(.string("x"), Int.self) == "expected a whole number, got text")
        #expect(problem(nil, Int.self) == "expected a whole number, got nothing")
        #expect(problem(.int(300), UInt8.self) == "expected a whole number from 0 to 255, got 300")
        #expect(problem(.double(1e30), Duration.self) == "expected a duration in seconds, got a number")
        #expect(problem(.object(["soup": .int(1)]), Order.self) == "expected text, got a whole number, in 'soup'")
        #expect(problem(.object([:]), Order.self) == "'soup' is missing")
        #expect(
            problem(.array([.int(1), .bool(true)]), [Int].self) == "expected a whole number, got a Boolean, in '1'"
        )
        #expect(problem(.file(FileReference(index: 0, name: "x")), RunFile.self) == "expected a file, got a file")
    }

    @Test func `results without a value, entities and single values decode`() throws {
        #expect(try result(nil).value(as: Int?.self) == nil)
        #expect(try result(.int(3)).value(as: Double.self) == 3)
        #expect(try result(.object(["id": .string("7"), "title": .string("Dune")])).value(as: String.self) == "7")
        #expect(try result(.string("5 km")).value(as: MeasuredAmount.self) == MeasuredAmount(5, unit: "km"))
        let money = try result(.string("12.50 EUR")).value(as: MoneyAmount.self)
        #expect(money == MoneyAmount(Decimal(string: "12.5")!, currencyCode: "EUR"))
        #expect(try result(.array([.string("a"), .null])).value(as: [String?].self) == ["a", nil])
    }

    @Test(arguments: [
        (RunOutcome.failed(message: "no\u{1B}[31m soup"), "failed: no"),
        (.cancelled(.timeout), "was cancelled: timeout"), (.crashed(.signaled(signal: 11)), "killed by signal 11"),
    ])
    func `a run that failed throws its outcome`(_ outcome: RunOutcome, text: String) throws {
        let end = RunEnd(run: RunID(randomBits: 7), outcome: outcome, account: RunAccount())
        let error = #expect(throws: IntentRunError.self) { try RunResult(end).value(as: Int.self) }
        #expect(error?.outcome == outcome)
        #expect(error?.description.contains(text) == true)
        #expect(error?.description.contains("\u{1B}") == false)
    }

    @Test(arguments: ["Soup", "/Soup", "Soup/", "a/b/c", ""])
    func `a name without two parts is no name of an intent`(_ text: String) {
        #expect(IntentName(text) == nil)
    }

    @Test func `a name has the app and the intent`() {
        let name: IntentName = "Soup/OrderSoup"
        #expect(name == IntentName(app: "Soup", intent: "OrderSoup"))
        #expect("\(name)" == "Soup/OrderSoup")
    }

    @Test func `a literal without a slash stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = IntentName(stringLiteral: "Soup") }
    }

    @Test func `a combining mark does not hide the slash of an intent's name`() {
        #expect(IntentName("Soup/\u{301}Order"[...])?.app == "Soup")
        #expect(IntentName("Soup/Order/\u{301}Now"[...]) == nil)
    }

    @Test func `a file is read whole, in parts and into a folder`() async throws {
        let content = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
        let file = try RunFile(data: content, name: "a.bin")
        #expect(try file.data() == content)
        #expect(throws: IntentClientError.self) { try file.data(upTo: 599_999) }
        var parts: [Data] = []
        for try await part in file.bytes { parts.append(part) }
        #expect(parts.count == 3)
        #expect(Data(parts.joined()) == content)
        let folder = URL(fileURLWithPath: try File.makeTemporaryFolder("/tmp/intentd-test."))
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = try file.save(in: folder)
        #expect(copy.lastPathComponent == "a.bin")
        #expect(try Data(contentsOf: copy) == content)
        let second = #expect(throws: IntentClientError.self) { try file.save(in: folder) }
        #expect(second?.code == .system)
        for name in ["../a", "..", "", "a/b", "a\n", "a/\u{301}b", "../\u{301}a"] {
            let error = #expect(throws: IntentClientError.self) { try file.save(in: folder, as: name) }
            #expect(error?.code == .unsafeFileName, "\(name)")
        }
    }
}
