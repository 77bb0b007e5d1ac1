import Glibc
import IntentLauncherMessages
import IntentLinux

/// The HTTP API, compared with the protocol of clients at the same daemon, and MCP over HTTP, compared with an equal function
/// in fastmcp's HTTP server.
enum HTTPFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(
            workbench.programs,
            apps: [.plain, .crowd],
            limits: ManyRuns.limits,
            agents: ["Ask=never"]
        )
        let front = try Front(workbench.programs, daemon)
        return try api(options, daemon, front) + mcp(workbench, daemon) + streams(options, daemon, front)
    }

    // MARK: The API

    private static func api(_ options: BenchmarkOptions, _ daemon: BenchmarkDaemon, _ front: Front) throws -> [Figure] {
        let client = try daemon.connect()
        let connection = try front.connect()
        var request = try PreparedPerform.trivial(app: "Plain")
        _ = try SubmitFigures.calls(20, &request, on: client)
        _ = try calls(20, on: connection)
        var direct = Samples(), overHTTP = Samples()
        for _ in 0..<options.count(20, quick: 6) {
            direct += try SubmitFigures.calls(50, &request, on: client)
            overHTTP += try calls(50, on: connection)
        }
        let more = direct.summary.flatMap { direct in overHTTP.summary.map { $0.p50 - direct.p50 } }
        return [
            Figure("http", "perform → result over the API", .milliseconds, overHTTP)
                .beside([Comparison("submit", direct)]),
            Figure("http", "p50 more than submit's", .milliseconds, value: more, goals: [.atMost(.p50, 0.4)]),
        ]
    }

    private static func calls(_ count: Int, on connection: Connection) throws -> Samples {
        var samples = Samples(room: count)
        for _ in 0..<count {
            usleep(Pause.betweenCalls)
            let begin = ClockReading.monotonicNanoseconds()
            try connection.send(
                "POST /v1/apps/Plain/intents/Answer/runs",
                ["Prefer: wait=30", "Content-Type: application/json"],
                body: #"{"values":{"number":1}}"#
            )
            let answer = try connection.answer()
            samples.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
            let text = String(foreign: answer)
            guard text.contains(utf8: #""kind":"done""#) else { throw BenchmarkError("a run failed: \(text)") }
        }
        return samples
    }

    // MARK: MCP

    private static func mcp(_ workbench: Workbench, _ daemon: BenchmarkDaemon) throws -> [Figure] {
        let options = workbench.options
        let peer = try Peer(
            "http",
            "/usr/bin/env",
            [
                "python3", "\(options.peerFolder)/http_peer.py", daemon.socket, workbench.programs.intentctl,
                "Plain_Answer",
            ] + (options.fastmcp.map { [$0] } ?? [])
        )
        var ours = Samples(), theirs = Samples()
        for _ in 0..<options.count(20, quick: 6) {
            ours += try peer.measure("intentd 50")
            if options.fastmcp != nil { theirs += try peer.measure("fastmcp 50") }
        }
        let ratio = ours.summary.flatMap { ours in theirs.summary.map { ours.p50 / $0.p50 } }
        return [
            Figure("http", "tool call over HTTP → result", .milliseconds, ours)
                .beside(
                    peers: options.fastmcp == nil
                        ? [Comparison("fastmcp", problem: "not installed")] : [Comparison("fastmcp", theirs)]
                ),
            Figure("http", "p50 relative to fastmcp's", .ratio, value: ratio, goals: [.atMost(.p50, 1.3)]),
        ]
    }

    // MARK: Streams

    private static let runCount = 20
    private static let streamCount = 1000

    private static func streams(
        _ options: BenchmarkOptions,
        _ daemon: BenchmarkDaemon,
        _ front: Front
    ) throws -> [Figure] {
        let live = LiveRuns(on: try daemon.connect())
        let request = try PreparedPerform(app: "Crowd", intent: "Tick", values: ["seconds": .int(600)])
        try live.start(Array(repeating: request, count: runCount))
        let runs = live.identifiers.compactMap { $0 }
        let streams = try (0..<streamCount).map { index in
            let stream = try front.connect()
            try stream.send("GET /v1/runs/\(runs[index % runs.count].text)/events", ["Accept: text/event-stream"])
            return stream
        }
        // Until each stream has begun.
        var waiting = streams[...]
        while let stream = waiting.first {
            try stream.receive()
            waiting = waiting.dropFirst()
        }
        let seconds = options.count(20, quick: 6)
        func used() -> [Int64] {
            [front.number, daemon.number].map { ProcessTable.processorNanoseconds(of: $0) ?? 0 }
        }
        let (before, begin) = (used(), ClockReading.monotonicNanoseconds())
        let end = begin + Int64(seconds) * 1_000_000_000
        var received = 0
        while ClockReading.monotonicNanoseconds() < end { received += try drain(streams) }
        let duration = Double(ClockReading.monotonicNanoseconds() - begin)
        let shares = zip(before, used()).map { Double($1 - $0) / duration * 100 }
        Console.say("  \(received / seconds) bytes of events per second")
        try live.cancelAll()
        return [
            Figure(
                "http",
                "intentd-web, 1,000 streams of 20 live runs",
                .percentOfCore,
                value: shares[0],
                goals: [.atMost(.p50, 5)]
            ),
            Figure("http", "intentd meanwhile", .percentOfCore, value: shares[1]),
        ]
    }

    /// Reads what has arrived within a tenth of a second.
    private static func drain(_ streams: [Connection]) throws -> Int {
        var sources = streams.map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
        guard try syscall("poll", { poll(&sources, nfds_t(sources.count), 100) }) > 0 else { return 0 }
        var byteCount = 0
        for (source, stream) in zip(sources, streams) where source.revents != 0 { byteCount += try stream.receive() }
        return byteCount
    }
}

