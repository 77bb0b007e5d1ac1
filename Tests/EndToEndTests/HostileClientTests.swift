import Foundation
import Glibc
import IntentLinux
import IntentWire
import Testing

/// Clients that want the daemon to fall, to stand still or to fill up.
@Suite(.timeLimit(.minutes(5))) struct HostileClientTests {
    @Test func `a client that is gone before its requests are answered does not end intentd`() throws {
        let daemon = try Daemon()
        let launcher = try daemon.launcher()
        for _ in 0..<4 {
            // While it stands still, it has all of them before it to answer, and nobody to answer to.
            try standingStill(daemon) {
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
    func `a client that leaves what it asked for unread, and then goes, does not end intentd`(
        _ byteCount: Int
    ) throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        let list = try JSONSerialization.data(withJSONObject: SocketClient(daemon).ask(["type": "list"]))
        for _ in 0..<4 {
            let client = try SocketClient(daemon)
            // More than the socket holds: the rest waits in the daemon, or is too much even for that.
            for id in 2..<(2 + byteCount / list.count) { try? client.send(payload: #"{"id":\#(id),"type":"list"}"#) }
            try eventually("answers pile up") { client.unreadByteCount > 100_000 }
        }
        try eventually("their connections are closed") { daemon.descriptorCount <= descriptors }
        #expect(daemon.isRunning)
        #expect(try SocketClient(daemon).ask(["type": "status"])["type"] as? String == "status")
    }

    @Test func `a client that asks for files and reads nothing is let go before it has taken all descriptors`() throws {
        let daemon = try Daemon(descriptorLimit: 2000)
        let run = try daemon.detach("Probe/MakeFiles", "--count", "16")
        #expect(try daemon.intentctl("watch", run).code == 0)
        let descriptors = try daemon.settledDescriptorCount()
        let client = try SocketClient(daemon)
        var id = 2
        try eventually("it is disconnected") {
            // The daemon takes no more from who is gone.
            guard (try? client.send(payload: #"{"id":\#(id),"type":"fetch","run":"\#(run)"}"#)) != nil else {
                return true
            }
            id += 1
            return false
        }
        #expect(daemon.descriptorCount < 1000)
        #expect(try SocketClient(daemon).ask(["type": "status"])["type"] as? String == "status")
        try eventually("its files are closed: \(daemon.descriptorCount), before \(descriptors)") {
            daemon.descriptorCount <= descriptors + 2
        }
        #expect(try daemon.intentctl("fetch", "--out", daemon.folder.url.path, run).code == 0)
    }

    @Test func `sockets that linger, given as files, keep nobody waiting`() throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        let bystander = try SocketClient(daemon)
        let peers = try (0..<8).map { _ in try LingeringSocket.Peer() }
        for peer in peers {
            let client = try SocketClient(daemon)
            var request = SocketClient.performance(of: "Measure", ["file": ["file": ["index": 0, "name": "a.txt"]]])
            request["files"] = 1
            // Gone here as soon as it is sent, so that the daemon is its last holder.
            let answer = try client.ask(request, descriptors: [LingeringSocket.connected(to: peer)])
            #expect((answer["error"] as? [String: Any])?["code"] as? String == "badParameter", "\(answer)")
            // Too early, too many, and for nothing.
            let early = try SocketClient(daemon, greets: false)
            try early.send(raw: [0], descriptors: [LingeringSocket.connected(to: peer)])
            #expect(try early.isAtEnd())
            let many = [SharedFileDescriptor](repeating: try LingeringSocket.connected(to: peer), count: 17)
            try client.send(raw: [0], descriptors: many)
            #expect(try client.isAtEnd())
            #expect(try bystander.ask(["type": "status"])["type"] as? String == "status")
        }
        try eventually("they are closed: \(daemon.descriptorCount), before \(descriptors)") {
            daemon.descriptorCount <= descriptors + 2
        }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "on").output == "on\n")
        withExtendedLifetime(peers) {}
    }

    @Test func `sockets that linger, on their way when their connection ends, keep nobody waiting`() throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        let peer = try LingeringSocket.Peer()
        let file = SharedFileDescriptor(try File.open("/dev/null"))
        try standingStill(daemon) {
            // More than there are threads to close them.
            for _ in 0..<8 {
                let client = try SocketClient(daemon, greets: false)
                // A descriptor ends what one receive takes in: the next is on its way when the first ends all.
                try client.send(raw: [0xFF, 0xFF, 0xFF, 0xFF], descriptors: [file])
                try client.send(raw: [0], descriptors: [LingeringSocket.connected(to: peer)])
            }
        }
        let client = try SocketClient(daemon, greets: false)
        try client.send(raw: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try client.next()["type"] as? String == "error")
        try eventually("all are closed: \(daemon.descriptorCount)") { daemon.descriptorCount <= descriptors }
        withExtendedLifetime(peer) {}
    }

    @Test func `descriptors that come before hello end the connection, and are closed`() throws {
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
        try eventually("all are closed") { daemon.descriptorCount <= descriptors }
    }

    @Test func `a flood of descriptors leaves none with the daemon`() throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        let file = SharedFileDescriptor(try File.open("/dev/null"))
        let sixteen = [SharedFileDescriptor](repeating: file, count: 16)
        do {
            // Whole frames that announce none.
            let client = try SocketClient(daemon)
            for id in 2..<400 { try client.send(payload: #"{"id":\#(id),"type":"dance"}"#, descriptors: sixteen) }
            #expect((try client.answer(to: 399)["error"] as? [String: Any])?["code"] as? String == "unknownRequest")
            try eventually("all are closed, though the client stays: \(daemon.descriptorCount)") {
                daemon.descriptorCount <= descriptors + 2
            }
            // One frame that never ends, each byte with as many as there may be.
            try client.send(raw: [0, 0x0F, 0, 0])
            for _ in 0..<400 { try client.send(raw: [0x20], descriptors: sixteen) }
            #expect(try SocketClient(daemon).ask(["type": "status"])["type"] as? String == "status")
            try eventually("few are kept for the frame: \(daemon.descriptorCount)") {
                daemon.descriptorCount <= descriptors + 2 + 16
            }
        }
        try eventually("all are closed") { daemon.descriptorCount <= descriptors }
        #expect(try daemon.intentctl("status").code == 0)
    }

    @Test(arguments: [
        // As they came they are under the limit; written again, each number takes nineteen bytes, each slash two.
        ("Total", #"{"numbers":[%0]}"#, "1e18,", 16_000),
        ("Choices", #"{"text":[%0]}"#, "1e18,", 16_000),
        ("Choices", #"{"text":"%"}"#, "/", 126_000),
        ("Choices", #"{"text":"%"}"#, "\u{7F}", 126_000),
        ("Choices", #"{"text":"%"}"#, "\u{2028}", 42_000),
        ("Choices", #"{"text":"%"}"#, #"\u0001"#, 21_000),
        ("Choices", #"{"text":"%"}"#, #"\uD83D\uDE00"#, 10_500),
        ("Choices", #"{"%":1}"#, "/", 126_000),
    ])
    func `values that grow when they are written again are an error at worst`(
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

    /// Does something while the daemon does nothing.
    private func standingStill(_ daemon: Daemon, _ body: () throws -> Void) throws {
        daemon.signal(SIGSTOP)
        defer { daemon.signal(SIGCONT) }
        try body()
    }
}
