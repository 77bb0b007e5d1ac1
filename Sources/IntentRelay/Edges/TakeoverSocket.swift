import Glibc
import IntentClient
import IntentLinux
import IntentProtocol

/// Passes a new link to the relay that has the session.
///
/// When ssh has died, a new one starts a second relay on the host. That one passes its standard input and output to the
/// first, through a socket that the greeting names, and waits until the link has ended.
enum TakeoverSocket {
    private static let byteLimit = 16 << 10

    /// Listens for links that continue a session.
    static func listen(for session: RelaySession) throws(SystemError) -> SharedFileDescriptor {
        let socket = SharedFileDescriptor(
            try UnixSocket.listen(.sequencedPacket, atAbstractName: name(of: session))
        )
        try socket.setNonblocking()
        return socket
    }

    /// Passes the descriptors to the relay of the session.
    ///
    /// - Returns: A socket that ends with the link; nil when the session has ended.
    static func passLink(
        _ hello: RelayHello,
        input: SharedFileDescriptor,
        output: SharedFileDescriptor
    ) -> SharedFileDescriptor? {
        guard let session = hello.session,
            let socket = try? UnixSocket.connect(.sequencedPacket, toAbstractName: name(of: session)),
            // Another user may listen at the name of a session that has ended.
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

    /// Waits until the other end has closed the socket.
    static func waitForEnd(of socket: SharedFileDescriptor) {
        while let received = try? UnixSocket.receive(from: socket.rawValue, upTo: 1, descriptorLimit: 0) {
            if case .end = received { return }
        }
    }

    /// Accepts a link that another relay passes; nil when none has come, or it is not for this session.
    static func acceptLink(
        on listener: SharedFileDescriptor,
        for session: RelaySession
    ) -> (hello: RelayHello, link: RelayLink)? {
        guard let accepted = try? UnixSocket.accept(on: listener.rawValue) else { return nil }
        let socket = SharedFileDescriptor(accepted)
        guard let peer = try? UnixSocket.peer(of: socket.rawValue), peer.user == geteuid() else { return nil }
        // The message follows connect(2) at once. A program of the user that does not send it delays its own session.
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
