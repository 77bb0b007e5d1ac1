import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import Synchronization

/// Closes sockets that may have clients' files in their queues.
///
/// The last holder of such a socket also closes those files, which can block for as long as their file system takes. So
/// a child is the last holder. A child that hangs receives no more sockets.
final class SocketCloser {
    private static let childLimit = 16

    private final class Child {
        let link: SharedFileDescriptor
        var source: EventSource?
        /// The child has not closed the last socket that it received.
        var isBusy = false

        init(_ link: SharedFileDescriptor) {
            self.link = link
        }
    }

    /// Sockets that lost their last holder and are not empty. Any thread may add one.
    private final class Left: Sendable {
        private let sockets = Mutex<[Int32]>([])
        let counter: EventCounter

        init() throws(SystemError) { counter = try EventCounter() }

        func add(_ socket: Int32) {
            sockets.withLock { $0.append(socket) }
            counter.signal()
        }

        func removeAll() -> [Int32] {
            counter.reset()
            return sockets.withLock { sockets in
                defer { sockets = [] }
                return sockets
            }
        }
    }

    private let loop: EventLoop
    private let processes: ChildTable
    private let left: Left
    private var source: EventSource?
    private var children: [Child] = []
    /// Sockets that wait for a child.
    private var waiting: [SharedFileDescriptor] = []

    /// - Parameter processes: The table to which each started child is added.
    init(on loop: EventLoop, children processes: ChildTable) throws(SystemError) {
        self.loop = loop
        self.processes = processes
        left = try Left()
        source = try loop.descriptor(left.counter.rawValue, .readable) { [weak self] _ in self?.closeLeft() }
    }

    /// The closer of a socket in which an app's code can leave descriptors. It runs when the last holder releases the
    /// socket.
    ///
    /// The closer shuts the socket down: no process may use it by then.
    var closer: SharedFileDescriptor.Closer {
        { [left] socket in if !UnixSocket.closeIfEmpty(socket) { left.add(socket) } }
    }

    private func closeLeft() {
        for socket in left.removeAll() { close(SharedFileDescriptor(owning: socket)) }
    }

    /// Has a child close the socket.
    func close(_ socket: SharedFileDescriptor) {
        waiting.append(socket)
        if children.allSatisfy(\.isBusy), children.count < Self.childLimit {
            // If no pid or memory is available, the socket waits for another child's exit, or for the next socket.
            try? startChild()
        }
        handOver()
    }

    private func handOver() {
        for child in children where !child.isBusy {
            guard let next = waiting.first else { return }
            // A child that was killed receives nothing. Its exit is handled where it is reaped.
            let sent = try? UnixSocket.send([0], descriptors: [next], on: child.link.rawValue, waiting: .never)
            guard sent != nil else { continue }
            child.isBusy = true
            waiting.removeFirst()
        }
    }

    /// Receives and closes the next socket, in the child; false at the end.
    private static func closeNext() -> Bool {
        let received = try? UnixSocket.receive(from: HelperProcess.descriptor, upTo: 1, descriptorLimit: 1)
        if case .message? = received { return true }
        return false
    }

    private func startChild() throws(SystemError) {
        let ends = try UnixSocket.Pair(.sequencedPacket).shared()
        let child = Child(ends.first)
        let process = try HelperProcess.start(with: ends.second) {
            // The received socket is closed before the report of it.
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
        processes.addHelper(process)
    }
}
