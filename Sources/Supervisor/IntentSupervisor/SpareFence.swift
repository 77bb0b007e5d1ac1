import Glibc
import IntentLauncherMessages
import IntentLinux

/// Tells whether spares show the host as it is now.
///
/// A spare waits in a sandbox that was made earlier, and starts a run without the launcher. Until the launcher has handled
/// the events of a change, and its reports have arrived, no spare is used: the run is launched, and the launcher handles
/// the events first.
final class SpareFence {
    private let events: SharedFileDescriptor
    private let memory: SharedMemory
    private var reportCount: UInt64 = 0

    /// - Parameter descriptors: The launcher's events of files, and its memory (``SpareFenceLayout``).
    /// - Returns: Nil without them.
    init?(_ descriptors: ArraySlice<SharedFileDescriptor>) {
        guard descriptors.count == 2, let events = descriptors.first, let file = descriptors.last,
            let memory = try? SharedMemory(file, byteCount: SpareFenceLayout.byteCount)
        else { return nil }
        self.events = events
        self.memory = memory
    }

    /// Counts a report `outdated` of the launcher.
    func received() { reportCount += 1 }

    var isOpen: Bool {
        // The number of bytes of pending events (inotify(7)). Read it first: the launcher says that it is comparing before
        // it reads them.
        var pending: Int32 = 0
        guard ioctl(events.rawValue, UInt(FIONREAD), &pending) == 0, pending == 0 else { return false }
        return memory.number(at: SpareFenceLayout.isComparing) == 0
            && memory.number(at: SpareFenceLayout.reportCount) <= reportCount
    }
}
