import Glibc
import IntentLinux
import IntentSystemd

/// The exclusive use of a folder by this process, until it ends.
///
/// A second intentd with the same state folder would adopt the runs of the first. With the same cache folder, its launcher
/// would remove the folders of these runs. The lock belongs to the open folder
/// (flock(2)), so it works on a file system that is read-only, and a program that this process executes takes it again.
final class FolderLock {
    private let path: String
    private let option: String
    private let permissions: UInt32
    private var folder: FileDescriptor
    private var watch: PathWatch?
    /// Why the folder that has replaced the locked one is not locked; nil if it is.
    private var problem: String?

    /// Locks the state folder, and the cache folder of a launcher that is a child process.
    static func lock(_ arguments: SupervisorArguments) throws(InUse) -> [FolderLock] {
        var locks: [FolderLock] = []
        if let folder = arguments.ownStateFolder,
            let lock = try FolderLock(folder, option: "--state", permissions: 0o700)
        {
            locks.append(lock)
        }
        // A folder that is both is locked once: a second lock would be refused because of the first.
        if case .program = arguments.launcher, let folder = arguments.cacheFolder,
            !locks.contains(where: { $0.isOf(folder) }),
            let lock = try FolderLock(folder, option: "--cache", permissions: 0o711)
        {
            locks.append(lock)
        }
        return locks
    }

    /// Creates the folder, unless it exists, and locks it.
    ///
    /// - Returns: Nil if the folder cannot be used. The history or the launcher then reports the reason, and no run begins.
    /// - Throws: ``InUse`` if another process has locked the folder.
    private init?(_ path: String, option: String, permissions: UInt32) throws(InUse) {
        self.path = path.hasPrefix(utf8: "/") ? path : "\(File.currentFolder ?? "")/\(path)"
        (self.option, self.permissions) = (option, permissions)
        guard let opened = try? Self.open(self.path, permissions) else { return nil }
        folder = opened
        try lock()
    }

    private static func open(_ path: String, _ permissions: UInt32) throws(SystemError) -> FileDescriptor {
        try File.makeFolders(path, permissions: permissions)
        return try File.open(path, O_RDONLY | O_DIRECTORY)
    }

    private func lock() throws(InUse) {
        if flock(folder.rawValue, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw InUse(folder: path, option: option, process: Self.holder(of: folder))
        }
    }

    /// Locks each folder that replaces the locked one: after a cleaner has removed it, the history and the launcher make it
    /// again.
    func keep(on loop: EventLoop, journal: Journal) {
        // Without a watch, a second intentd is refused until the folder is removed.
        watch = try? PathWatch(path, on: loop) { [weak self] in self?.renew(journal) }
    }

    private func renew(_ journal: Journal) {
        guard problem != nil || !isOf(path) else { return }
        do {
            try watch?.begin()
            folder = try Self.open(path, permissions)
            try lock()
            problem = nil
            journal.write(.warning, "the folder '\(path)' had been removed or replaced; using the new one")
        } catch {
            watch?.retry()
            guard problem != "\(error)" else { return }
            problem = "\(error)"
            journal.write(.error, "the folder '\(path)' was removed or replaced: \(error)")
        }
    }

    private func isOf(_ path: String) -> Bool {
        guard let own = try? File.status(of: folder.rawValue), let other = try? File.status(at: path) else {
            return false
        }
        return own.device == other.device && own.inode == other.inode
    }

    /// Returns the process that has locked a folder; nil if the kernel does not name it (`/proc/locks` in proc(5)).
    private static func holder(of folder: borrowing FileDescriptor) -> Int32? {
        guard let inode = try? File.status(of: folder.rawValue).inode,
            let locks = try? File.lines(at: "/proc/locks")
        else { return nil }
        for line in locks {
            // 1: FLOCK ADVISORY WRITE PROCESS MAJOR:MINOR:INODE 0 EOF
            let words = line.split(scalar: " ")
            guard words.count > 5, words[1] == "FLOCK", let number = words[5].split(scalar: ":").last else { continue }
            if UInt64(number) == inode { return Int32(words[4]) }
        }
        return nil
    }

    struct InUse: Error, CustomStringConvertible {
        let folder: String
        let option: String
        let process: Int32?

        var description: String {
            let holder = process.map { "the process \($0)" } ?? "another intentd"
            return "\(holder) uses the folder '\(folder)': stop it, or choose another \(option)"
        }
    }
}
