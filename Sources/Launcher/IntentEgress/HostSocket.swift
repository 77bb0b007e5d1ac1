import CIntentEgress
import Glibc
import IntentLinux
import IntentSystemd

/// The connection to a host, with TLS if the app sends plain HTTP and a credential is added to it.
final class HostSocket {
    /// What an operation on a socket that does not block has done.
    enum Progress {
        case bytes([UInt8])
        case sent(Int)
        /// Nothing can be done before the socket is ready for these events.
        case later(PollEvents)
        case ended
        case broken
    }

    let socket: SharedFileDescriptor
    private var tls: UnsafeMutableRawPointer?

    init(_ socket: SharedFileDescriptor) { self.socket = socket }

    deinit { endTLS() }

    private func endTLS() {
        if let tls { intentd_tls_close(tls) }
        tls = nil
    }

    // MARK: TLS

    /// The rules of this process for TLS; nil if OpenSSL cannot be used.
    final class Rules {
        fileprivate let context: UnsafeMutableRawPointer

        init?() {
            guard let context = intentd_tls_context() else { return nil }
            self.context = context
        }
    }

    /// Begins TLS with a host. Returns false if that is impossible.
    func beginTLS(with name: String, by rules: Rules) -> Bool {
        tls = intentd_tls_open(rules.context, socket.rawValue, name)
        return tls != nil
    }

    enum Handshake {
        case complete
        case later(PollEvents)
        /// The certificate is not trusted, for this reason.
        case distrusted(String)
        case failed(String)
    }

    func continueHandshake() -> Handshake {
        guard let tls else { return .complete }
        switch progress(of: intentd_tls_handshake(tls)) {
        case .sent: return .complete
        case .later(let events): return .later(events)
        case .bytes, .ended, .broken:
            if let reason = intentd_tls_distrust(tls) { return .distrusted(String(foreign: reason)) }
            return .failed(String(foreign: intentd_tls_failure()))
        }
    }

    private func progress(of result: Int) -> Progress {
        switch result {
        case Int(INTENTD_TLS_ENDED): .ended
        case Int(INTENTD_TLS_WANTS_INPUT): .later(.readable)
        case Int(INTENTD_TLS_WANTS_OUTPUT): .later(.writable)
        case 1...: .sent(result)
        default: .broken
        }
    }

    // MARK: Bytes

    /// Receives at most `limit` bytes.
    func receive(_ limit: Int) -> Progress {
        var result = Progress.ended
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            if let tls, let start = buffer.baseAddress {
                result = progress(of: intentd_tls_receive(tls, start, limit))
            } else {
                let received = recv(socket.rawValue, buffer.baseAddress, limit, Int32(MSG_DONTWAIT))
                result = received > 0 ? .sent(received) : received == 0 ? .ended : Self.failure(errno, .readable)
            }
            if case .sent(let received) = result { count = received }
        }
        if case .sent = result { return .bytes(bytes) }
        return result
    }

    func send(_ bytes: [UInt8]) -> Progress {
        if let tls { return progress(of: intentd_tls_send(tls, bytes, bytes.count)) }
        let sent = Glibc.send(socket.rawValue, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        return sent >= 0 ? .sent(sent) : Self.failure(errno, .writable)
    }

    private static func failure(_ error: Int32, _ events: PollEvents) -> Progress {
        error == EAGAIN || error == EINTR ? .later(events) : .broken
    }

    /// Tells the peer that no bytes follow.
    func endSending() {
        if let tls { intentd_tls_end(tls) } else { shutdown(socket.rawValue, Int32(SHUT_WR)) }
    }

    func resetOnClose() { intentd_reset_on_close(socket.rawValue) }
}
