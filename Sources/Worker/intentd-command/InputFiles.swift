import CIntentWorker
import Glibc
import IntentCommands
import IntentLauncherMessages
import IntentLinux

/// The files in a run's parameters. The program opens them by path.
///
/// The sandbox does not permit opening a passed file again, so the program receives the path of a copy.
final class InputFiles {
    private struct Copy {
        var path: String
        var file: SharedFileDescriptor
        /// The inode, size and modification time of the unchanged copy, for detecting a change.
        var mark: [Int]
    }

    private let files: [SharedFileDescriptor]
    private let folder: String
    private var copies: [Int: Copy] = [:]

    /// - Parameter folder: The run folder.
    init(_ files: [SharedFileDescriptor], folder: String) {
        self.files = files
        self.folder = folder
    }

    /// Returns the passed file itself, with its offset set to the start.
    private func descriptor(of reference: FileReference) throws(ArgumentError) -> SharedFileDescriptor {
        guard files.indices.contains(reference.index) else {
            throw ArgumentError("a value refers to file \(reference.index), but the run's file count is \(files.count)")
        }
        // Reset the offset, because the client's descriptor shares it and may have moved it. Ignore a failure, because
        // a pipe has no offset.
        _ = lseek(files[reference.index].rawValue, 0, SEEK_SET)
        return files[reference.index]
    }

    /// Returns a file for the program's standard input: the passed file itself, or its copy if the program receives the
    /// path of a copy too, which has drained a pipe.
    func standardInput(of reference: FileReference) throws -> SharedFileDescriptor {
        guard let copy = copies[reference.index] else { return try descriptor(of: reference) }
        return SharedFileDescriptor(try File.open(copy.path, O_RDONLY | O_NOFOLLOW))
    }

    /// Returns the path of a file's copy. Creates the copy on the first call for the file.
    func path(of reference: FileReference) throws -> String {
        if let copy = copies[reference.index] { return copy.path }
        let file = try descriptor(of: reference)
        let folder = "\(self.folder)/input-\(reference.index + 1)"
        try syscall("mkdir", on: folder) { mkdir(folder, 0o700) }
        let path = "\(folder)/\(Self.name(of: reference))"
        let copy = try File.open(path, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        try syscall("copy_file_range", on: path) { intentd_copy(file.rawValue, copy.rawValue) }
        // Make the copy read-only unless the file is writable. A change that cannot be written back must fail instead
        // of being lost.
        if !Self.isWritable(file) { try syscall("fchmod", on: path) { fchmod(copy.rawValue, 0o400) } }
        copies[reference.index] = Copy(path: path, file: file, mark: Self.mark(of: path))
        return path
    }

    /// Writes changed copies back to files that the client passed for writing.
    func writeBack() throws(SystemError) {
        for copy in copies.values where Self.isWritable(copy.file) {
            let mark = Self.mark(of: copy.path)
            guard !mark.isEmpty, mark != copy.mark else { continue }
            let changed = try File.open(copy.path, O_RDONLY | O_NOFOLLOW)
            try syscall("lseek") { lseek(copy.file.rawValue, 0, SEEK_SET) }
            let length = try syscall("copy_file_range", on: copy.path) {
                intentd_copy(changed.rawValue, copy.file.rawValue)
            }
            try syscall("ftruncate") { ftruncate(copy.file.rawValue, off_t(length)) }
        }
    }

    private static func isWritable(_ file: SharedFileDescriptor) -> Bool {
        fcntl(file.rawValue, F_GETFL) & O_ACCMODE == O_RDWR
    }

    /// Returns the file's name as one component of a path.
    private static func name(of reference: FileReference) -> String {
        let name = reference.name.split(scalar: "/").last.map { String($0) } ?? ""
        return FileName.isPlain(name) ? name : "file"
    }

    /// Returns the inode, size and modification time of a file, or an empty array if the file does not exist.
    private static func mark(of path: String) -> [Int] {
        var status = stat()
        guard lstat(path, &status) == 0 else { return [] }
        return [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
}
