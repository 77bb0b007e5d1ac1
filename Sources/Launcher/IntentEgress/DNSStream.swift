import Glibc
import IntentLinux
import IntentSystemd

/// A connection for DNS over TCP, in which each message follows its length (RFC 7766).
final class DNSStream {
    private static let limitNanoseconds: Int64 = 10_000_000_000

    private let socket: SharedFileDescriptor
    private let loop: EventLoop
    private let answer: (ArraySlice<UInt8>, @escaping ([UInt8]) -> Void) -> Void
    private let begin: Int64
    private var source: EventSource?
    private var bytes: [UInt8] = []
    var ended: () -> Void = {}

    /// - Parameter answer: Passes the answer to a query, if it has one, to a function.
    init(
        _ socket: SharedFileDescriptor,
        on loop: EventLoop,
        answer: @escaping (ArraySlice<UInt8>, @escaping ([UInt8]) -> Void) -> Void
    ) {
        (self.socket, self.loop, self.answer) = (socket, loop, answer)
        begin = ClockReading.monotonicNanoseconds()
    }

    func start() {
        source = try? loop.descriptor(socket, .readable) { [weak self] _ in self?.serve() }
        if source == nil { end() }
    }

    func endIfOverdue(at now: Int64) { if now - begin > Self.limitNanoseconds { end() } }

    private func end() {
        source = nil
        ended()
    }

    private func serve() {
        var room = [UInt8](repeating: 0, count: DNSAnswer.queryLimit + 2)
        let count = recv(socket.rawValue, &room, room.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN { return }
        guard count > 0 else { return end() }
        bytes += room[..<count]
        while bytes.count >= 2 {
            let size = Int(bytes[0]) << 8 | Int(bytes[1])
            guard size <= DNSAnswer.queryLimit else { return end() }
            guard bytes.count >= size + 2 else { return }
            let query = bytes[2..<(size + 2)]
            bytes = Array(bytes[(size + 2)...])
            answer(query) { [weak self] in self?.send($0) }
        }
    }

    /// Sends an answer. A client that does not read its answers is disconnected.
    private func send(_ answer: [UInt8]) {
        let message = [UInt8(answer.count >> 8), UInt8(answer.count & 0xFF)] + answer
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        if Glibc.send(socket.rawValue, message, message.count, flags) != message.count { end() }
    }
}
