import IntentAPI
import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentHosts

/// Tests which requests of the HTTP API the requests of clients become.
struct HostCallTests {
    @Test func `a request takes the places that its route has for its members`() throws {
        let cancel = try #require(HostCall.passing("cancel", ["run": "7k2m9qxw4c"]))
        #expect((cancel.method, cancel.target) == ("POST", "/v1/runs/7k2m9qxw4c/cancel"))
        #expect(cancel.body == [] && cancel.fields == [])
        let history = try #require(HostCall.passing("history", ["app": "a&b/é", "count": 3, "isFailure": true]))
        #expect(history.target == "/v1/history?app=a%26b%2F%C3%A9&count=3&isFailure=true")
        let answer = try #require(
            HostCall.passing("answer", ["run": "7k2m9qxw4c", "value": ["int": 3]], files: ["f1"])
        )
        #expect((answer.method, answer.target) == ("POST", "/v1/runs/7k2m9qxw4c/answer"))
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"files":["f1"],"value":{"int":3}}"#)
        let removal = try #require(HostCall.passing("removeShortcut", ["name": "../x"]))
        #expect((removal.method, removal.target) == ("DELETE", "/v1/shortcuts/..%2Fx"))
        #expect(HostCall.passing("cancel", [:]) == nil)
        #expect(HostCall.passing("unknown", [:]) == nil)
    }

    @Test func `every request that only asks and answers has a route`() {
        // These requests have calls of their own, and a session exchanges no hello.
        let others = ["hello", "perform", "watch", "files"]
        let types = [
            "hello", "list", "describe", "perform", "cancel", "watch", "question", "answer", "runs", "status",
            "history",
            "story", "logs", "prune", "import", "metrics", "reload", "upgrade", "files", "fetch", "discardFiles",
            "ticket", "redeem", "startFailed", "revoke", "addShortcut", "shortcuts", "removeShortcut",
        ]
        for type in types where !others.contains(type) {
            #expect(HostCall.passing(type, ["app": "a", "run": "b", "name": "c"]) != nil, "\(type)")
        }
    }

    @Test func `an intent, the text of a shortcut and an undo are performed at their own paths`() throws {
        let members: [String: JSONValue] = ["app": "Soup", "intent": "Order", "request": "r", "values": [:]]
        let intent = try #require(HostCall.performing(members, files: ["a"]))
        #expect(intent.target == "/v1/apps/Soup/intents/Order/runs")
        #expect(String(decoding: intent.body, as: UTF8.self) == #"{"files":["a"],"request":"r","values":{}}"#)
        #expect(intent.fields.contains(HostCall.Field(name: "Accept", value: "text/event-stream")))
        let plan = try #require(HostCall.performing(["app": "", "intent": "", "plan": "x"], files: []))
        #expect(plan.target == "/v1/runs")
        let undo = try #require(HostCall.performing(["app": "", "intent": "", "undoOf": "7k2m9qxw4c"], files: []))
        #expect(undo.target == "/v1/runs/7k2m9qxw4c/undo")
        #expect(HostCall.performing(["app": "", "intent": "Order"], files: []) == nil)
    }

    @Test func `no value of another host or of a client adds a line to a head`() {
        let call = HostCall("GET", "/v1/status", ["Accept": "a\r\nb: c"])
        let head = call.head(authorization: "x\r\ny: z", software: "s\nt: u", bodyByteCount: 0)
        #expect(
            String(decoding: head, as: UTF8.self)
                == "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: xy: z\r\nUser-Agent: st: u\r\n"
                + "Accept: ab: c\r\n\r\n"
        )
    }
}
