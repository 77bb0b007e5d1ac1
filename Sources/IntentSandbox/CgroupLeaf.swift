import Glibc
package import IntentLinux

/// The cgroup of one worker and all that it starts.
package final class CgroupLeaf {
    package let path: String
    /// For CLONE_INTO_CGROUP of clone3(2).
    let directory: FileDescriptor
    /// `cgroup.events`: has ``PollEvents/changed`` when the leaf fills or empties.
    package let events: FileDescriptor

    init(path: String) throws(SystemError) {
        self.path = path
        directory = try File.openPath(path)
        events = try File.open("\(path)/cgroup.events")
    }

    /// Sets limits where the controllers are there: `memory.max` in bytes and `pids.max`.
    package func limit(memoryByteCount: Int64, processCount: Int) {
        // A controller that is absent has no file; the launcher says which ones hold.
        _ = try? File.put(String(memoryByteCount), at: "\(path)/memory.max")
        _ = try? File.put(String(processCount), at: "\(path)/pids.max")
    }

    /// True while a live process is in it.
    package var isPopulated: Bool {
        // Read through the descriptor that is watched: that is what makes its next change an event (poll(2)).
        // A leaf that cannot be read is gone, and nothing lives in what is gone.
        _ = lseek(events.rawValue, 0, SEEK_SET)
        let bytes = (try? File.read(events.rawValue, upTo: 256)) ?? nil
        return String(decoding: bytes ?? [], as: UTF8.self).contains("populated 1")
    }

    /// The live processes in it.
    package var processes: [Int32] {
        let text = (try? File.text(at: "\(path)/cgroup.procs")) ?? ""
        return text.split(separator: "\n").compactMap { Int32($0) }.filter { $0 > 0 }
    }

    /// SIGKILL to all in it, and to what they are just starting (`cgroup.kill`).
    package func kill() {
        do {
            try File.put("1", at: "\(path)/cgroup.kill")
        } catch {
            // Before Linux 5.14 there is no such file: what is there now is killed, and the rest at the next look.
            for process in processes { _ = Glibc.kill(process, SIGKILL) }
        }
    }

    /// SIGTERM to each process in it.
    package func terminate() {
        // One that is gone in this moment needs no signal.
        for process in processes { _ = Glibc.kill(process, SIGTERM) }
    }

    /// Removes the empty leaf, with cgroups that its processes may have made below.
    package func remove() {
        Self.remove(path, depth: 0)
    }

    private static func remove(_ path: String, depth: Int) {
        if rmdir(path) == 0 || depth > 16 { return }
        for name in (try? File.names(in: path)) ?? [] where !name.contains(".") {
            remove("\(path)/\(name)", depth: depth + 1)
        }
        // A leaf that stays is empty and harmless, and goes with its parent.
        _ = rmdir(path)
    }
}