extension HTTPFigures {
    /// `intentd-web` on a Unix socket.
    private final class Front {
        private let program: SocketProgram
        private let path: String
        private let header: String

        init(_ programs: Programs, _ daemon: BenchmarkDaemon) throws {
            path = "\(daemon.folder.path)/web.sock"
            let header = "\(daemon.folder.path)/web.header"
            program = try SocketProgram(
                programs.intentctl,
                ["--socket", daemon.socket, "web", "--api", "--listen-socket", path, "--header-file", header]
            )
            // The server prints its address when it listens.
            _ = try File.read(program.socket.rawValue, upTo: 64 << 10)
            let file = try File.open(header)
            let line = try File.readAll(file.rawValue, limit: 4096) ?? []
            self.header = String(foreign: line.prefix { $0 != UInt8(ascii: "\n") })
        }

        var number: Int32 { program.process.number }

        func connect() throws -> Connection { Connection(try UnixSocket.connect(.stream, to: path), header) }
    }

    /// A connection that stays open.
    private final class Connection {
        private let socket: FileDescriptor
        private let header: String

        init(_ socket: consuming FileDescriptor, _ header: String) {
            self.socket = socket
            self.header = header
        }

        var rawValue: Int32 { socket.rawValue }

        func send(_ line: String, _ headers: [String], body: String = "") throws {
            let fields =
                ["Host: localhost", header] + headers + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
            let text = line + " HTTP/1.1\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n" + body
            try File.write(socket.rawValue, Array(text.utf8)[...])
        }

        /// Waits for bytes, discards them, and returns their number.
        @discardableResult
        func receive() throws -> Int {
            guard let part = try File.read(socket.rawValue, upTo: 64 << 10), !part.isEmpty else {
                throw BenchmarkError("intentd-web closed a connection")
            }
            return part.count
        }

        /// Reads a response with a length.
        func answer() throws -> [UInt8] {
            var received: [UInt8] = []
            var byteCount: Int?
            while true {
                guard let part = try File.read(socket.rawValue, upTo: 64 << 10), !part.isEmpty else {
                    throw BenchmarkError("intentd-web closed the connection")
                }
                received += part
                if byteCount == nil, let end = Self.headEnd(in: received) {
                    byteCount = end + (try Self.bodyByteCount(String(foreign: received[..<end])))
                }
                if let byteCount, received.count >= byteCount { return received }
            }
        }

        private static func headEnd(in bytes: [UInt8]) -> Int? {
            let end = Array("\r\n\r\n".utf8)
            return bytes.indices.first { bytes[$0...].starts(with: end) }.map { $0 + end.count }
        }

        private static func bodyByteCount(_ head: String) throws -> Int {
            for line in head.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix("content-length: ") {
                if let count = Int(line.dropFirst("content-length: ".count)) { return count }
            }
            throw BenchmarkError("a response has no length: \(head)")
        }
    }
}
