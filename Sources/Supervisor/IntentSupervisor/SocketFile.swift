import Glibc
import IntentLinux
import IntentSystemd

/// The file of a socket that this process has created. If another program removes the file, clients cannot connect, so
/// this process listens again at the same path.
///
/// Must be used only on the event loop's thread.
final class SocketFile {
    private let path: String
    private let folder: String
    private let loop: EventLoop
    private let journal: Journal
    private let events: SharedFileDescriptor
    private let listening: (SharedFileDescriptor) -> Void
    private var source: EventSource?
    private var retryTimer: EventSource?

    private static let retryNanoseconds: Int64 = 1_000_000_000

    /// - Parameter listening: Receives the new socket.
    init(
        _ path: String,
        on loop: EventLoop,
        journal: Journal,
        listening: @escaping (SharedFileDescriptor) -> Void
    ) throws(SystemError) {
        self.path = path
        folder = path.split(scalar: "/").dropLast().map { "/\($0)" }.joined()
        self.loop = loop
        self.journal = journal
        self.listening = listening
        events = SharedFileDescriptor(
            owning: try syscall("inotify_init1") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
        )
        try watch()
        source = try loop.descriptor(events, .readable) { [weak self] _ in self?.changed() }
    }

    static func listen(at path: String) throws(SystemError) -> SharedFileDescriptor {
        let socket = SharedFileDescriptor(try UnixSocket.listen(.stream, at: path, permissions: 0o660))
        try socket.setNonblocking()
        return socket
    }

    private func watch() throws(SystemError) {
        let mask = UInt32(IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
        let folder = folder.isEmpty ? "/" : folder
        try syscall("inotify_add_watch", on: folder) { inotify_add_watch(events.rawValue, folder, mask) }
    }

    private func changed() {
        // Only the file's absence matters, so drop the events.
        while let bytes = try? File.read(events.rawValue, upTo: 64 << 10), !bytes.isEmpty {}
        restore()
    }

    /// Listens again unless the path exists: another intentd may listen there.
    private func restore() {
        retryTimer = nil
        do throws(SystemError) {
            _ = try File.status(at: path)
            return
        } catch {
            guard error.code.isAbsence else { return retry(error) }
        }
        do throws(SystemError) {
            try File.makeFolders(folder, permissions: 0o755)
            try watch()
            listening(try Self.listen(at: path))
            journal.write(.warning, "the socket file '\(path)' had been removed; listening again")
        } catch {
            retry(error)
        }
    }

    private func retry(_ error: SystemError) {
        journal.write(.error, "cannot create the socket file '\(path)' again (\(error)); trying again in 1 s")
        let instant = ClockReading.monotonicNanoseconds() + Self.retryNanoseconds
        // Without a timer, the next change of the folder tries again.
        retryTimer = try? loop.timer(atNanoseconds: instant) { [weak self] in self?.restore() }
    }
}
