import Glibc
import IntentLinux

/// The exclusive use of a state folder by this process, until it ends.
///
/// A second intentd would adopt the runs of the first, and remove their folders.
final class StateFolderLock {
    /// The locked file. A record lock belongs to the process, so the program that a process executes for an upgrade can
    /// take it again (fcntl(2)).
    private let file: SharedFileDescriptor

    /// Creates the folder, unless it exists, and locks it.
    ///
    /// - Throws: ``InUse`` if another process has locked the folder; ``SystemError``.
    init(_ folder: String) throws {
        let path = folder.hasPrefix(utf8: "/") ? folder : "\(File.currentFolder ?? "")/\(folder)"
        try File.makeFolders(path, permissions: 0o700)
        let name = "\(path)/lock"
        file = SharedFileDescriptor(
            try File.open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, permissions: 0o600)
        )
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        let isFree = try syscall("fcntl", on: name, nilOn: EAGAIN) { fcntl(file.rawValue, F_SETLK, &lock) } != nil
        guard !isFree else { return }
        // If the holder has ended meanwhile, l_pid is 0.
        try syscall("fcntl", on: name) { fcntl(file.rawValue, F_GETLK, &lock) }
        throw InUse(folder: folder, process: lock.l_pid)
    }

    struct InUse: Error, CustomStringConvertible {
        let folder: String
        let process: Int32

        var description: String {
            let holder = process > 0 ? "the process \(process)" : "another intentd"
            return "\(holder) uses the state folder '\(folder)': stop it, or choose another --state"
        }
    }
}
