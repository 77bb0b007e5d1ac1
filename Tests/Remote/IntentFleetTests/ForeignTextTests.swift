import IntentFleet
import IntentFleetService
import IntentLinux
import IntentProtocol
import TestSupport
import Testing

/// Tests text of users and of other hosts that is made to be slow, or to hide a delimiter.
@Suite struct ForeignTextTests {
    @Test(arguments: [
        ("e" + String(repeating: "\u{301}", count: 1000), 1023), ("x" + String(repeating: "🇩🇪", count: 64_000), 1021),
        (String(repeating: "é", count: 512), 1024), ("", 0),
    ])
    func `the reason of an end is cut at a scalar`(_ reason: String, _ byteCount: Int) {
        let end = FleetRunEnd(run: 1, attempt: 1, state: .failed, reason: reason)
        #expect(end.reason?.utf8.count == byteCount)
        #expect(end.reason?.utf8.elementsEqual(reason.utf8.prefix(byteCount)) == true)
    }

    @Test func `a combining mark hides no quotation mark of an identifier`() {
        let quoted = DatabaseConnection.quoted("a\"\u{301};select 1;--")
        #expect(quoted.utf8.elementsEqual("\"a\"\"\u{301};select 1;--\"".utf8))
        for name in HostileText.all {
            // A quotation mark within the identifier is doubled (PostgreSQL manual, section 4.1.1).
            let inside = DatabaseConnection.quoted(name).utf8.dropFirst().dropLast()
            #expect(Substring(inside).replacing(utf8: "\"\"", with: "").utf8.allSatisfy { $0 != UInt8(ascii: "\"") })
            #expect(Substring(inside).replacing(utf8: "\"\"", with: "\"").utf8.elementsEqual(name.utf8))
        }
    }

    @Test(arguments: [("ada@\u{301}web1", "ada@\u{301}web1"), ("ada", "ada@DATABASE"), ("ada@web1", "ada@web1")])
    func `a combining mark does not hide the realm of an owner`(_ owner: String, _ user: String) {
        #expect(HostedRun.user(of: owner).utf8.elementsEqual(user.utf8))
    }

    @Test func `a combining mark does not hide the slash of an intent's name`() throws {
        var run = FleetRun(
            id: 5,
            attempt: 2,
            intent: "A/\u{301}B",
            owner: "ada@web1",
            arguments: "{}",
            policy: .once,
            token: "t"
        )
        let arguments = try #require(FleetArguments(json: #"{"values":{}}"#))
        #expect(arguments.request(for: run)?.app == "A")
        run.intent = "A/B/\u{301}C"
        #expect(arguments.request(for: run) == nil)
    }

    @Test func `arguments in the database with too many combining marks are malformed`() {
        let marks = String(repeating: #"\u0301\u0323"#, count: 16)
        #expect(FleetArguments(json: #"{"values":{"a\#(marks)":1}}"#) == nil)
        #expect(FleetArguments(json: #"{"values":{},"a\#(marks)":1}"#) == nil)
    }
}
