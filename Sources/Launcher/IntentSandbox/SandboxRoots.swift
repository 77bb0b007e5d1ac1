import CIntentLaunch
import Glibc
package import IntentLinux

/// The launcher's connection to intentd-roots, a process of the sandbox that gives each run a root of its own: the
/// sandbox's mounts, with the run's folder at `/own/tmp`.
package final class SandboxRoots {
    private let socket: SharedFileDescriptor
    /// The longest time until an answer. intentd-roots runs no app code and waits for no file system.
    private static let answerMilliseconds: Int32 = 5000
    /// False once an answer is overdue, because it could be taken for the answer to a later request.
    private var isUsable = true

    init(_ socket: SharedFileDescriptor) {
        self.socket = socket
    }

    /// Makes the root of a run with its folder below `/runs`.
    package func make(_ number: UInt64, for folder: String) throws(SystemError) {
        try send(number, folder)
        var source = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        guard isUsable, poll(&source, 1, Self.answerMilliseconds) == 1,
            case .message(let bytes, _) = try UnixSocket.receive(from: socket.rawValue, upTo: 4, descriptorLimit: 0),
            bytes.count == 4
        else {
            isUsable = false
            throw SystemError("recv", on: "intentd-roots", code: Errno(rawValue: ETIMEDOUT))
        }
        let code = bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
        if code != 0 { throw SystemError("mount", on: "the root of a run", code: Errno(rawValue: code)) }
    }

    /// Removes the root of a run. Its processes have exited.
    package func remove(_ number: UInt64) {
        // Ignore a failure: the root remains until the sandbox ends.
        try? send(number, "")
    }

    private func send(_ number: UInt64, _ folder: String) throws(SystemError) {
        var request = intentd_root_request()
        request.number = number
        withUnsafeMutableBytes(of: &request.folder) { room in
            precondition(folder.utf8.count < room.count, "the name of a run folder is too long")
            room.copyBytes(from: folder.utf8)
        }
        let bytes = withUnsafeBytes(of: &request) { Array($0) }
        guard try UnixSocket.send(bytes[...], on: socket.rawValue, waiting: .never) != nil else {
            throw SystemError("sendmsg", on: "intentd-roots", code: Errno(rawValue: ENOBUFS))
        }
    }
}
