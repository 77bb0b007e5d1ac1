import Foundation
import Testing

/// Tests clients of other releases with this daemon.
@Suite struct VersionTests {
    @Test(arguments: [(0, "update the client"), (2, "update intentd")])
    func `the error for a client of another protocol version names both versions and the update`(
        version: Int,
        nextStep: String
    ) throws {
        let client = try SocketClient(Daemon(), greets: false)
        let answer = try client.ask(["type": "hello", "protocolVersion": version, "software": "kitchen 0.9"])
        let error = try #require(answer["error"] as? [String: Any])
        #expect(error["code"] as? String == "protocolViolation")
        let message = try #require(error["message"] as? String)
        for part in ["version 1", "version \(version)", nextStep] { #expect(message.contains(part), "\(message)") }
        #expect(try client.isAtEnd())
    }

    @Test func `unknown fields of a newer client are ignored in hello and at any depth of requests`() throws {
        let client = try SocketClient(Daemon(), greets: false)
        let mood: [String: Any] = ["isBright": NSNull(), "names": ["a", 1]]
        let hello = try client.ask(["type": "hello", "protocolVersion": 1, "software": "kitchen 9", "mood": mood])
        #expect(hello["type"] as? String == "hello")
        var request = SocketClient.performance(of: "Echo", ["text": "x"])
        request["mood"] = mood
        request["answers"] = ["others": "refuse", "mood": mood]
        let run = try #require(try client.ask(request)["run"] as? String)
        let outcome = try client.outcome(of: run)
        #expect(outcome["kind"] as? String == "done")
        #expect(outcome["value"] as? String == "x")
    }

    @Test func `an unknown request of a newer client is refused, and its connection remains usable`() throws {
        let client = try SocketClient(Daemon())
        let answer = try client.ask(["type": "dance", "mood": 1])
        #expect((answer["error"] as? [String: Any])?["code"] as? String == "unknownRequest")
        #expect(try client.ask(["type": "status"])["type"] as? String == "status")
    }
}
