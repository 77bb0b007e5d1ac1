import Foundation
import Glibc
import Testing

/// A running `intentctl mcp`, which exchanges lines of JSON with the test over pipes.
final class MCPProcess {
    /// Kept while the server runs.
    private let daemon: Daemon
    private let process = Process()
    /// A socket, because writing to a pipe of a server that has exited would end the tests by SIGPIPE.
    private let input: Int32
    private let output = Pipe()
    private var unread: [UInt8] = []
    private var lastID = 0

    /// Starts the server for a daemon.
    ///
    /// - Parameter user: The server's user; nil for the tests' own. Needs ``Daemon/admitEverybody()``.
    init(_ daemon: Daemon, _ arguments: [String] = [], as user: UInt32? = nil) throws {
        self.daemon = daemon
        let words = ["--socket", daemon.socket, "mcp"] + arguments
        if let user {
            process.executableURL = URL(filePath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--"]
                + [daemon.folder.appending("bin/intentctl").path] + words
        } else {
            process.executableURL = Programs.intentctl
            process.arguments = words
        }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw NeverHappened(description: "a pair of sockets is made")
        }
        input = ends[0]
        let end = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
        defer { close(ends[1]) }
        process.standardInput = end
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        close(input)
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var number: Int32 { process.processIdentifier }

    /// Ends the server at once, as a crash does.
    func crash() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Closes the server's input, and waits until it has exited.
    func finish() -> Int32 {
        shutdown(input, Int32(SHUT_WR))
        process.waitUntilExit()
        return process.terminationStatus
    }

    func send(line: String) throws {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw NeverHappened(description: "the server reads") }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ message: [String: Any]) throws {
        let data = try JSONSerialization.data(withJSONObject: message.merging(["jsonrpc": "2.0"]) { $1 })
        try send(line: String(decoding: data, as: UTF8.self))
    }

    /// The next message of the server; nil at the end of its output.
    func receive() throws -> [String: Any]? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(unread[..<end])
                unread.removeFirst(end + 1)
                return try JSONSerialization.jsonObject(with: line) as? [String: Any]
            }
            let descriptor = output.fileHandleForReading.fileDescriptor
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&poller, 1, 60_000 * Int32(Patience.factor)) > 0 else {
                throw NeverHappened(description: "the server sends a message")
            }
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return nil }
            unread += bytes.prefix(count)
        }
    }

    /// Performs the handshake of a revision that has one, and returns the server's answer.
    func greet(_ version: String = "2025-11-25", capabilities: [String: Any] = [:]) throws -> [String: Any] {
        lastID += 1
        let params: [String: Any] = [
            "protocolVersion": version, "capabilities": capabilities, "clientInfo": ["name": "test", "version": "1"],
        ]
        try send(["id": lastID, "method": "initialize", "params": params])
        let greeting = try answer(to: lastID)["result"] as? [String: Any] ?? [:]
        try send(["method": "notifications/initialized"])
        return greeting
    }

    /// Sends a tool call of a revision with a handshake.
    func beginPlain(_ tool: String, _ arguments: [String: Any]) throws -> Int {
        lastID += 1
        try send(["id": lastID, "method": "tools/call", "params": ["name": tool, "arguments": arguments]])
        return lastID
    }

    /// Sends a request of the revision 2026-07-28.
    func begin(_ method: String, _ params: [String: Any] = [:], capabilities: [String: Any] = [:]) throws -> Int {
        lastID += 1
        var params = params
        params["_meta"] = [
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        ]
        try send(["id": lastID, "method": method, "params": params])
        return lastID
    }

    /// The answer to a request. Messages before it are dropped.
    func answer(to id: Int) throws -> [String: Any] {
        while let message = try receive() {
            if message["id"] as? Int == id, message["method"] == nil { return message }
        }
        throw NeverHappened(description: "the server answers request \(id)")
    }

    /// The result of a request of the revision 2026-07-28.
    func request(_ method: String, _ params: [String: Any] = [:], capabilities: [String: Any] = [:]) throws
        -> [String: Any]
    {
        let answer = try answer(to: begin(method, params, capabilities: capabilities))
        return answer["result"] as? [String: Any] ?? ["error": answer["error"] ?? "nothing"]
    }

    /// The result of a tool call.
    func call(
        _ tool: String,
        _ arguments: [String: Any] = [:],
        capabilities: [String: Any] = [:],
        state: String? = nil,
        responses: [String: Any]? = nil
    ) throws -> [String: Any] {
        var params: [String: Any] = ["name": tool, "arguments": arguments]
        params["requestState"] = state
        params["inputResponses"] = responses
        return try request("tools/call", params, capabilities: capabilities)
    }
}

extension [String: Any] {
    /// The text of a tool's result.
    var resultText: String {
        (self["content"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }.joined(separator: "\n")
    }

    /// The machine-readable part of a tool's result.
    var structured: [String: Any] { self["structuredContent"] as? [String: Any] ?? [:] }
}
