import Glibc
import IntentLinux
import Synchronization

/// Closes descriptors of clients and workers on threads of their own.
///
/// A descriptor of a FUSE file system can hang close(2) for as long as its owner likes, and a socket that is closed
/// drops descriptors that were on their way to it: then a thread here hangs, and the clocks do not.
final class ClosingThreads: Sendable {
    /// Several, so that one that hangs leaves others.
    private static let count = 4

    private let waiting = Mutex<[Int32]>([])
    private let wakeUp: Pipe

    init() throws(SystemError) {
        wakeUp = try Pipe()
        try wakeUp.writing.setNonblocking()
        for _ in 0..<Self.count {
            try DetachedThread.start { [weak self, reading = wakeUp.reading] in
                // One byte wakes one thread; it ends when the writing end goes with the owner.
                while let bytes = try? File.read(reading.rawValue, upTo: 1), !bytes.isEmpty { self?.closeWaiting() }
            }
        }
    }

    /// Takes over a descriptor; returns at once.
    func close(_ descriptor: Int32) {
        waiting.withLock { $0.append(descriptor) }
        // A full pipe wakes the threads as well as one more byte would.
        _ = try? File.write(wakeUp.writing.rawValue, [0])
    }

    /// For descriptors that end here wherever their last holder lets go.
    var closer: SharedFileDescriptor.Closer { { [self] in close($0) } }

    private func closeWaiting() {
        while let next = waiting.withLock({ $0.popLast() }) { FileDescriptor.closeAtOnce(next) }
    }
}
