import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import Synchronization

/// Closes sockets that may have files of clients in their queues.
///
/// The last holder of such a socket closes these files with it, and that takes as long as their file system likes: a child
/// is that holder. One that hangs gets no more of them.
final class SocketCloser {
    private static let childLimit = 16

    private final class Child {
        let link: SharedFileDescriptor
        var source: EventSource?
        /// It has not closed what it was sent last.
        var isBusy = false

        init(_ link: SharedFileDescriptor) {
            self.link = link
        }
    }

    /// Sockets that lost their last holder and are not empty.
    private final class Left: Sendable {
        private let sockets = Mutex<[Int32]>([])
        let counter: EventCounter

        init() throws(SystemError) { counter = try EventCounter() }

        func add(_ socket: Int32) {
            sockets.withLock { $0.append(socket) }
            counter.signal()
        }

        func take() -> [Int32] {
            counter.reset()
            return sockets.withLock { sockets in
                defer { sockets = [] }
                return sockets
            }
        }
    }

    private let left: Left
    private var children: [Child] = []
    /// Sockets that wait for a child.
    private var waiting: [SharedFileDescriptor] = []

    init() throws(SystemError) { left = try Left() }

    /// The closer of a socket in which an app's code can leave descriptors. It runs when the last holder releases the socket.
    ///
    /// The socket must have no listener by then: it is shut down.
    var closer: SharedFileDescriptor.Closer {
        { [left] socket in if !UnixSocket.closeIfEmpty(socket) { left.add(socket) } }
    }

    /// Calls with each socket that is to be closed by a child.
    func watch(on loop: EventLoop, _ found: @escaping (SharedFileDescriptor) -> Void) throws(SystemError) -> EventSource
    {
        try loop.descriptor(left.counter.rawValue, .readable) { [left] _ in
            for socket in left.take() { found(SharedFileDescriptor(owning: socket)) }
        }
    }

    /// - Returns: The number of a child that was started for it.
    func close(_ socket: SharedFileDescriptor, on loop: EventLoop) -> Int32? {
        waiting.append(socket)
        var started: Int32?
        if children.allSatisfy(\.isBusy), children.count < Self.childLimit {
            // Without a number or memory to spare it waits for one of the others, or for the next socket.
            started = try? startChild(on: loop)
        }
        handOver()
        return started
    }

    private func handOver() {
        for child in children where !child.isBusy {
            guard let next = waiting.first else { return }
            // One that was ended from outside takes none, and says so by its end.
            let sent = try? UnixSocket.send([0], descriptors: [next], on: child.link.rawValue, waiting: .never)
            guard sent != nil else { continue }
            child.isBusy = true
            waiting.removeFirst()
        }
    }

    /// Called in the child; false at the end.
    private static func closeNext() -> Bool {
        let received = try? UnixSocket.receive(from: HelperProcess.descriptor, upTo: 1, descriptorLimit: 1)
        if case .message? = received { return true }
        return false
    }

    private func startChild(on loop: EventLoop) throws(SystemError) -> Int32 {
        let ends = try UnixSocket.Pair(.sequencedPacket).take()
        let child = Child(ends.first)
        let process = try HelperProcess.start(with: ends.second) {
            // What came is closed before it is said to be.
            while Self.closeNext(), (try? File.write(HelperProcess.descriptor, [0])) != nil {}
        }
        child.source = try loop.descriptor(ends.first, .readable) { [weak self, weak child] _ in
            guard let self, let child else { return }
            guard let word = try? File.read(child.link.rawValue, upTo: 1), !word.isEmpty else {
                children.removeAll { $0 === child }
                return
            }
            child.isBusy = false
            handOver()
        }
        children.append(child)
        return process
    }
}
