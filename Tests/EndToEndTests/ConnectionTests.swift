import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

/// Ends, admission and scheduling of connections.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct ConnectionTests {
    private static let hello = #"{"id":1,"type":"hello","protocolVersion":1,"software":"a test"}"#

    // MARK: The beginning

    @Test(.enabled(if: Daemon.canBecomeOthers, "only root can become a user with a limit of its own"))
    func `intentctl without a free process id for its threads says so, and its exit code asks to try again`() throws {
        let daemon = try Daemon()
        try daemon.admitEverybody()
        let user = 1_999_114
        func list(processes limit: Int) throws -> Command {
            let program = daemon.folder.appending("bin/intentctl").path
            return try Command(
                URL(fileURLWithPath: "/usr/bin/setpriv"),
                [
                    "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--", "/usr/bin/prlimit",
                    "--nproc=\(limit):\(limit)", "--", program, "--socket", daemon.socket, "list",
                ]
            )
        }
        for limit in 1...4 {
            let command = try list(processes: limit)
            #expect(command.exitCode() == 75, "\(limit): \(command.errors)")
            #expect(command.errors.contains("no process id is free"), "\(limit): \(command.errors)")
            #expect(command.errors.contains("ulimit -u"), "\(limit): \(command.errors)")
        }
        let unlimited = try list(processes: 100)
        #expect(unlimited.exitCode() == 0, "\(unlimited.errors)")
    }

    // MARK: The end

    @Test(arguments: [
        "half a frame", "a whole frame", "files", "perform", "an answer", "in a queue", "with hello", "a pipe too",
    ])
    func `a connection ends when its client exits, even if the client has passed its own socket`(_ way: String) throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        for _ in 0..<8 {
            let client = try SocketClient(daemon, greets: way != "with hello")
            let own = client.socket
            switch way {
            case "half a frame": try client.send(raw: [0], descriptors: [own])
            case "a whole frame": try client.send(payload: #"{"id":2,"type":"dance"}"#, descriptors: [own])
            case "files": try client.send(payload: #"{"id":2,"type":"files","files":1}"#, descriptors: [own])
            case "perform":
                try client.send(
                    payload: #"{"id":2,"type":"perform","app":"Probe","intent":"Measure","files":1,"#
                        + #""values":{"file":{"file":{"index":0,"name":"x"}}},"request":"\#(SocketClient.newRequest)"}"#,
                    descriptors: [own]
                )
            case "an answer":
                try client.send(
                    payload: #"{"id":2,"type":"answer","run":"7k2m9qxw4c","value":1,"files":1}"#,
                    descriptors: [own]
                )
            case "in a queue":
                // The socket is in flight in another socket, which is itself in flight.
                let pair = try UnixSocket.Pair(.stream).shared()
                _ = try UnixSocket.send([0], descriptors: [own], on: pair.first.rawValue)
                try client.send(raw: [0], descriptors: [pair.second])
            case "with hello":
                try client.send(payload: Self.hello)
                try client.send(raw: [0], descriptors: [own])
            default:
                let pipe = try IntentLinux.Pipe()
                try client.send(raw: [0], descriptors: [pipe.reading, own, pipe.reading])
            }
        }
        try eventually("every connection is closed: \(daemon.descriptorCount), before \(descriptors)") {
            daemon.descriptorCount <= descriptors
        }
    }

    @Test func `a connection ends even if its client passes its own socket and reads no answers`() throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        for _ in 0..<2 {
            let client = try SocketClient(daemon)
            // Until both directions are full: the daemon reads no requests while a client reads no answers.
            let frame = try Frame.encode(Array(#"{"id":2,"type":"list"}"#.utf8), limit: 100)
            try eventually(within: .seconds(60), "the daemon reads no more") {
                while try UnixSocket.send(frame[...], on: client.socket.rawValue, waiting: .never) != nil {}
                return client.unreadByteCount > 100_000
            }
            // The socket has space again after the daemon has read one more request.
            try eventually("the socket is passed") {
                _ = try client.next()
                return try UnixSocket.send(
                    [0],
                    descriptors: [client.socket],
                    on: client.socket.rawValue,
                    waiting: .never
                ) != nil
            }
        }
        try eventually(within: .seconds(90), "each connection is closed: \(daemon.descriptorCount) > \(descriptors)") {
            daemon.descriptorCount <= descriptors
        }
    }

    @Test func `a connection with an unfinished message is closed with an error`() throws {
        let daemon = try Daemon()
        let descriptors = try daemon.settledDescriptorCount()
        // All connections wait for their deadlines at the same time.
        let waiting = try [
            ("nothing", "no hello within 10 s"), ("half a hello", "within 10 s"),
            ("half a frame", "a frame was incomplete after 10 s"), ("descriptors", "a frame was incomplete after 10 s"),
            ("files", "no perform request for the passed files within 30 s"),
            ("half a frame, byte by byte", "a frame was incomplete after 10 s"),
        ]
        .map { (way: $0, message: $1, client: try connect(to: daemon, leaving: $0)) }
        for (way, message, client) in waiting {
            let error = try client.next()["error"] as? [String: Any]
            #expect(error?["code"] as? String == "protocolViolation", "\(way)")
            #expect((error?["message"] as? String)?.contains(message) == true, "\(way): \(error ?? [:])")
            #expect(try client.isAtEnd(), "\(way)")
        }
        try eventually("the connections are closed") { daemon.descriptorCount <= descriptors }
    }

    /// Connects to a daemon, and leaves a message unfinished.
    private func connect(to daemon: Daemon, leaving way: String) throws -> SocketClient {
        let client = try SocketClient(daemon, greets: !["nothing", "half a hello"].contains(way))
        let file = SharedFileDescriptor(try File.open("/etc/passwd"))
        let frame = try Frame.encode(Array(#"{"id":2,"type":"status"}"#.utf8), limit: 100)
        switch way {
        case "nothing": break
        case "half a hello", "half a frame": try client.send(raw: Array(frame.prefix(9)))
        case "descriptors": try client.send(raw: [0], descriptors: [file])
        case "files":
            let taken = try client.ask(["type": "files", "files": 1], descriptors: [file])
            #expect(taken["type"] as? String == "filesReceived", "\(taken)")
        default:
            // Neither earlier frames nor single bytes extend the deadline.
            try client.send(payload: #"{"id":2,"type":"status"}"#)
            _ = try client.answer(to: 2)
            for byte in frame.dropLast() {
                guard (try? client.send(raw: [byte])) != nil else { break }
                sleep(1)
            }
        }
        return client
    }

    @Test func `an idle connection stays open`() throws {
        let daemon = try Daemon()
        let client = try SocketClient(daemon)
        let other = try SocketClient(daemon, greets: false)
        // When the other connection has reached its deadline, any deadline of this one would have passed, too.
        _ = try other.next()
        #expect(try other.isAtEnd())
        #expect(try client.ask(["type": "status"])["type"] as? String == "status")
    }

    // MARK: Hello

    @Test func `a request with descriptors may follow hello immediately`() throws {
        let daemon = try Daemon()
        let file = SharedFileDescriptor(try File.open("/etc/passwd"))
        for _ in 0..<200 {
            let client = try SocketClient(daemon, greets: false)
            try client.send(payload: Self.hello)
            try client.send(payload: #"{"id":2,"type":"files","files":1}"#, descriptors: [file])
            let answer = try client.answer(to: 2)
            #expect(answer["type"] as? String == "filesReceived", "\(answer)")
        }
    }

    // MARK: Admission

    /// Opens connections until one is refused, prints how many were accepted, and keeps them open.
    private static let occupant = """
        import json, signal, socket, struct, sys
        kept = []
        hello = json.dumps({"id": 1, "type": "hello", "protocolVersion": 1, "software": "a test"}).encode()
        while True:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(sys.argv[1])
            try:
                connection.sendall(struct.pack(">I", len(hello)) + hello)
            except BrokenPipeError:
                pass
            if b'"type":"hello"' not in connection.recv(4096):
                break
            kept.append(connection)
        print(len(kept), flush=True)
        signal.pause()
        """

    @Test(.enabled(if: Daemon.canBecomeOthers, "needs root to act as several users"))
    func `users who open as many connections as possible leave one for each other user, and some for operators`() throws
    {
        let daemon = try Daemon()
        try daemon.admitEverybody()
        var occupants: [Command] = []
        var counts: [Int] = []
        for user in 1001...1012 {
            let occupant = try Command(
                URL(fileURLWithPath: "/usr/bin/setpriv"),
                [
                    "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--", "/usr/bin/python3", "-c",
                    Self.occupant,
                    daemon.socket,
                ]
            )
            occupants.append(occupant)
            try eventually("user \(user) has its connections; \(occupant.errors)") { occupant.output.hasSuffix("\n") }
            counts.append(Int(occupant.output.dropLast()) ?? -1)
        }
        #expect(counts == [256, 128, 64, 32, 16, 8, 4, 2, 1, 1, 1, 1])
        // A user without connections is admitted, and so is the operator, who already has some.
        #expect(try daemon.intentctl(as: 1013, "status").code == 0)
        let first = try SocketClient(daemon)
        #expect(try daemon.intentctl("status").code == 0)
        let refused = try daemon.intentctl(as: 1001, "status")
        #expect(refused.code != 0)
        #expect(
            refused.errors.contains("the remaining connections are reserved for other users"),
            "\(refused.errors)"
        )
        withExtendedLifetime((occupants, first)) {}
    }

    // MARK: Fairness

    @Test func `a client with one request does not wait for all requests of another client`() throws {
        let daemon = try Daemon()
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "warm").code == 0)
        let many = try SocketClient(daemon)
        let one = try SocketClient(daemon)
        let count = 1500
        daemon.signal(SIGSTOP)
        // The signal reaches one thread, which stops the others.
        try eventually("all threads are stopped") {
            let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.number)/task")
            return tasks.allSatisfy { task in
                let path = "/proc/\(daemon.number)/task/\(task)/stat"
                return (try? String(contentsOfFile: path, encoding: .utf8))?.contains(") T ") == true
            }
        }
        let frames = try (2..<(2 + count)).flatMap { id in
            try Frame.encode(Array(#"{"id":\#(id),"type":"status"}"#.utf8), limit: 100)
        }
        // All requests are pending when the daemon continues, with the other client's request last.
        try many.send(raw: frames)
        let request = SocketClient.performance(of: "Slow", ["seconds": 60])
        var numbered = request
        numbered["id"] = 2
        let payload = try JSONSerialization.data(withJSONObject: numbered)
        try one.send(payload: String(decoding: payload, as: UTF8.self))
        daemon.signal(SIGCONT)
        // Counts the requests that were answered before the other client's run was accepted.
        var before = 0
        for id in 2..<(2 + count) {
            let answer = try many.answer(to: id)
            let status = try #require(answer["status"] as? [String: Any], "\(answer)")
            if status["runningCount"] as? Int == 0, status["queuedCount"] as? Int == 0 { before += 1 }
        }
        #expect(before < 10)
        let accepted = try one.answer(to: 2)
        #expect(accepted["type"] as? String == "accepted", "\(accepted)")
    }

    // MARK: Memory

    @Test func `answers to clients that do not read use bounded memory, which is released later`() throws {
        let daemon = try Daemon()
        let list = try JSONSerialization.data(withJSONObject: SocketClient(daemon).ask(["type": "list"]))
        _ = try daemon.settledDescriptorCount()
        let before = try daemon.residentKilobytes()
        var most = 0
        do {
            var clients: [SocketClient] = []
            for _ in 0..<48 {
                let client = try SocketClient(daemon)
                let frame = try Frame.encode(Array(#"{"id":2,"type":"list"}"#.utf8), limit: 100)
                // As many answers as may be pending for a client that does not read.
                for _ in 0..<((7 << 20) / list.count) {
                    guard try UnixSocket.send(frame[...], on: client.socket.rawValue, waiting: .never) != nil else {
                        break
                    }
                }
                clients.append(client)
            }
            try eventually("answers pile up") { clients.allSatisfy { $0.unreadByteCount > 1000 } }
            #expect(try SocketClient(daemon).ask(["type": "status"])["type"] as? String == "status")
            most = try daemon.residentKilobytes()
        }
        #expect(most < before + 100_000, "\(before) kB before, \(most) kB with them")
        try eventually("the memory is released: \(before) kB before, \(most) kB with the clients") {
            _ = try SocketClient(daemon).ask(["type": "status"])
            return try daemon.residentKilobytes() < before + 32_000
        }
    }
}
