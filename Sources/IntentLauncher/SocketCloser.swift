import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import Synchronization

/// Closes sockets that may have files from clients in their queues.
///
/// The last process with such a socket open also closes those files, which can block for as long as their file system
/// does. So a child is the last one. A child that hangs receives no more sockets, and a child without work exits.
final class SocketCloser {
    private static let childLimit = 16

    private final class Child {
        let link: SharedFileDescriptor
        var source: EventSource?
        /// True until the child has closed the last socket that it received.
        var isBusy = false

        init(_ link: SharedFileDescriptor) {
            self.link = link
        }
    }

    /// Sockets that are no longer referenced but not empty. Any thread may add one.
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

    /// - Parameter processes: The table for each child that is started.
    init(on loop: EventLoop, children processes: ChildTable) throws(SystemError) {
        self.loop = loop
        self.processes = processes
        left = try Left()
        source = try loop.descriptor(left.counter.rawValue, .readable) { [weak self] _ in self?.closeLeft() }
    }

    /// Returns the closer of a socket in which an app's code can leave descriptors. It runs when the last reference to
    /// the socket is released.
    ///
    /// The closer shuts the socket down, because no process may use it by then.
    var closer: SharedFileDescriptor.Closer {
        { [left] socket in if !UnixSocket.closeIfEmpty(socket) { left.add(socket) } }
    }

    private func closeLeft() {
        for socket in left.removeAll() { close(SharedFileDescriptor(owning: socket)) }
    }

    /// Passes the socket to a child, which closes it.
    func close(_ socket: SharedFileDescriptor) {
        waiting.append(socket)
        if children.allSatisfy(\.isBusy), children.count < Self.childLimit {
            // If no process can be started, the socket waits until another child exits or the next socket arrives.
            try? startChild()
        }
        handOver()
    }

    private func handOver() {
        for child in children where !child.isBusy {
            guard let next = waiting.first else { return }
            // A child that was killed receives nothing. Its exit is handled when it is reaped.
            let sent = try? UnixSocket.send([0], descriptors: [next], on: child.link.rawValue, waiting: .never)
            guard sent != nil else { continue }
            child.isBusy = true
            waiting.removeFirst()
        }
    }

    /// In the child: receives and closes the next socket; false at the end.
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
            // The end of its link ends the child.
            if !child.isBusy { children.removeAll { $0 === child } }
        }
        children.append(child)
        processes.addHelper(process)
    }
}
