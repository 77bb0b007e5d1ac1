import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import Synchronization

/// Closes sockets that may contain descriptors of clients' files in their queues.
///
/// When the last process closes such a socket, the kernel also closes the queued files, which can block for as long as
/// their file systems block. A child process therefore closes the socket last. A child that hangs receives no more
/// sockets, and a child without work exits.
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

    /// The sockets that are no longer referenced but can still contain records. Any thread may add a socket.
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

    /// A function that closes a socket on which an app may have left descriptors queued. Pass it to a
    /// ``SharedFileDescriptor``, which calls it when the last reference is released.
    ///
    /// The function shuts the socket down first, so that no process can keep using it.
    let closer: SharedFileDescriptor.Closer
    private let loop: EventLoop
    private let processes: ChildTable
    private let left: Left
    private var source: EventSource?
    private var children: [Child] = []
    /// The sockets waiting for a child that can close them.
    private var waiting: [SharedFileDescriptor] = []

    /// - Parameter processes: The table to which each started child is added.
    init(on loop: EventLoop, children processes: ChildTable) throws(SystemError) {
        self.loop = loop
        self.processes = processes
        let left = try Left()
        self.left = left
        closer = { socket in if !UnixSocket.closeIfEmpty(socket) { left.add(socket) } }
        source = try loop.descriptor(left.counter.rawValue, .readable) { [weak self] _ in self?.closeLeft() }
    }

    private func closeLeft() {
        for socket in left.removeAll() { close(SharedFileDescriptor(owning: socket)) }
    }

    /// Passes the socket to a child process, which closes it.
    func close(_ socket: SharedFileDescriptor) {
        waiting.append(socket)
        if children.allSatisfy(\.isBusy), children.count < Self.childLimit {
            // If no child can be started, the socket waits until another child is idle or the next socket arrives.
            try? startChild()
        }
        handOver()
    }

    private func handOver() {
        for child in children where !child.isBusy {
            guard let next = waiting.first else { return }
            // Sending fails if the child was killed. The child is removed when its connection ends.
            let sent = try? UnixSocket.send([0], descriptors: [next], on: child.link.rawValue, waiting: .never)
            guard sent != nil else { continue }
            child.isBusy = true
            waiting.removeFirst()
        }
    }

    /// Receives and closes the next socket. Returns false once the launcher has closed the connection. Runs in the
    /// child.
    private static func closeNext() -> Bool {
        let received = try? UnixSocket.receive(from: HelperProcess.descriptor, upTo: 1, descriptorLimit: 1)
        if case .message? = received { return true }
        return false
    }

    private func startChild() throws(SystemError) {
        let ends = try UnixSocket.Pair(.sequencedPacket).shared()
        let child = Child(ends.first)
        let process = try HelperProcess.start(with: ends.second) {
            // `closeNext` closes the received socket before it returns. Only then report that the child is idle.
            while Self.closeNext(), (try? File.write(HelperProcess.descriptor, [0])) != nil {}
        }
        child.source = try loop.descriptor(ends.first, .readable) { [weak self, weak child] _ in
            guard let self, let child else { return }
            guard let report = try? File.read(child.link.rawValue, upTo: 1), !report.isEmpty else {
                children.removeAll { $0 === child }
                return
            }
            child.isBusy = false
            handOver()
            // Removing a child without work closes its connection, so the child exits.
            if !child.isBusy { children.removeAll { $0 === child } }
        }
        children.append(child)
        processes.addHelper(process)
    }
}
