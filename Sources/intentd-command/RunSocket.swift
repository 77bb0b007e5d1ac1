import Glibc
import IntentLinux

/// The socket in the folder of a run, to which the program and its children send datagrams: progress (sd_notify(3)), and the
/// questions of intent-ask(1), each with one end of a connection for the answer.
final class RunSocket {
    enum Received {
        case notification(NotifyMessage)
        /// A question. The request is nil if it cannot be read.
        case question(AskRequest?, SharedFileDescriptor)
    }

    let path: String
    let descriptor: FileDescriptor

    /// The maximum length of a path in `struct sockaddr_un`, without its NUL (unix(7)).
    private static let pathByteLimit = 107

    /// - Parameter folder: The folder of the run, which is the working directory.
    init(in folder: String) throws(SystemError) {
        let name = ".intent"
        let absolute = "\(folder)/\(name)"
        // Without a sandbox, the folder can have a long path. The relative path is valid for programs that stay in it.
        path = absolute.utf8.count <= Self.pathByteLimit ? absolute : name
        descriptor = try UnixSocket.bind(.datagram, at: path)
    }

    deinit { _ = unlink(path) }

    /// The datagrams that have arrived, at most as many as one turn of the loop reads.
    func receive() -> [Received] {
        var received: [Received] = []
        while received.count < 64 {
            // A datagram that is too long, or has too many descriptors, is skipped.
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
                // A descriptor of BARRIER=1 (sd_notify(3)) is closed here, which is what the sender waits for.
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
