import Glibc
package import IntentLauncherMessages
package import IntentLinux
import Synchronization

/// Separate threads that close the descriptors of clients and workers.
///
/// The owner of a FUSE file system can make close(2) hang for any length of time. Closing a socket also closes the
/// descriptors in its queue. On these threads, such a call does not block the event loop. Only one thread at a time
/// closes an account's or an app's descriptors, so that a hanging close(2) delays only that account's or app's other
/// descriptors.
package final class ClosingThreads: Sendable {
    /// A queue of descriptors that are closed one after another.
    package enum Lane: Hashable, Sendable {
        /// Descriptors that the clients of this account passed.
        case account(Account)
        /// Descriptors that a worker of this app passed.
        case app(AppName)
        /// Descriptors from an unknown peer.
        case others
    }

    private struct State {
        var waiting: [Lane: [Int32]] = [:]
        /// The lanes waiting for a thread.
        var ready: [Lane] = []
        var busy: Set<Lane> = []
        var threadCount = 0

        /// Assigns the next lane to a free thread and returns it, or nil if no lane is waiting.
        mutating func assignLane() -> Lane? {
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

    /// The minimum and maximum number of threads. A thread uses very little memory.
    private static let threadCounts = 4...512

    private let state = Mutex(State())
    private let wakeUp: Pipe

    package init() throws(SystemError) {
        wakeUp = try Pipe()
        try wakeUp.writing.setNonblocking()
        for _ in 0..<Self.threadCounts.lowerBound { try startThread() }
    }

    /// Takes ownership of a descriptor, and returns without waiting for the close.
    package func close(_ descriptor: Int32, in lane: Lane) {
        let (isReady, needsThread) = state.withLock { state in
            state.waiting[lane, default: []].append(descriptor)
            guard !state.busy.contains(lane), !state.ready.contains(lane) else { return (false, false) }
            state.ready.append(lane)
            let freeCount = state.threadCount - state.busy.count
            return (true, freeCount < state.ready.count && state.threadCount < Self.threadCounts.upperBound)
        }
        // Ignore a failure to start a thread, because an existing thread closes the descriptor later.
        if needsThread { try? startThread() }
        // Ignore a full pipe, because the bytes in it already wake the threads.
        if isReady { _ = try? File.write(wakeUp.writing.rawValue, [0]) }
    }

    /// Returns a closure that closes descriptors on these threads, regardless of where their last reference is
    /// released.
    package func closer(for lane: Lane) -> SharedFileDescriptor.Closer { { [self] in close($0, in: lane) } }

    /// Returns the number of descriptors waiting to be closed. Each of them still counts against this process's
    /// limit.
    package func waitingCount(in lane: Lane) -> Int {
        state.withLock { ($0.waiting[lane]?.count ?? 0) + ($0.busy.contains(lane) ? 1 : 0) }
    }

    package var waitingCount: Int { state.withLock { $0.waiting.values.reduce($0.busy.count) { $0 + $1.count } } }

    private func startThread() throws(SystemError) {
        state.withLock { $0.threadCount += 1 }
        do throws(SystemError) {
            try DetachedThread.start { [weak self, reading = wakeUp.reading] in
                // Each byte wakes one thread. The loop ends when the owner closes the writing end.
                while let bytes = try? File.read(reading.rawValue, upTo: 1), !bytes.isEmpty { self?.closeWaiting() }
            }
        } catch {
            state.withLock { $0.threadCount -= 1 }
            throw error
        }
    }

    private func closeWaiting() {
        while let lane = state.withLock({ $0.assignLane() }) {
            while let next = state.withLock({ $0.next(in: lane) }) { FileDescriptor.closeAtOnce(next) }
        }
    }
}
