import IntentLinux
import IntentSystemd

/// The listening sockets for local users.
///
/// Use an instance only on the loop's thread.
final class FrontListener {
    private let sockets: [SharedFileDescriptor]
    private let loop: EventLoop
    private let journal: Journal
    private let accepted: (SharedFileDescriptor) throws(SystemError) -> Void
    private var sources: [EventSource] = []
    private var timer: EventSource?
    private var hasBegun = false

    init(
        on sockets: [SharedFileDescriptor],
        of loop: EventLoop,
        journal: Journal,
        accepted: @escaping (SharedFileDescriptor) throws(SystemError) -> Void
    ) {
        self.sockets = sockets
        self.loop = loop
        self.journal = journal
        self.accepted = accepted
    }

    /// Accepts connections from now on.
    func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        resume()
    }

    /// Accepts connections after a time, unless ``begin()`` is called before.
    func begin(after time: Duration) {
        timer = LoopTimer.after(time, on: loop) { [weak self] in self?.begin() }
    }

    private func resume() {
        do throws(SystemError) {
            sources = []
            for socket in sockets {
                sources.append(try loop.descriptor(socket, .readable) { [weak self] _ in self?.accept(on: socket) })
            }
        } catch {
            pause(error)
        }
    }

    private func accept(on socket: SharedFileDescriptor) {
        do throws(SystemError) {
            guard let connection = try UnixSocket.accept(on: socket.rawValue) else { return }
            try accepted(SharedFileDescriptor(connection))
        } catch {
            pause(error)
        }
    }

    /// Accepts no connections for a second.
    private func pause(_ error: SystemError) {
        // The process probably has no free descriptors. Without a pause, the loop would retry continuously.
        sources = []
        journal.write(.error, "cannot accept a connection: \(error); trying again in 1 s")
        timer = LoopTimer.after(.seconds(1), on: loop) { [weak self] in self?.resume() }
    }
}
