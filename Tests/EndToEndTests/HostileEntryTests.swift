import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

/// Texts on which Swift's own string functions take a time that grows with the square of the length, at each place where
/// text enters a program. `HostileTextTests` contains the messages of clients.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct HostileEntryTests {
    /// 160 kB of combining marks, in an order that normalization changes, as UTF-8 and as escapes in JSON.
    private static let marks = [
        String(repeating: "\u{301}\u{323}", count: 40_000), String(repeating: #"\u0301\u0323"#, count: 13_334),
    ]
    /// Fewer of them, for an argument or the head of a request.
    private static let fewMarks = String(repeating: "\u{301}\u{323}", count: 5000)
    private static let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 12_500)
    private static let refusal = "more than 30 combining marks in a row"

    // MARK: Workers

    @Test(arguments: [
        (#"{"type":"started","a":%1}"#, #"{"a":"#, 10_000, "levels of nesting"),
        (#"{"type":"started","b":{%"z":1}}"#, "\"a\u{301}\":1,", 10_000, "twice"),
        (#"{"type":"started","a":[%0]}"#, "0,", 50_000, "values"),
    ])
    func `a worker's record with nested or repeated names ends its run alone`(
        _ payload: String,
        _ pattern: String,
        _ count: Int,
        _ reason: String
    ) throws {
        let daemon = try Daemon()
        let (client, other) = (try SocketClient(daemon), try SocketClient(daemon))
        let run = try client.perform("Raw", ["payload": payload, "pattern": pattern, "count": count])
        let outcome = try client.outcome(of: run)
        #expect(outcome["kind"] as? String == "violated" && "\(outcome)".contains(reason), "\(outcome)")
        #expect(try other.ask(["type": "status"])["type"] as? String == "status")
    }

    @Test func `a worker's result of flags reaches its client`() throws {
        let daemon = try Daemon()
        let (client, other) = (try SocketClient(daemon), try SocketClient(daemon))
        let payload = #"{"type":"finished","ending":{"kind":"returned","value":"%"},"files":[]}"#
        let run = try client.perform("Raw", ["payload": payload, "pattern": Self.flags, "count": 1])
        let outcome = try client.outcome(of: run)
        #expect(outcome["value"] as? String == Self.flags, "\(outcome)")
        #expect(try other.ask(["type": "status"])["type"] as? String == "status")
    }

    // MARK: Agents

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list","a%":1}"#, #"{"jsonrpc":"2.0","id":1,"method":"a%"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Probe_Echo","arguments":{"a%":1}}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Probe_Echo","arguments":{"text":"a%"}}}"#,
    ])
    func `an agent's message of combining marks is refused, and delays no other agent`(_ line: String) throws {
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=never"])
        let (server, other) = (try MCPProcess(daemon), try MCPProcess(daemon))
        let nested = String(repeating: #"{"a":"#, count: 30_000)
        for message in Self.marks.map({ line.replacing("%", with: $0) }) + [nested] {
            try server.send(line: message)
            #expect(try other.call("Probe_Echo", ["text": "a"]).structured["value"] as? String == "a")
            let error = try server.receive()?["error"] as? [String: Any]
            #expect(error?["code"] as? Int == -32700, "\(error ?? [:])")
        }
        let result = try server.call("Probe_Echo", ["text": Self.flags])
        #expect(result.structured["value"] as? String == Self.flags)
    }

    // MARK: A fleet

    @Test(.enabled(if: FleetHosts.obstacle == nil, Comment(rawValue: FleetHosts.obstacle ?? "")))
    func `a fleet's frame of combining marks is refused, and delays no other client`() throws {
        let fleet = try FleetHosts(["web1"])
        let host = fleet["web1"]
        let other = try SocketClient(host.daemon, at: host.socket)
        let frames: [(greets: Bool, json: String)] = [
            (false, #"{"id":1,"protocolVersion":1,"software":"x","type":"hello","a%":1}"#),
            (true, #"{"id":2,"type":"list","a%":1}"#), (true, #"{"id":2,"type":"describe","app":"a%"}"#),
            (true, #"{"id":2,"type":"a%"}"#),
        ]
        for (greets, json) in frames {
            for marks in Self.marks {
                let client = try SocketClient(host.daemon, at: host.socket, greets: greets)
                try client.send(payload: json.replacing("%", with: marks))
                #expect(try other.ask(["type": "list"])["type"] as? String != "error")
                let answer = try client.next()
                #expect("\(answer)".contains(Self.refusal), "\(answer)")
            }
        }
        let nested = try SocketClient(host.daemon, at: host.socket)
        try nested.send(payload: #"{"id":2,"type":"list","a":"# + String(repeating: "[", count: 100_000))
        #expect("\(try nested.next())".contains("levels of nesting"))
        // A fleet's run has values of at most 64 KiB.
        let flags = String(Self.flags.unicodeScalars.prefix(5000))
        let run = try host.intentctl("run", "Probe/Echo", "--text", flags)
        #expect(run.code == 0 && run.output == flags + "\n", "\(run.errors)")
    }

    // MARK: Files

    @Test func `an imported record of combining marks is refused, and one of flags is imported`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "PLACE").code == 0)
        let exported = try daemon.intentctl("history", "--export", "records").output
        try #require(exported.contains("PLACE"))
        let file = daemon.folder.appending("records.jsonl")
        let other = try Daemon()
        let damaged = Self.marks.flatMap { [exported.replacing("PLACE", with: "a" + $0), #"{"a\#($0)":1}"#] }
        for text in damaged {
            try Data(text.utf8).write(to: file)
            let refused = try other.intentctl("history", "--import", file.path)
            #expect(refused.code == 65)
            #expect(refused.errors.contains("line 1") && refused.errors.contains(Self.refusal), "\(refused.errors)")
        }
        try Data(exported.replacing("PLACE", with: Self.flags).utf8).write(to: file)
        let imported = try other.intentctl("history", "--import", file.path)
        #expect(imported.output.hasPrefix("imported 1 run,"), "\(imported.errors)")
    }

    // MARK: The page

    @Test func `a request of combining marks to the page's server delays no other page`() throws {
        let daemon = try Daemon()
        let socket = daemon.folder.appending("web.sock").path
        let page = try WebPage(daemon, arguments: ["--listen-socket", socket])
        let entrance = try #require(page.url.range(of: "/enter")).lowerBound
        let entered = try PageConnection(socket, "GET \(page.url[entrance...])").wholeAnswer()
        let cookie = try #require(entered.firstMatch(of: #/Set-Cookie: ([^;]+);/#)).1
        let key = try #require(entered.firstMatch(of: #/#key=([0-9a-f]+)/#)).1
        let session = ["Cookie: \(cookie)", "X-Intentd-Key: \(key)", "Origin: http://127.0.0.1:8484"]
        // A request's head may have 32 kB.
        let (marks, encoded) = (Self.fewMarks, String(repeating: "%CC%81%CC%A3", count: 1500))
        let heads = [
            ("GET /a\(encoded)", session), ("GET /enter?token=a\(encoded)", []),
            ("GET /v1/runs", ["Cookie: a\(marks)"]),
            ("GET /v1/runs", [session[0], "X-Intentd-Key: a\(marks)"]), ("GET /v1/runs", ["Origin: a\(marks)"]),
            ("POST /v1/runs/a\(encoded)/cancel", session), ("GET /v1/history?app=a\(encoded)&x=1", session),
            ("GET /report/a\(encoded)", session),
        ]
        for (line, headers) in heads {
            let answer = try PageConnection(socket, line, headers).wholeAnswer()
            #expect(answer.contains(#/^HTTP\/1\.[01] 4\d\d /#), "\(line.prefix(20)): \(answer.prefix(200))")
            #expect(try PageConnection(socket, "GET /", session).wholeAnswer().contains(" 200 OK"))
        }
        for text in Self.marks {
            for body in [#"{"values":{"text":"a\#(text)"}}"#, #"{"values":{"a\#(text)":1}}"#, #"{"a\#(text)":1}"#] {
                let line = "POST /v1/apps/Probe/intents/Echo/runs"
                let answer = try PageConnection(socket, line, session, body: Array(body.utf8)).wholeAnswer()
                #expect(answer.contains(" 400 ") && answer.contains(Self.refusal), "\(answer.prefix(400))")
                #expect(try PageConnection(socket, "GET /", session).wholeAnswer().contains(" 200 OK"))
            }
        }
    }

    // MARK: Command lines and the environment

    @Test func `a program's argument of combining marks is refused`() throws {
        let text = "--name=a" + String(repeating: Self.fewMarks, count: 6)
        let programs = [
            "intentctl", "intentd", "intentd-launcher", "intentd-fleet", "intentd-web", "intentd-command", "Probe",
        ]
        for program in programs {
            let command = try Command(Programs.url(program), ["a", text])
            #expect(command.exitCode() == 64, "\(program): \(command.errors.prefix(500))")
            #expect(command.errors.contains("\(program): argument 2 has \(Self.refusal)"), "\(program)")
        }
        let json = try Command(Programs.intentctl, ["--output", "json", "run", "a/b", text])
        #expect(json.exitCode() == 64 && json.output.contains(Self.refusal), "\(json.output.prefix(500))")
    }

    @Test func `a variable of combining marks delays no program`() throws {
        let text = "/a" + String(repeating: Self.fewMarks, count: 6)
        let environment = [
            "INTENTD_SOCKET": text, "LANG": text, "PAGER": text, "TMPDIR": text, "XDG_RUNTIME_DIR": text, text: "1",
        ]
        let status = try Command(Programs.intentctl, ["status"], environment: environment)
        #expect(status.exitCode() == 69, "\(status.errors.prefix(500))")
        let user = try Command(Programs.intentctl, ["--user", "list"], environment: environment)
        #expect(user.exitCode() == 69, "\(user.errors.prefix(500))")
        let app = try Command(Programs.url("Probe"), ["Echo", "--text", "a"], environment: environment)
        #expect(app.exitCode() == 0 && app.output.contains("a"), "\(app.errors.prefix(500))")
    }
}

/// A request to the server of `intentctl web`, and its answer.
private final class PageConnection {
    private let socket: SharedFileDescriptor
    private var bytes: [UInt8] = []

    init(_ path: String, _ line: String, _ headers: [String] = [], body: [UInt8] = []) throws {
        socket = SharedFileDescriptor(try UnixSocket.connect(.stream, to: path))
        // The answer of HTTP 1.0 ends with the connection, and is not divided into chunks.
        let head = ["\(line) HTTP/1.0", "Host: 127.0.0.1:8484", "Content-Length: \(body.count)"] + headers
        try File.write(socket.rawValue, (Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)[...])
    }

    /// Waits until the server has closed the connection.
    func wholeAnswer() throws -> String {
        while try receive() {}
        return String(decoding: bytes, as: UTF8.self)
    }

    private func receive() throws -> Bool {
        guard let part = try File.read(socket.rawValue, upTo: 64 << 10), !part.isEmpty else { return false }
        bytes += part
        return true
    }
}
