internal import CIntentWorker
package import IntentSharedTypes
import Synchronization

/// Reads the stacks of the threads in the calling process, for a test of a run that hangs.
package enum ThreadStacks {
    /// The maximum size of a report, in bytes.
    private static let byteLimit = 32 << 10
    /// Held while the threads are read, because the C function permits one call at a time.
    private static let reading = Mutex(())

    /// Returns the stack of a thread, or the stacks of the newest threads, at most 16, without the calling one. A signal
    /// interrupts each of them, as in a worker that has reached a limit. Returns nil if they cannot be read.
    ///
    /// - Parameter thread: The number of the thread, as gettid(2) returns it there; nil for the newest threads.
    package static func read(_ thread: Int32? = nil) -> StackReport? {
        var text = [CChar](repeating: 0, count: byteLimit)
        let length = reading.withLock { _ in intentd_copy_stacks(thread ?? 0, &text, byteLimit) }
        guard length > 0 else { return nil }
        let bytes = text.prefix(length).map { UInt8(bitPattern: $0) }
        let report = try? WireCoding.decodeFile(StackReport.self, from: bytes)
        return report?.problem == nil ? report : nil
    }

    /// The number of the calling thread.
    package static var current: Int32 { intentd_thread_number() }
}
