import Glibc
import IntentLauncherMessages
import IntentLinux

extension TextFigures {
    /// The places at which text enters a program, other than the frames of intentd's clients.
    static func entries(_ workbench: Workbench, _ daemon: BenchmarkDaemon) throws -> [Figure] {
        try workerRecord(workbench, daemon) + agent(workbench, daemon) + importedFile(workbench, daemon)
            + page(workbench, daemon) + fleet(workbench)
    }

    /// The result of a run, in a worker's record. The SDK makes it stream-safe.
    private static func workerRecord(_ workbench: Workbench, _ daemon: BenchmarkDaemon) throws -> [Figure] {
        let connection = try daemon.connect()
        return try compare("a worker's record", byteCount: 100_000, workbench.options) { kind in
            var request = try PreparedPerform(
                app: "Plain",
                intent: "RepeatText",
                values: ["text": .string(kind.text(byteCount: 1000)), "count": .int(100)]
            )
            let before = try processorTime(of: daemon.number)
            _ = try connection.perform(&request)
            return try processorTime(of: daemon.number) - before
        }
    }

    /// A message to `intentctl mcp`.
    private static func agent(_ workbench: Workbench, _ daemon: BenchmarkDaemon) throws -> [Figure] {
        let server = try SocketProgram(workbench.programs.intentctl, ["--socket", daemon.socket, "mcp"])
        func ask(_ field: String) throws -> Int64 {
            let line = #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\#(field)"}}"# + "\n"
            let before = try processorTime(of: server.process.number)
            try File.write(server.socket.rawValue, Array(line.utf8)[...])
            var answer: [UInt8] = []
            while answer.last != UInt8(ascii: "\n") {
                guard let part = try File.read(server.socket.rawValue, upTo: 1 << 20), !part.isEmpty else {
                    throw BenchmarkError("intentctl mcp has exited")
                }
                answer += part
            }
            return try processorTime(of: server.process.number) - before
        }
        // The server starts with the first message.
        _ = try ask("")
        return try compare("an agent's message", byteCount: 100_000, workbench.options) {
            try ask($0.text(byteCount: 100_000))
        }
    }

    /// A line of a file for `intentctl history --import`, which refuses it. The time is that of the whole program.
    private static func importedFile(_ workbench: Workbench, _ daemon: BenchmarkDaemon) throws -> [Figure] {
        try compare("an imported file", byteCount: 1_000_000, workbench.options) { kind in
            try daemon.folder.write([#"{"a":"\#(kind.text(byteCount: 1_000_000))"}"#], to: "records.jsonl")
            let before = childrenTime()
            _ = try? QuietProgram.run(
                workbench.programs.intentctl,
                ["--socket", daemon.socket, "history", "--import", "\(daemon.folder.path)/records.jsonl"]
            )
            return childrenTime() - before
        }
    }

    /// The head of a request to the server of the page, in which 32 kB are permitted.
    private static func page(_ workbench: Workbench, _ daemon: BenchmarkDaemon) throws -> [Figure] {
        let path = "\(daemon.folder.path)/web.sock"
        for folder in ["page", "page/js"] { try daemon.folder.makeFolder(folder) }
        try daemon.folder.write([""], to: "page/index.html")
        let server = try SocketProgram(
            "\(workbench.programs.folder)/intentd-web",
            ["--listen-socket", path, "--page", "\(daemon.folder.path)/page", "--", workbench.programs.intentctl]
        )
        // The server prints its address when it listens.
        _ = try File.read(server.socket.rawValue, upTo: 64 << 10)
        return try compare("a request of a page", byteCount: 20_000, workbench.options) { kind in
            let text = kind.text(byteCount: 20_000)
            let before = try processorTime(of: server.process.number)
            let socket = try UnixSocket.connect(.stream, to: path)
            let head = "GET / HTTP/1.0\r\nHost: 127.0.0.1:1\r\nCookie: \(text)\r\nX-Intentd-Key: a\r\n\r\n"
            try File.write(socket.rawValue, Array(head.utf8)[...])
            while let part = try File.read(socket.rawValue, upTo: 64 << 10), !part.isEmpty {}
            return try processorTime(of: server.process.number) - before
        }
    }

    /// A frame at the socket of a fleet's service.
    private static func fleet(_ workbench: Workbench) throws -> [Figure] {
        guard let database = try BenchmarkDatabase(workbench.programs.folder) else {
            Console.say("text: without figures of a fleet, because PostgreSQL 15 is missing, or the user postgres")
            return []
        }
        let host = try BenchmarkHost("web1", workbench.programs, database, slots: 4)
        let other = try DaemonConnection(to: host.socket)
        return try compare("a fleet's frame", byteCount: 100_000, workbench.options) { kind in
            let json = """
                {"a":{"\(kind.text(byteCount: 1000))":"\(kind.text(byteCount: 99_000))"},"id":2,"type":"list"}
                """
            let frame = try Frame.encode(Array(json.utf8), limit: Frame.clientPayloadLimit)
            let before = try processorTime(of: host.serviceNumber)
            _ = try exchange(frame, isFirst: false, host.socket, beside: other)
            return try processorTime(of: host.serviceNumber) - before
        }
    }

    /// The processor time of all reaped children, in nanoseconds (getrusage(2)).
    private static func childrenTime() -> Int64 {
        var usage = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Int64($1.tv_sec) * 1_000_000_000 + Int64($1.tv_usec) * 1000
        }
    }
}
