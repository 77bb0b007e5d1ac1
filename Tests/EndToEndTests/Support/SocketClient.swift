import Foundation
import IntentLinux
import IntentWire

/// A bare client on the daemon's socket, for what the library would never send.
final class SocketClient {
    /// Kept, so that it lives as long as its client.
    private let daemon: Daemon
    private let socket: SharedFileDescriptor
    private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
    private var lastID = 0
    private var events: [[String: Any]] = []

    init(_ daemon: Daemon, greets: Bool = true) throws {
        self.daemon = daemon
        socket = SharedFileDescriptor(try UnixSocket.connect(.stream, to: daemon.socket))
        if greets { _ = try ask(["type": "hello", "protocolVersion": 1, "software": "a test"]) }
    }

    func send(raw bytes: [UInt8]) throws {
        _ = try UnixSocket.send(bytes[...], on: socket.rawValue)
    }

    /// Sends a request and gives its answer; events that come before it are kept.
    func ask(_ request: [String: Any]) throws -> [String: Any] {
        lastID += 1
        var numbered = request
        numbered["id"] = lastID
        let payload = try JSONSerialization.data(withJSONObject: numbered)
        try send(raw: Frame.encode(Array(payload), limit: Frame.clientPayloadLimit))
        while true {
            let message = try next()
            if message["id"] as? Int == lastID { return message }
            events.append(message)
        }
    }

    /// The next event, those that came before an answer first.
    func nextEvent() throws -> [String: Any] {
        events.isEmpty ? try next() : events.removeFirst()
    }

    func next() throws -> [String: Any] {
        while true {
            if let payload = try decoder.next() {
                return try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any] ?? [:]
            }
            guard try receive() else { throw NeverHappened(description: "the connection ended") }
        }
    }

    /// True when the daemon has ended the connection.
    func isAtEnd() throws -> Bool {
        do {
            while try receive() {}
        } catch let error as SystemError where error.code.isBrokenPipe {
            // It closed with words of ours unread.
        }
        return true
    }

    private func receive() throws -> Bool {
        switch try UnixSocket.receive(from: socket.rawValue, upTo: 65536, descriptorLimit: 16) {
        case .message(let bytes, _):
            decoder.append(bytes)
            return true
        case .end, .truncated, .wouldBlock: return false
        }
    }
}
