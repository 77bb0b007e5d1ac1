import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

/// Texts on which Swift's own string functions take a time that grows with the square of the length. Without the rules of
/// `IntentText`, each of these tests takes minutes.
@Suite(.ownThread, .timeLimit(.minutes(3))) struct HostileTextTests {
    /// A letter with combining marks, in an order that normalization changes.
    private static func marks(byteCount: Int) -> String {
        "a" + String(repeating: "\u{301}\u{323}", count: byteCount / 4)
    }

    @Test(arguments: [
        (false, #"{"id":1,"protocolVersion":1,"software":"x","type":"hello","MARKS":1}"#),
        (false, #"{"id":1,"protocolVersion":1,"software":"MARKS","type":"hello"}"#),
        (true, #"{"id":2,"type":"list","MARKS":1}"#), (true, #"{"id":2,"type":"MARKS"}"#),
        (true, #"{"id":2,"type":"describe","app":"MARKS"}"#),
    ])
    func `a client's frame of combining marks is refused, and delays no other client`(
        greets: Bool,
        json: String
    ) throws {
        let daemon = try Daemon()
        let other = try SocketClient(daemon)
        for byteCount in [160_000, 1_000_000] {
            let client = try SocketClient(daemon, greets: greets)
            try client.send(payload: json.replacing("MARKS", with: Self.marks(byteCount: byteCount)))
            #expect(try other.ask(["type": "status"])["type"] as? String == "status")
            let answer = try client.next()
            #expect("\(answer)".contains("more than 30 combining marks in a row"), "\(answer)")
            #expect(answer["id"] as? Int == (greets ? 2 : 1))
            // Only a client that has not greeted is disconnected.
            if greets { #expect(try client.ask(["type": "status"])["type"] as? String == "status") }
        }
        // The escaped form of a mark takes six bytes.
        let client = try SocketClient(daemon, greets: greets)
        let escaped = "a" + String(repeating: #"\u0301\u0323"#, count: 80_000)
        try client.send(payload: json.replacing("MARKS", with: escaped))
        #expect(try other.ask(["type": "status"])["type"] as? String == "status")
        #expect("\(try client.next())".contains("more than 30 combining marks in a row"))
        #expect(daemon.isRunning)
    }

    @Test(
        arguments: ["\u{301}\u{323}", #"\u0301\u0323"#],
        [
            #"{"type":"progress","progress":{"phase":"a%"}}"#, #"{"type":"a%"}"#, #"{"a%":1,"type":"started"}"#,
            #"{"type":"finished","ending":{"kind":"returned","value":"a%"},"files":[]}"#,
        ]
    )
    func `a worker's record of combining marks ends its run alone`(_ pattern: String, _ payload: String) throws {
        let daemon = try Daemon()
        let other = try SocketClient(daemon)
        let client = try SocketClient(daemon)
        let count = 100_000 / pattern.utf8.count
        let run = try client.perform("Raw", ["payload": payload, "pattern": pattern, "count": count])
        let outcome = try client.outcome(of: run)
        #expect(outcome["kind"] as? String == "violated", "\(outcome)")
        #expect("\(outcome)".contains("more than 30 combining marks in a row"), "\(outcome)")
        #expect(try other.ask(["type": "status"])["type"] as? String == "status")
    }

    /// An app may print what it likes. Its output is kept, and its client receives text that every reader accepts.
    @Test(arguments: [
        "61" + String(repeating: "CC81CCA3", count: 8000), String(repeating: "F09F87A9F09F87AA", count: 4000),
    ])
    func `output of combining marks or flags reaches the client`(hex: String) throws {
        let daemon = try Daemon()
        let other = try SocketClient(daemon)
        let client = try SocketClient(daemon)
        let run = try client.perform("PrintBytes", ["hex": hex, "count": 10])
        #expect(try client.outcome(of: run)["kind"] as? String == "done")
        #expect(try other.ask(["type": "status"])["type"] as? String == "status")
        let logs = try daemon.intentctl("logs", run)
        #expect(logs.code == 0)
        #expect(StreamSafeText.isStreamSafe(logs.output))
        #expect(logs.output.utf8.count >= hex.utf8.count / 2 * 10)
    }
}
