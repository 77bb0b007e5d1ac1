import Glibc
import IntentLinux
import IntentSystemd

/// Tells when the file or folder at a path may have been removed or replaced.
///
/// Must be used only on the event loop's thread.
final class PathWatch {
    private let folder: String
    private let loop: EventLoop
    private let events: SharedFileDescriptor
    private let changed: () -> Void
    private var source: EventSource?
    private var timer: EventSource?

    private static let retryNanoseconds: Int64 = 1_000_000_000

    /// - Parameter path: An absolute path.
    init(_ path: String, on loop: EventLoop, changed: @escaping () -> Void) throws(SystemError) {
        folder = "/" + path.split(scalar: "/").dropLast().joined(separator: "/")
        self.loop = loop
        self.changed = changed
        events = SharedFileDescriptor(
            owning: try syscall("inotify_init1") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
        )
        try begin()
        source = try loop.descriptor(events, .readable) { [weak self] _ in self?.drain() }
    }

    /// Watches the folder that contains the path, and makes the folder again if it was removed.
    func begin() throws(SystemError) {
        try File.makeFolders(folder, permissions: 0o755)
        let mask = UInt32(IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
        try syscall("inotify_add_watch", on: folder) { inotify_add_watch(events.rawValue, folder, mask) }
    }

    /// Tells in a second that the path may have changed. Without a timer, the next change of the folder does.
    func retry() {
        let instant = ClockReading.monotonicNanoseconds() + Self.retryNanoseconds
        timer = try? loop.timer(atNanoseconds: instant) { [weak self] in self?.changed() }
    }

    private func drain() {
        // The state of the path decides, so drop the events.
        while let bytes = try? File.read(events.rawValue, upTo: 64 << 10), !bytes.isEmpty {}
        changed()
    }
}
