import IntentLinux
import Synchronization

/// Closes descriptors that clients and workers handed over, on a thread of its own.
///
/// A descriptor of a FUSE file system can hang close(2) for as long as its owner likes: then this thread hangs,
/// and the clocks do not.
final class ClosingThread: Sendable {
    private let waiting = Mutex<[SharedFileDescriptor]>([])
    private let wakeUp: Pipe

    init() throws(SystemError) {
        let wakeUp = try Pipe()
        self.wakeUp = wakeUp
        try wakeUp.writing.setNonblocking()
        try DetachedThread.start { [weak self] in
            // Ends when the other end of the pipe goes with the owner.
            while let bytes = try? File.read(wakeUp.reading.rawValue, upTo: 64), !bytes.isEmpty {
                guard let self else { return }
                var batch = self.waiting.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                batch.removeAll()
            }
        }
    }

    /// Takes over the last references to these descriptors.
    func close(_ descriptors: consuming [SharedFileDescriptor]) {
        guard !descriptors.isEmpty else { return }
        waiting.withLock { [descriptors] in $0 += descriptors }
        // A full pipe wakes the thread as well as one more byte would.
        _ = try? File.write(wakeUp.writing.rawValue, [0])
    }
}
