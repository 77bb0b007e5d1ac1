import IntentLinux
import IntentSystemd

/// The file of a socket that this process has created. If another program removes the file, clients cannot connect, so
/// this process listens again at the same path.
///
/// Must be used only on the event loop's thread.
final class SocketFile {
    private let path: String
    private let journal: Journal
    private let listening: (SharedFileDescriptor) -> Void
    private var watch: PathWatch?

    /// - Parameter listening: Receives the new socket.
    init(
        _ path: String,
        on loop: EventLoop,
        journal: Journal,
        listening: @escaping (SharedFileDescriptor) -> Void
    ) throws(SystemError) {
        self.path = path
        self.journal = journal
        self.listening = listening
        watch = try PathWatch(path, on: loop) { [weak self] in self?.restore() }
    }

    static func listen(at path: String) throws(SystemError) -> SharedFileDescriptor {
        let socket = SharedFileDescriptor(try UnixSocket.listen(.stream, at: path, permissions: 0o660))
        try socket.setNonblocking()
        return socket
    }

    /// Listens again unless the path exists: another intentd may listen there.
    private func restore() {
        do throws(SystemError) {
            _ = try File.status(at: path)
            return
        } catch {
            guard error.code.isAbsence else { return retry(error) }
        }
        do throws(SystemError) {
            try watch?.begin()
            listening(try Self.listen(at: path))
            journal.write(.warning, "the socket file '\(path)' had been removed; listening again")
        } catch {
            retry(error)
        }
    }

    private func retry(_ error: SystemError) {
        journal.write(.error, "cannot create the socket file '\(path)' again (\(error)); trying again in 1 s")
        watch?.retry()
    }
}
