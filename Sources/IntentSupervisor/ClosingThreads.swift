import Glibc
package import IntentLinux
package import IntentWire
import Synchronization

/// Closes descriptors of clients and workers on threads of their own.
///
/// The owner of a FUSE file system can make close(2) hang for any time, and a socket that is closed also closes the
/// descriptors that were on their way to it. Such a call then blocks one of these threads, and not the loop with its
/// timers. The descriptors of one user or app have one thread at a time, so those that hang delay only each other.
package final class ClosingThreads: Sendable {
    /// Descriptors that are closed one after the other.
    package enum Lane: Hashable, Sendable {
        /// The descriptors that a client of this user passed.
        case user(UInt32)
        /// What workers of this app sent.
        case app(AppName)
        case others
    }

    private struct State {
        var waiting: [Lane: [Int32]] = [:]
        /// Lanes that wait for a thread, and those that have one.
        var ready: [Lane] = []
        var busy: Set<Lane> = []
        var threadCount = 0

        /// The lane of a thread that is free now.
        mutating func takeLane() -> Lane? {
            guard !ready.isEmpty else { return nil }
            let lane = ready.removeFirst()
            busy.insert(lane)
            return lane
        }

        mutating func next(in lane: Lane) -> Int32? {
            guard let descriptor = waiting[lane]?.popLast() else {
                waiting[lane] = nil
                busy.remove(lane)
                return nil
            }
            return descriptor
        }
    }

    /// The minimum and maximum number of threads. A thread takes very little memory.
    private static let threadCounts = 4...512

    private let state = Mutex(State())
    private let wakeUp: Pipe

    package init() throws(SystemError) {
        wakeUp = try Pipe()
        try wakeUp.writing.setNonblocking()
        for _ in 0..<Self.threadCounts.lowerBound { try startThread() }
    }

    /// Takes over a descriptor; returns at once.
    package func close(_ descriptor: Int32, in lane: Lane) {
        let (isReady, needsThread) = state.withLock { state in
            state.waiting[lane, default: []].append(descriptor)
            guard !state.busy.contains(lane), !state.ready.contains(lane) else { return (false, false) }
            state.ready.append(lane)
            let freeCount = state.threadCount - state.busy.count
            return (true, freeCount < state.ready.count && state.threadCount < Self.threadCounts.upperBound)
        }
        // Without another thread, the descriptor waits for one of these.
        if needsThread { try? startThread() }
        // A full pipe wakes the threads as well as one more byte would.
        if isReady { _ = try? File.write(wakeUp.writing.rawValue, [0]) }
    }

    /// Closes descriptors here, wherever their last reference is released.
    package func closer(for lane: Lane) -> SharedFileDescriptor.Closer { { [self] in close($0, in: lane) } }

    /// Closes a connection together with the descriptors that wait in it.
    func closer(forPeerOf socket: Int32) -> SharedFileDescriptor.Closer {
        closer(for: (try? UnixSocket.peer(of: socket)).map { .user($0.user) } ?? .others)
    }

    /// The number of descriptors that wait to be closed: each still counts against the limit of this process.
    package func waitingCount(in lane: Lane) -> Int {
        state.withLock { ($0.waiting[lane]?.count ?? 0) + ($0.busy.contains(lane) ? 1 : 0) }
    }

    var waitingCount: Int { state.withLock { $0.waiting.values.reduce($0.busy.count) { $0 + $1.count } } }

    private func startThread() throws(SystemError) {
        state.withLock { $0.threadCount += 1 }
        do throws(SystemError) {
            try DetachedThread.start { [weak self, reading = wakeUp.reading] in
                // One byte wakes one thread; it ends when the writing end goes with the owner.
                while let bytes = try? File.read(reading.rawValue, upTo: 1), !bytes.isEmpty { self?.closeWaiting() }
            }
        } catch {
            state.withLock { $0.threadCount -= 1 }
            throw error
        }
    }

    private func closeWaiting() {
        while let lane = state.withLock({ $0.takeLane() }) {
            while let next = state.withLock({ $0.next(in: lane) }) { FileDescriptor.closeAtOnce(next) }
        }
    }
}
