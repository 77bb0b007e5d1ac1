import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

/// Clients that try to crash, block or exhaust the daemon.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct HostileClientTests {
    @Test func `intentd survives clients that disconnect before their requests are answered`() throws {
        let daemon = try Daemon()
        let launcher = try daemon.launcher()
        for _ in 0..<4 {
            // When the daemon continues, all requests are pending and their clients have disconnected.
            try whileStopped(daemon) {
                for kind in ["list", "status", "runs", "dance"] {
                    let client = try SocketClient(daemon, greets: false)
                    try client.send(payload: #"{"id":1,"type":"hello","protocolVersion":1,"software":"a test"}"#)
                    for id in 2..<200 { try client.send(payload: #"{"id":\#(id),"type":"\#(kind)"}"#) }
                }
            }
            #expect(try SocketClient(daemon).ask(["type": "status"])["type"] as? String == "status")
        }
        #expect(daemon.isRunning)
        #expect(try daemon.launcher() == launcher)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
    }

    @Test(arguments: [4 << 20, 16 << 20])
    func `intentd survives clients that disconnect without reading their answers`(
        _ byteCount: Int
    ) throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        let list = try JSONSerialization.data(withJSONObject: SocketClient(daemon).ask(["type": "list"]))
        for _ in 0..<(Endurance.isWhole ? 4 : 1) {
            let client = try SocketClient(daemon)
            // More answers than the socket holds: the rest is buffered in the daemon, or exceeds even its limit.
            for id in 2..<(2 + byteCount / list.count) { try? client.send(payload: #"{"id":\#(id),"type":"list"}"#) }
            try eventually("answers pile up") { client.unreadByteCount > 100_000 }
        }
        try eventually("the connections are closed") { daemon.descriptorCount <= descriptors }
        #expect(daemon.isRunning)
        #expect(try SocketClient(daemon).ask(["type": "status"])["type"] as? String == "status")
    }

    @Test func `a client that fetches files without reading is disconnected before descriptors run out`() throws {
        let daemon = try Daemon(descriptorLimit: 2000)
        let run = try daemon.detach("Probe/MakeFiles", "--count", "16")
        #expect(try daemon.intentctl("watch", run).code == 0)
        let descriptors = try daemon.settledDescriptorCount()
        let client = try SocketClient(daemon)
        var id = 2
        try eventually("the client is disconnected") {
            // Sending fails once the daemon has closed the connection.
            guard (try? client.send(payload: #"{"id":\#(id),"type":"fetch","run":"\#(run)"}"#)) != nil else {
                return true
            }
            id += 1
            return false
        }
        #expect(daemon.descriptorCount < 1000)
        #expect(try SocketClient(daemon).ask(["type": "status"])["type"] as? String == "status")
        try eventually("the files are closed: \(daemon.descriptorCount), before \(descriptors)") {
            daemon.descriptorCount <= descriptors + 2
        }
        #expect(try daemon.intentctl("fetch", "--out", daemon.folder.url.path, run).code == 0)
    }

    @Test func `lingering sockets passed as files do not block other clients`() throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        let bystander = try SocketClient(daemon)
        let peers = try (0..<8).map { _ in try LingeringSocket.Peer() }
        for peer in peers {
            let client = try SocketClient(daemon)
            var request = SocketClient.performance(of: "Measure", ["file": ["file": ["index": 0, "name": "a.txt"]]])
            request["files"] = 1
            // The test releases the socket once it is sent, so that the daemon holds the last reference.
            let answer = try client.ask(request, descriptors: [LingeringSocket.connected(to: peer)])
            #expect((answer["error"] as? [String: Any])?["code"] as? String == "badParameter", "\(answer)")
            // Lingering sockets sent before hello, in excess, and without a request.
            let early = try SocketClient(daemon, greets: false)
            try early.send(raw: [0], descriptors: [LingeringSocket.connected(to: peer)])
            #expect(try early.isAtEnd())
            let many = [SharedFileDescriptor](repeating: try LingeringSocket.connected(to: peer), count: 17)
            try client.send(raw: [0], descriptors: many)
            #expect(try client.isAtEnd())
            #expect(try bystander.ask(["type": "status"])["type"] as? String == "status")
        }
        try eventually("the sockets are closed: \(daemon.descriptorCount), before \(descriptors)") {
            daemon.descriptorCount <= descriptors + 2
        }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
        withExtendedLifetime(peers) {}
    }

    @Test func `lingering sockets in flight when their connection ends do not block other clients`() throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        let peer = try LingeringSocket.Peer()
        let file = SharedFileDescriptor(try File.open("/dev/null"))
        try whileStopped(daemon) {
            // More sockets than there are threads that close descriptors.
            for _ in 0..<8 {
                let client = try SocketClient(daemon, greets: false)
                // One receive returns at most the data of one message with descriptors, so the second message is still
                // in flight when the first ends the connection.
                try client.send(raw: [0xFF, 0xFF, 0xFF, 0xFF], descriptors: [file])
                try client.send(raw: [0], descriptors: [LingeringSocket.connected(to: peer)])
            }
        }
        let client = try SocketClient(daemon, greets: false)
        try client.send(raw: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try client.next()["type"] as? String == "error")
        try eventually("the sockets are closed: \(daemon.descriptorCount)") { daemon.descriptorCount <= descriptors }
        withExtendedLifetime(peer) {}
    }

    @Test func `descriptors sent before hello end the connection, and are closed`() throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        let file = SharedFileDescriptor(try File.open("/dev/null"))
        let hello = Array(#"{"id":1,"type":"hello","protocolVersion":1,"software":"a test"}"#.utf8)
        for count in [1, 16, 17, 200] {
            for bytes in [[0], try Frame.encode(hello, limit: Frame.clientPayloadLimit)] {
                let client = try SocketClient(daemon, greets: false)
                try client.send(raw: bytes, descriptors: Array(repeating: file, count: count))
                let answer = try client.next()
                #expect((answer["error"] as? [String: Any])?["code"] as? String == "protocolViolation", "\(answer)")
                #expect(try client.isAtEnd())
            }
        }
        try eventually("the descriptors are closed") { daemon.descriptorCount <= descriptors }
    }

    @Test func `the daemon closes all descriptors of a flood`() throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        let file = SharedFileDescriptor(try File.open("/dev/null"))
        let sixteen = [SharedFileDescriptor](repeating: file, count: 16)
        do {
            // Complete frames that announce no descriptors.
            let client = try SocketClient(daemon)
            for id in 2..<400 { try client.send(payload: #"{"id":\#(id),"type":"dance"}"#, descriptors: sixteen) }
            #expect((try client.answer(to: 399)["error"] as? [String: Any])?["code"] as? String == "unknownRequest")
            try eventually("the descriptors are closed while the client stays: \(daemon.descriptorCount)") {
                daemon.descriptorCount <= descriptors + 2
            }
            // One unfinished frame, each byte with the maximal number of descriptors.
            try client.send(raw: [0, 0x0F, 0, 0])
            for _ in 0..<400 { try client.send(raw: [0x20], descriptors: sixteen) }
            #expect(try SocketClient(daemon).ask(["type": "status"])["type"] as? String == "status")
            try eventually("few are kept for the frame: \(daemon.descriptorCount)") {
                daemon.descriptorCount <= descriptors + 2 + 16
            }
        }
        try eventually("the descriptors are closed") { daemon.descriptorCount <= descriptors }
        #expect(try daemon.intentctl("status").code == 0)
    }

    @Test(arguments: [
        // The values are within the limit as sent. Encoded again, each number has nineteen bytes and each slash two.
        ("Total", #"{"numbers":[%0]}"#, "1e18,", 16_000),
        ("Choices", #"{"text":[%0]}"#, "1e18,", 16_000),
        ("Choices", #"{"text":"%"}"#, "/", 126_000),
        ("Choices", #"{"text":"%"}"#, "\u{7F}", 126_000),
        ("Choices", #"{"text":"%"}"#, "\u{2028}", 42_000),
        ("Choices", #"{"text":"%"}"#, #"\u0001"#, 21_000),
        ("Choices", #"{"text":"%"}"#, #"\uD83D\uDE00"#, 10_500),
        ("Choices", #"{"%":1}"#, "/", 126_000),
    ])
    func `values that grow when they are encoded again are accepted or refused with an error`(
        _ intent: String,
        _ values: String,
        _ pattern: String,
        _ count: Int
    ) throws {
        let daemon = try Daemon()
        let launcher = try daemon.launcher()
        let client = try SocketClient(daemon)
        let grown = values.replacing("%", with: String(repeating: pattern, count: count))
        try client.send(
            payload: #"{"id":2,"type":"perform","app":"Probe","intent":"\#(intent)","values":\#(grown),"#
                + #""request":"\#(SocketClient.newRequest)"}"#
        )
        let answer = try client.answer(to: 2)
        if let run = answer["run"] as? String {
            #expect(try client.outcome(of: run)["kind"] as? String == "done")
        } else {
            let error = answer["error"] as? [String: Any]
            let code = try #require(error?["code"] as? String, "\(answer)")
            #expect(["tooLarge", "badParameter", "badRequest", "unknownParameter"].contains(code))
            #expect((error?["message"] as? String)?.isEmpty == false)
            if intent == "Total" { #expect(code == "tooLarge") }
        }
        #expect(try daemon.launcher() == launcher)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
    }

    /// Performs the body while the daemon is stopped by SIGSTOP.
    private func whileStopped(_ daemon: Daemon, _ body: () throws -> Void) throws {
        daemon.signal(SIGSTOP)
        defer { daemon.signal(SIGCONT) }
        try body()
    }
}
