import Foundation
import TestSupport
import Testing

// What local users and services may do.
extension FleetTests {
    @Test func `only the service of the fleet acts for others, only as NAME@HOST, and only in intents with Fleet=`()
        throws
    {
        let daemon = try Daemon(
            app: ["State=no", "[Intent Echo]", "Fleet=once"],
            configuration: ["[Fleet]", "User=\(FleetHost.user)"]
        )
        try daemon.admitEverybody()
        func outcome(as user: UInt32, _ fleetUser: String?, _ intent: String) throws -> String {
            let name = fleetUser.map { ",\"fleetUser\":\"\($0)\"" } ?? ""
            let hello = "{\"type\":\"hello\",\"protocolVersion\":1,\"software\":\"test\"\(name)}"
            let perform = """
                {"type":"perform","app":"Probe","intent":"\(intent)","values":\(intent == "Echo" ? #"{"text":"a"}"# : "{}"),\
                "request":"\(UUID().uuidString.replacing("-", with: "").lowercased())","onDisconnect":"continue"}
                """
            let answer = try Self.say([hello, perform], as: user, to: daemon.socket)
            let last = try #require(answer.split(separator: "\n").last)
            let message = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any] ?? [:]
            return (message["error"] as? [String: Any])?["code"] as? String ?? message["type"] as? String ?? "none"
        }
        #expect(try outcome(as: FleetHost.user, "ada@web1", "Echo") == "accepted")
        #expect(try outcome(as: FleetHost.user, "ada@web1", "Prints") == "notPermitted")
        #expect(try outcome(as: FleetHost.user, nil, "Echo") == "notPermitted")
        for name in ["root", "ada@", "@web1", "ada@web1@web2", "../ada@web1", "a/b@web1", "ada web@web1"] {
            #expect(try outcome(as: FleetHost.user, name, "Echo") == "protocolViolation", "\(name)")
        }
        #expect(try outcome(as: 42_427, "ada@web1", "Echo") == "protocolViolation")
        #expect(try outcome(as: 42_427, nil, "Echo") == "accepted")
    }

    @Test func `local users see only their own runs, and a client cannot name another user`() throws {
        let fleet = try FleetHosts(["web1"])
        let run = try fleet["web1"].intentctl("run", "--detach", "Probe/Echo", "--text", "a").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try fleet["web1"].intentctl("wait", run).code == 0)
        let socket = fleet["web1"].socket
        func say(_ lines: [String]) throws -> String { try Self.say(lines, as: 42_427, to: socket) }
        let hello = #"{"type":"hello","protocolVersion":1,"software":"test"}"#
        for request in ["story", "cancel", "watch", "question"] {
            let answer = try say([hello, "{\"type\":\"\(request)\",\"run\":\"\(run)\"}"])
            #expect(answer.contains("unknownRun"), "\(request): \(answer)")
        }
        let mine = try say([hello, #"{"type":"history"}"#])
        #expect(mine.contains(#""runs":[]"#), "\(mine)")
        #expect(try say([hello, #"{"type":"history","everybody":true}"#]).contains(#""runs":[]"#))
        #expect(try say([hello, #"{"type":"history","user":0}"#]).contains("notPermitted"))
        let named = try say([#"{"type":"hello","protocolVersion":1,"software":"test","fleetUser":"root@web1"}"#])
        #expect(named.contains("protocolViolation"), "\(named)")
        #expect(try say([#"{"type":"list"}"#]).contains("protocolViolation"))
        // A user without an account has a name that no account can have.
        let performed = try say([
            hello,
            #"{"type":"perform","app":"Probe","intent":"Echo","values":{"text":"b"},"request":"00112233445566778899aabbccddeeff","onDisconnect":"continue"}"#,
        ])
        #expect(performed.contains("accepted"), "\(performed)")
        try eventually("the run has ended") {
            try fleet.query("select owner from fleet.history where owner <> 'root@web1'") == "uid.42427@web1"
        }
    }

    @Test func `an attached run is cancelled if its client disconnects before the answer`() throws {
        let fleet = try FleetHosts(["web1"])
        let perform = """
            {"type":"perform","app":"Probe","intent":"AwaitFile","values":{},"request":"\(String(repeating: "7", count: 32))",\
            "onDisconnect":"cancel"}
            """
        let script = """
            import json, socket, struct, sys
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
            def send(line, id):
                body = json.dumps(dict(json.loads(line), id=id)).encode()
                s.sendall(struct.pack(">I", len(body)) + body)
            send(sys.argv[2], 1)
            # A socket that is closed with an unread answer discards what its peer has not received yet.
            s.recv(struct.unpack(">I", s.recv(4, socket.MSG_WAITALL))[0], socket.MSG_WAITALL)
            send(sys.argv[3], 2)
            """
        let hello = #"{"type":"hello","protocolVersion":1,"software":"test"}"#
        let client = try Command(
            URL(filePath: "/usr/bin/python3"),
            ["-c", script, fleet["web1"].socket, hello, perform]
        )
        #expect(client.exitCode() == 0, "\(client.errors)")
        try eventually("the run is cancelled") {
            try fleet.query("select state, reason from fleet.history") == "cancelled|clientDisconnected"
        }
    }

    /// Sends requests as another user, one after the other's answer, and returns the answers.
    static func say(_ lines: [String], as user: UInt32, to socket: String) throws -> String {
        let script = """
            import json, socket, struct, sys
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
            for n, line in enumerate(sys.argv[2:]):
                body = json.dumps(dict(json.loads(line), id=n + 1)).encode()
                try: s.sendall(struct.pack(">I", len(body)) + body)
                # The peer has refused the connection, and its answer can still be read.
                except OSError: pass
                head = s.recv(4, socket.MSG_WAITALL)
                if len(head) < 4: break
                print(s.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL).decode())
            """
        let command = try Command(
            URL(filePath: "/usr/bin/setpriv"),
            ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--", "/usr/bin/python3", "-c", script, socket]
                + lines
        )
        command.exitCode()
        return command.output
    }
}
