import IntentClient
import IntentLauncherMessages
import IntentLinux

/// The daemon's end of a connection. It runs a script over a real socket pair, in a separate thread.
///
/// Every call blocks: a script reads a request, then sends any messages.
struct ScriptedPeer: Sendable {
    let socket: SharedFileDescriptor

    /// Runs a script against a new client connection, which ends with the script.
    static func connect(_ script: @escaping @Sendable (ScriptedPeer) throws -> Void) async throws -> IntentConnection {
        let pair = try UnixSocket.Pair(.stream)
        // The connection and the peer each own one end of the pair.
        let client = try pair.first.duplicate().release()
        let peer = ScriptedPeer(socket: SharedFileDescriptor(try pair.second.duplicate()))
        try DetachedThread.start {
            // Errors after the client has disconnected are not failures of the test.
            try? script(peer)
            UnixSocket.shutDown(peer.socket.rawValue)
        }
        return try await IntentConnection.adopt(socket: client, software: "tests")
    }

    /// Runs a script against a new client connection after the exchange of `hello`.
    static func greeted(_ script: @escaping @Sendable (ScriptedPeer) throws -> Void) async throws -> IntentConnection {
        try await connect { peer in
            try peer.greet()
            try script(peer)
        }
    }

    func greet() throws {
        let hello = try request()
        try answer(hello.id, .hello(Hello(software: "scripted")))
    }

    /// Receives the next request.
    func request() throws -> NumberedRequest {
        try requestAndFiles().0
    }

    func requestAndFiles() throws -> (NumberedRequest, [SharedFileDescriptor]) {
        var files: [SharedFileDescriptor] = []
        let header = try bytes(4, &files)
        let count = header.reduce(0) { $0 << 8 | Int($1) }
        let payload = try bytes(count, &files)
        return (try WireCoding.decode(NumberedRequest.self, from: payload), files)
    }

    func answer(_ id: UInt64, _ answer: ClientAnswer, files: [SharedFileDescriptor] = []) throws {
        try send(ClientMessage.answer(id: id, answer), files: files)
    }

    func event(_ run: RunID, _ serial: UInt64, _ event: RunEvent, files: [SharedFileDescriptor] = []) throws {
        try send(ClientMessage.event(NumberedEvent(run: run, serial: serial, event)), files: files)
    }

    func send(_ message: ClientMessage, files: [SharedFileDescriptor] = []) throws {
        try raw(Frame.encode(WireCoding.encode(message), limit: Frame.clientPayloadLimit), files: files)
    }

    func raw(_ bytes: [UInt8], files: [SharedFileDescriptor] = []) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let riding = rest.count == bytes.count ? files : []
            rest = rest.dropFirst(try UnixSocket.send(rest, descriptors: riding, on: socket.rawValue) ?? 0)
        }
    }

    /// Waits until the client has disconnected.
    func waitForTheEnd() throws {
        while case .message = try UnixSocket.receive(from: socket.rawValue, upTo: 4096, descriptorLimit: 16) {}
    }

    private func bytes(_ count: Int, _ files: inout [SharedFileDescriptor]) throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            let received = try UnixSocket.receive(from: socket.rawValue, upTo: count - all.count, descriptorLimit: 16)
            guard case .message(let bytes, let descriptors) = received else { throw Disconnected() }
            all += bytes
            files += descriptors
        }
        return all
    }

    struct Disconnected: Error {}
}
