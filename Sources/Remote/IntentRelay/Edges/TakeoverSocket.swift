import Glibc
import IntentClient
import IntentLinux
import IntentProtocol

/// Passes a new link to the relay that owns the session.
///
/// After ssh has exited, the next ssh starts a second relay on the host. The second relay finds the first relay by the
/// session's name in the hello message, passes its standard input and output, and waits until the link is closed.
enum TakeoverSocket {
    private static let byteLimit = 16 << 10

    /// Opens the socket on which this relay receives links that continue its session.
    static func listen(for session: RelaySession) throws(SystemError) -> SharedFileDescriptor {
        let socket = SharedFileDescriptor(
            try UnixSocket.listen(.sequencedPacket, atAbstractName: name(of: session))
        )
        try socket.setNonblocking()
        return socket
    }

    /// Passes the descriptors of a link to the relay that owns the session.
    ///
    /// - Returns: A socket that the other relay closes when the link ends; nil if the session no longer exists.
    static func passLink(
        _ hello: RelayHello,
        input: SharedFileDescriptor,
        output: SharedFileDescriptor
    ) -> SharedFileDescriptor? {
        guard let session = hello.session,
            let socket = try? UnixSocket.connect(.sequencedPacket, toAbstractName: name(of: session)),
            // Check the user: after a session has ended, another user's process can listen on its name.
            let peer = try? UnixSocket.peer(of: socket.rawValue), peer.user == geteuid()
        else { return nil }
        let shared = SharedFileDescriptor(socket)
        let words = WireCoding.encode(hello)
        guard
            (try? UnixSocket.send(words[...], descriptors: [input, output], on: shared.rawValue, waiting: .never))
                != nil
        else { return nil }
        return shared
    }

    /// Waits until the other relay has closed the socket.
    static func waitForEnd(of socket: SharedFileDescriptor) {
        while let received = try? UnixSocket.receive(from: socket.rawValue, upTo: 1, descriptorLimit: 0) {
            if case .end = received { return }
        }
    }

    /// Accepts a link from another relay. Returns nil if no relay has connected, or if the relay does not send the
    /// session's secret.
    static func acceptLink(
        on listener: SharedFileDescriptor,
        for session: RelaySession
    ) -> (hello: RelayHello, link: RelayLink)? {
        guard let accepted = try? UnixSocket.accept(on: listener.rawValue) else { return nil }
        let socket = SharedFileDescriptor(accepted)
        guard let peer = try? UnixSocket.peer(of: socket.rawValue), peer.user == geteuid() else { return nil }
        // A relay sends its message immediately after connect(2), so this wait is short. Only one of the user's own
        // programs could delay the session by sending no message.
        var ready = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 1000) == 1,
            case .message(let bytes, let descriptors)? = try? UnixSocket.receive(
                from: socket.rawValue,
                upTo: byteLimit,
                descriptorLimit: 2
            ), descriptors.count == 2, let hello = try? WireCoding.decode(RelayHello.self, from: bytes),
            hello.session == session,
            let link = try? RelayLink(
                input: descriptors[0],
                output: descriptors[1],
                holder: socket,
                isBegun: true,
                at: RelayEnd.now
            )
        else { return nil }
        return (hello, link)
    }

    private static func name(of session: RelaySession) -> String { "intentd-relay/\(session.name)" }
}
