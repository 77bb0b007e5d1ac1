import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux

/// A raw client of the daemon's socket, for messages that the library would never send.
final class SocketClient {
    /// Keeps the daemon alive as long as this client.
    private let daemon: Daemon
    let socket: SharedFileDescriptor
    private var decoder = FrameDecoder(payloadLimit: Frame.clientPayloadLimit)
    private var lastID = 0
    private var events: [[String: Any]] = []

    /// - Parameter path: The socket; nil for the daemon's.
    init(_ daemon: Daemon, at path: String? = nil, greets: Bool = true) throws {
        self.daemon = daemon
        socket = SharedFileDescriptor(try UnixSocket.connect(.stream, to: path ?? daemon.socket))
        // A daemon that stops answering must fail the test instead of hanging it.
        var patience = timeval(tv_sec: 60 * Patience.factor, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket.rawValue, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        if greets { _ = try ask(["type": "hello", "protocolVersion": 1, "software": "a test"]) }
    }

    func send(raw bytes: [UInt8], descriptors: [SharedFileDescriptor] = []) throws {
        _ = try UnixSocket.send(bytes[...], descriptors: descriptors, on: socket.rawValue)
    }

    /// Sends a payload as a frame without checking it.
    func send(payload: String, descriptors: [SharedFileDescriptor] = []) throws {
        try send(
            raw: Frame.encode(Array(payload.utf8), limit: Frame.clientPayloadLimit),
            descriptors: descriptors
        )
    }

    /// Sends a request and returns its answer. Events received before it are kept.
    func ask(_ request: [String: Any], descriptors: [SharedFileDescriptor] = []) throws -> [String: Any] {
        lastID += 1
        var numbered = request
        numbered["id"] = lastID
        let payload = try JSONSerialization.data(withJSONObject: numbered)
        try send(payload: String(decoding: payload, as: UTF8.self), descriptors: descriptors)
        return try answer(to: lastID)
    }

    /// Waits for the answer to a request. Events received before it are kept.
    func answer(to id: Int) throws -> [String: Any] {
        while true {
            let message = try next()
            if message["id"] as? Int == id { return message }
            events.append(message)
        }
    }

    /// Starts a run, and returns its identifier.
    func perform(_ intent: String, of app: String = "Probe", _ values: [String: Any] = [:]) throws -> String {
        let answer = try ask(Self.performance(of: intent, of: app, values))
        guard let run = answer["run"] as? String else { throw NeverHappened(description: "accepted: \(answer)") }
        return run
    }

    /// The request for a run.
    static func performance(
        of intent: String,
        of app: String = "Probe",
        _ values: [String: Any] = [:]
    ) -> [String: Any] {
        ["type": "perform", "app": app, "intent": intent, "values": values, "request": newRequest]
    }

    /// 128 random bits that identify a request for a run.
    static var newRequest: String { UUID().uuidString.replacing("-", with: "").lowercased() }

    /// Waits for a run to finish, and returns its outcome.
    func outcome(of run: String) throws -> [String: Any] {
        while true {
            let event = try nextEvent()
            guard event["type"] as? String == "finished", event["run"] as? String == run else { continue }
            return event["outcome"] as? [String: Any] ?? [:]
        }
    }

    /// The number of bytes that the daemon has sent and this client has not read.
    var unreadByteCount: Int {
        var count: Int32 = 0
        return ioctl(socket.rawValue, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
    }

    /// The next event. Events kept while waiting for an answer come first.
    func nextEvent() throws -> [String: Any] {
        events.isEmpty ? try next() : events.removeFirst()
    }

    func next() throws -> [String: Any] {
        while true {
            if let payload = try decoder.next() {
                return try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any] ?? [:]
            }
            guard try receive() else { throw NeverHappened(description: "the daemon answers on this connection") }
        }
    }

    /// True when the daemon has ended the connection.
    func isAtEnd() throws -> Bool {
        do {
            while try receive() {}
        } catch let error as SystemError where error.code.isBrokenPipe {
            // The daemon closed the connection before it had read everything we sent.
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
