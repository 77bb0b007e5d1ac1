import Foundation
import Glibc
import TestSupport
import Testing

/// Agents at the service of a fleet: no request of an agent has an effect there that it would not have at intentd.
@Suite(.ownThread, .serialized, .enabled(if: FleetHosts.obstacle == nil, Comment(rawValue: FleetHosts.obstacle ?? "")))
struct FleetAgentTests {
    private static let agent: UInt32 = 42_427
    private static let hello = #"{"type":"hello","protocolVersion":1,"software":"test"}"#

    @Test func `a user that intentd treats as an agent is refused by the service of the fleet`() throws {
        let fleet = try FleetHosts(["web1"], daemon: ["[Agents]", "User=\(Self.agent)", "Allow=none"])
        let requests = [Self.hello, Self.perform("Echo", #""values":{"text":"a"}"#)]
        let direct = try FleetTests.say(requests, as: Self.agent, to: fleet["web1"].daemon.socket)
        #expect(direct.contains("notPermitted"), "\(direct)")
        let answer = try FleetTests.say(requests, as: Self.agent, to: fleet["web1"].socket)
        #expect(answer.contains("notPermitted") && answer.contains("without --fleet"), "\(answer)")
        #expect(try fleet.query("select count(*) from fleet.receipt") == "0")
        #expect(try FleetTests.say(requests, as: Self.agent + 1, to: fleet["web1"].socket).contains("accepted"))
        // The next process of the service asks intentd again before it serves a client.
        fleet["web1"].kill()
        try fleet["web1"].start()
        #expect(try FleetTests.say(requests, as: Self.agent, to: fleet["web1"].socket).contains("notPermitted"))
    }

    @Test func `an app with access to the socket of the fleet is refused there`() throws {
        let range: UInt32 = 1_234_000_000
        let fleet = try FleetHosts(["web1"])
        let settings = fleet["web1"].daemon.folder.appending("intentd.conf")
        try Data("[Sandbox]\nIdRange=\(range):64\n".utf8).write(to: settings)
        chmod(settings.path, 0o644)
        fleet["web1"].kill()
        try fleet["web1"].start()
        let requests = [Self.hello, Self.perform("Echo", #""values":{"text":"a"}"#)]
        // The built-in range, and the range of IdRange=.
        for user in [0x7C00_0000, 0x7C01_FFFF, range, range + 63] as [UInt32] {
            let answer = try FleetTests.say(requests, as: user, to: fleet["web1"].socket)
            #expect(answer.contains("notPermitted") && answer.contains("in a sandbox"), "\(answer)")
        }
        #expect(try fleet.query("select count(*) from fleet.receipt") == "0")
        #expect(try FleetTests.say(requests, as: range + 64, to: fleet["web1"].socket).contains("accepted"))
    }

    @Test func `the rules for agents apply to a request that is declared as an agent's`() throws {
        let rules = [
            "Fleet=once", "[Agents]", "Allow=all", "Ask=always", "[Intent Prints]", "Allow=none",
            "[Intent AskSomething]", "Confirm=other",
        ]
        let fleet = try FleetHosts(["web1", "web2"], fleet: rules)
        func perform(_ intent: String, _ more: String) throws -> String {
            let request = Self.perform(intent, #""entryPoint":"mcp","answers":{"confirmations":"all"},"# + more)
            let answer = try FleetTests.say([Self.hello, request], as: 0, to: fleet["web1"].socket)
            return try #require(answer.firstMatch(of: #/"run":"([^"]+)"/#), "\(answer)").output.1.description
        }
        // Allow=
        let forbidden = try perform("Prints", #""values":{}"#)
        #expect(try fleet["web1"].intentctl("wait", forbidden).errors.contains("agents may not perform Probe/Prints"))
        // Ask=. The answers in advance do not approve the run.
        let run = try perform("Echo", #""values":{"text":"hello"}"#)
        try eventually("a person is asked") {
            try fleet["web1"].intentctl("answer", run).output.contains(#"text="hello""#)
        }
        #expect(try fleet.query("select question ->> 'number' from fleet.run") == "0")
        #expect(try fleet["web1"].intentctl("answer", run, "yes").code == 0)
        #expect(try fleet["web1"].intentctl("wait", run).output == "hello\n")
        // Confirm=. The caller cannot approve the run.
        let other = try perform("AskSomething", #""values":{"way":"confirm"}"#)
        try eventually("another person is asked") {
            try fleet["web1"].intentctl("answer", other).output.contains("Probe/AskSomething")
        }
        _ = try fleet["web1"].intentctl("answer", other, "yes")
        try eventually("the answer is refused, and the question is open again") {
            try fleet.query("select question ->> 'number', answer is null from fleet.run") == "0|t"
        }
        #expect(try fleet["web1"].intentctl("cancel", other).code == 0)
        #expect(try fleet.query("select state from fleet.history order by id") == "failed\ndone\ncancelled")
    }

    @Test func `an agent has at most MaxRuns= unfinished runs on a host, and the next waits`() throws {
        let rules = ["Fleet=once", "[Agents]", "Allow=all", "Ask=never"]
        let fleet = try FleetHosts(["web1"], fleet: rules, daemon: ["[Agents]", "MaxRuns=1"])
        let requests = ["a", "b"].map {
            Self.perform("AwaitFile", #""entryPoint":"mcp","values":{"file":"\#($0)"}"#)
        }
        let answer = try FleetTests.say([Self.hello] + requests, as: 0, to: fleet["web1"].socket)
        #expect(answer.matches(of: /accepted/).count == 2, "\(answer)")
        try eventually("the host holds both runs") {
            try fleet.query("select count(*) from fleet.run where state = 'running'") == "2"
        }
        try fleet["web1"].daemon.bring("a")
        try fleet["web1"].daemon.bring("b")
        try eventually("both have ended") {
            try fleet.query("select count(*) from fleet.history where state = 'done'") == "2"
        }
        // intentd accepted the second run after the first had ended.
        let runs = try fleet["web1"].daemon.json("history", "--by", "all")["runs"] as? [[String: Any]] ?? []
        let times = try runs.map {
            (try #require($0["acceptedMilliseconds"] as? Int), try #require($0["endedMilliseconds"] as? Int))
        }
        .sorted { $0.0 < $1.0 }
        try #require(times.count == 2, "\(runs)")
        #expect(times[1].0 >= times[0].1, "\(runs)")
    }

    @Test func `an agent passes no files to a run of a fleet, and undoes none`() throws {
        let fleet = try FleetHosts(["web1"], fleet: ["Fleet=once", "[Agents]", "Allow=all", "Ask=never"])
        let run = try fleet["web1"].intentctl("run", "--detach", "Probe/Echo", "--text", "a").output
        let id = run.trimmingCharacters(in: .whitespacesAndNewlines)
        for more in [#""files":1,"values":{"text":"a"}"#, #""undoOf":"\#(id)","values":{}"#] {
            let request = Self.perform("Echo", #""entryPoint":"mcp","# + more)
            let answer = try FleetTests.say([Self.hello, request], as: 0, to: fleet["web1"].socket)
            #expect(answer.contains("notPermitted"), "\(answer)")
        }
        #expect(try fleet.query("select count(*) from fleet.receipt") == "1")
    }

    private static func perform(_ intent: String, _ more: String) -> String {
        let request = UUID().uuidString.replacing("-", with: "").lowercased()
        return """
            {"type":"perform","app":"Probe","intent":"\(intent)","request":"\(request)","onDisconnect":"continue",\(more)}
            """
    }
}
