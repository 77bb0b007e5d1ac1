import Glibc
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd
import Synchronization

/// Closes sockets in which an app may have left descriptors of clients' files.
///
/// When the last process closes such a socket, the kernel also closes the queued files, which can block for as long as
/// their file systems block. A child process therefore closes the socket last. A child that hangs receives no more
/// sockets, and a child without work exits. ``SocketQueue`` divides the children among the owners of the sockets.
final class SocketCloser {
    typealias Lane = SocketQueue<SharedFileDescriptor>.Lane

    private static let childLimit = 32

    private final class Child {
        let link: SharedFileDescriptor
        var source: EventSource?
        /// The owner of the socket that the child is closing; nil for an idle child.
        var lane: Lane?

        init(_ link: SharedFileDescriptor) {
            self.link = link
        }
    }

    /// The sockets that are no longer referenced but can still contain records. Any thread may add a socket.
    private final class Left: Sendable {
        private let sockets = Mutex<[(Int32, Lane)]>([])
        let counter: EventCounter

        init() throws(SystemError) { counter = try EventCounter() }

        func add(_ socket: Int32, _ lane: Lane) {
            sockets.withLock { $0.append((socket, lane)) }
            counter.signal()
        }

        func removeAll() -> [(Int32, Lane)] {
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
    private var users: LocalUsers
    private var source: EventSource?
    private var children: [Child] = []
    /// The sockets waiting for a child that can close them.
    private var queue = SocketQueue<SharedFileDescriptor>(processLimit: childLimit)

    /// - Parameter processes: The table to which each started child is added.
    init(on loop: EventLoop, children processes: ChildTable, users: LocalUsers = LocalUsers()) throws(SystemError) {
        self.loop = loop
        self.processes = processes
        self.users = users
        left = try Left()
        source = try loop.descriptor(left.counter.rawValue, .readable) { [weak self] _ in self?.closeLeft() }
    }

    /// Returns a function that closes a socket on which an owner's app may have left descriptors queued. Pass it to a
    /// ``SharedFileDescriptor``, which calls it when the last reference is released.
    ///
    /// The function shuts the socket down first, so that no process can keep using it.
    func closer(for owner: SandboxOwner?) -> SharedFileDescriptor.Closer {
        let lane = lane(of: owner)
        return { [left] socket in if !UnixSocket.closeIfEmpty(socket) { left.add(socket, lane) } }
    }

    /// Returns the reason why an owner gets no worker now, or nil.
    func refusal(of owner: SandboxOwner) -> UnmetRequirement? {
        guard !queue.hasRoom(in: lane(of: owner)) else { return nil }
        return UnmetRequirement(
            """
            too many sockets of earlier runs cannot be closed, because they contain files on file systems that do not \
            respond. Try again when the file systems respond.
            """
        )
    }

    private func lane(of owner: SandboxOwner?) -> Lane {
        if owner?.account == nil { users.update() }
        return Lane(owner: owner?.pair, payer: SandboxPayer(owner?.userName, users.subordinates))
    }

    private func closeLeft() {
        for (socket, lane) in left.removeAll() { queue.add(SharedFileDescriptor(owning: socket), in: lane) }
        closeWaiting()
    }

    private func closeWaiting() {
        handOver()
        while queue.hasNext, children.count < Self.childLimit {
            // If no child can be started, the sockets wait until another child is idle or the next socket arrives.
            guard (try? startChild()) != nil else { return }
            handOver()
        }
    }

    /// Passes waiting sockets to idle children.
    private func handOver() {
        for child in children where child.lane == nil {
            guard let (socket, lane) = queue.next() else { return }
            // Sending fails if the child was killed. The child is removed when its connection ends.
            let sent = try? UnixSocket.send([0], descriptors: [socket], on: child.link.rawValue, waiting: .never)
            if sent != nil {
                child.lane = lane
            } else {
                queue.closed(in: lane)
                queue.add(socket, in: lane)
            }
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
            if let self, let child { reported(child) }
        }
        children.append(child)
        processes.addHelper(process)
    }

    /// Handles a report that the child has closed its socket, or the end of the child.
    private func reported(_ child: Child) {
        let hasExited = (try? File.read(child.link.rawValue, upTo: 1))?.isEmpty != false
        if let lane = child.lane { queue.closed(in: lane) }
        child.lane = nil
        if hasExited { children.removeAll { $0 === child } }
        closeWaiting()
        // Removing a child without work closes its connection, so the child exits.
        if child.lane == nil { children.removeAll { $0 === child } }
    }
}
