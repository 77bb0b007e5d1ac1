import Glibc
import IntentLinux

/// The socket in a run folder, to which the program and its children send datagrams. A datagram contains progress
/// (sd_notify(3)), or a question from intent-ask(1) with one end of a connection for the answer.
final class RunSocket {
    enum Received {
        case notification(NotifyMessage)
        /// A question. The request is nil if it cannot be decoded.
        case question(AskRequest?, SharedFileDescriptor)
    }

    let path: String
    let descriptor: FileDescriptor

    /// The maximum length of a path in `struct sockaddr_un`, without the terminating NUL (unix(7)).
    private static let pathByteLimit = 107

    /// - Parameter folder: The run folder, which must be the working directory.
    init(in folder: String) throws(SystemError) {
        let name = ".intent"
        let absolute = "\(folder)/\(name)"
        // Use a relative path if the absolute path is too long, which can happen without a sandbox. The relative path
        // works only for programs that do not change their working directory.
        path = absolute.utf8.count <= Self.pathByteLimit ? absolute : name
        descriptor = try UnixSocket.bind(.datagram, at: path)
    }

    deinit { _ = unlink(path) }

    /// Returns at most 64 of the datagrams that have arrived, so that the loop also handles its other events.
    func receive() -> [Received] {
        var received: [Received] = []
        while received.count < 64 {
            // `truncated` is a datagram that is too long or carries too many descriptors. Skip it.
            guard
                let next = try? UnixSocket.receive(
                    from: descriptor.rawValue,
                    upTo: NotifyMessage.byteLimit,
                    descriptorLimit: 1,
                    waiting: .never
                )
            else { return received }
            switch next {
            case .wouldBlock, .end: return received
            case .truncated: continue
            case .message(let bytes, let descriptors):
                // The end of this scope closes the BARRIER=1 descriptor (sd_notify(3)), which is what the sender is
                // waiting for.
                if bytes.first == 0, let reply = descriptors.first {
                    received.append(.question(AskRequest(Array(bytes.dropFirst())), reply))
                } else {
                    received.append(.notification(NotifyMessage(bytes)))
                }
            }
        }
        return received
    }
}
