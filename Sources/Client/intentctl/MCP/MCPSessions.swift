import Glibc
import IntentLinux
import IntentMCP
import Synchronization

/// Serves the sessions of one user of intentd-web: `intentctl mcp --sessions`. Each line of the input is the number of a
/// session, a space, and a message; without a message, the session ends. Each line of the output is a number and a message.
///
/// A session of revision 2026-07-28 has one request, so it is made for each request. All of them share the table of tools, and the
/// connections to intentd, one for each name that clients give themselves.
struct MCPSessions {
    /// The maximum number of sessions, and of clients with a connection of their own.
    private static let limit = 256
    private static let clientLimit = 16

    let invocation: Invocation
    let filter: ToolFilter
    let answerAfter: Duration?

    func serve() async throws {
        let input = try InputLines()
        var lines = input.lines.makeAsyncIterator()
        var sessions: [UInt64: MCPSession] = [:]
        var connections: [String: IntentConnection] = [:]
        let (roots, tables) = (try FileRoots([]), ToolTables(filter))
        while let line = await lines.next() {
            defer { input.next() }
            guard case .text(let bytes) = line, let (number, message) = Self.parts(of: bytes) else { continue }
            guard !message.isEmpty else {
                if let session = sessions.removeValue(forKey: number) { Task { await session.finish() } }
                continue
            }
            if sessions[number] == nil {
                guard sessions.count < Self.limit else {
                    Self.output(number, Self.refusal)
                    continue
                }
                let connection: IntentConnection
                do {
                    connection = try await self.connection(for: message, in: &connections)
                } catch {
                    Self.output(number, Self.refusal)
                    continue
                }
                sessions[number] = MCPSession(
                    over: connection,
                    roots: roots,
                    tables: tables,
                    answerAfter: answerAfter,
                    output: { Self.output(number, $0) }
                )
            }
            await sessions[number]?.receive(.text(message))
        }
        // intentd-web has exited. Calls that are open are cancelled, and tasks continue.
        for session in sessions.values { await session.finish() }
    }

    /// The connection for the client that a first message names, which approvals and records quote.
    private func connection(
        for message: [UInt8],
        in connections: inout [String: IntentConnection]
    ) async throws -> IntentConnection {
        let claims = ClientClaims.text(in: message)
        let key = claims.flatMap { connections.count < Self.clientLimit || connections[$0] != nil ? $0 : nil } ?? ""
        if let known = connections[key] { return known }
        let software = [invocation["software"] ?? Invocation.software, key.isEmpty ? nil : key].compactMap(\.self)
            .joined(separator: " for ")
        let path = try invocation.location.path()
        let connection = try await IntentConnection.connect(
            software: software,
            webUser: invocation["as"],
            entryPoint: .mcp,
            through: { () throws(IntentClientError) in
                do throws(SystemError) {
                    return SharedFileDescriptor(try UnixSocket.connect(.stream, to: path))
                } catch {
                    throw IntentClientError(.noDaemon, "cannot connect to '\(path)': \(error)")
                }
            }
        )
        connections[key] = connection
        return connection
    }

    private static let refusal =
        #"{"error":{"code":-32603,"message":"intentd cannot serve this request now"},"id":null,"jsonrpc":"2.0"}"#

    /// Returns the number and the message of a line; nil for a line that intentd-web would not send.
    private static func parts(of line: [UInt8]) -> (UInt64, [UInt8])? {
        let digits = line.prefix { $0 != UInt8(ascii: " ") }
        guard let number = UInt64(String(foreign: digits)) else { return nil }
        return (number, Array(line.dropFirst(digits.count + 1)))
    }

    private static let writing = Mutex(())

    private static func output(_ session: UInt64, _ message: String) {
        // A line is written as a whole. After a failure, the end of the input follows.
        writing.withLock { _ in
            try? File.write(1, Array("\(session) \(message)\n".utf8)[...])
        }
    }
}
