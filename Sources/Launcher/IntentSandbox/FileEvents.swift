import Glibc
package import IntentLinux

/// Events of the files in folders (inotify(7)).
package final class FileEvents {
    /// Readable while events are pending.
    package let descriptor: SharedFileDescriptor
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 8)

    package struct Event {
        /// The number that ``watchFolder(_:)`` or ``watchFile(_:)`` returned.
        package var watch: Int32
        /// The name of the changed file in a watched folder; empty for an event of the watched file itself.
        package var name: [UInt8]
        /// True if the kernel dropped events because too many were pending. The event has no watch.
        package var isOverflow: Bool
        /// True if the watch has ended: the file was removed or its file system was unmounted.
        package var isEnd: Bool
    }

    package init() throws(SystemError) {
        descriptor = SharedFileDescriptor(
            owning: try syscall("inotify_init1") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
        )
    }

    deinit { buffer.deallocate() }

    /// Watches which files have which names in a folder.
    ///
    /// - Returns: The number of the watch. A folder that is watched already keeps its number.
    package func watchFolder(_ path: String) throws(SystemError) -> Int32 {
        try watch(path, IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR)
    }

    /// Watches the contents and the attributes of a file. Follows symbolic links.
    package func watchFile(_ path: String) throws(SystemError) -> Int32 { try watch(path, IN_MODIFY | IN_ATTRIB) }

    private func watch(_ path: String, _ events: Int32) throws(SystemError) -> Int32 {
        try syscall("inotify_add_watch", on: path) {
            inotify_add_watch(descriptor.rawValue, path, UInt32(bitPattern: events) | UInt32(IN_MASK_ADD))
        }
    }

    package func remove(_ watch: Int32) {
        // The call fails only for a watch that has ended.
        _ = inotify_rm_watch(descriptor.rawValue, watch)
    }

    /// Removes and returns the pending events, at most one buffer of them.
    package func next() -> [Event] {
        let count = read(descriptor.rawValue, buffer.baseAddress, buffer.count)
        guard count > 0 else { return [] }
        var events: [Event] = []
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
            let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let end = min(count, offset + header + Int(event.len))
            events.append(
                Event(
                    watch: event.wd,
                    // The kernel pads names with zeros.
                    name: Array(buffer[(offset + header)..<end].prefix { $0 != 0 }),
                    isOverflow: event.mask & UInt32(IN_Q_OVERFLOW) != 0,
                    isEnd: event.mask & UInt32(IN_IGNORED) != 0
                )
            )
            offset = end
        }
        return events
    }
}
