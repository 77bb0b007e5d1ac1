import Glibc
import IntentLinux
import IntentWire

/// The files of results: a folder for each run, named by the run's identifier, which contains only files.
///
/// The supervisor creates a run's folder and writes the files when the run ends. ``Pruning`` removes them with the
/// run's record, or earlier by `KeepFiles=`. Their size counts towards `MaxSize=`.
struct KeptFiles {
    private let folder: SharedFileDescriptor
    private let path: String

    init(in folder: SharedFileDescriptor) {
        self.folder = folder
        // The process may have no permission to open the folder's path.
        path = "/proc/self/fd/\(folder.rawValue)"
    }

    /// The runs' folders, sorted; empty if the folder is empty or cannot be listed. Folders with other names are
    /// ignored.
    func folders() -> [String] { ((try? File.names(in: path)) ?? []).filter { RunID($0) != nil } }

    /// The runs' folders, oldest first.
    func foldersByAge() -> [String] {
        folders().map { (folder: $0, changed: changedNanoseconds($0) ?? 0) }.sorted { $0.changed < $1.changed }.map(
            \.folder
        )
    }

    /// The time at which the last file was added to the folder, on CLOCK_REALTIME in nanoseconds; nil if the run has no
    /// folder.
    func changedNanoseconds(_ folder: String) -> Int64? {
        guard let status = try? File.status(at: "\(path)/\(folder)"), status.kind == .directory else { return nil }
        return status.modifiedNanoseconds
    }

    /// The disk usage of all files, in bytes.
    func byteCount() -> Int64 { folders().reduce(0) { $0 + byteCount(of: $1) } }

    func byteCount(of folder: String) -> Int64 {
        let files = (try? File.names(in: "\(path)/\(folder)")) ?? []
        var sizes: [UInt64: Int64] = [:]
        for file in files {
            // A file with several links is counted once.
            if let status = try? File.status(at: "\(path)/\(folder)/\(file)") {
                sizes[status.inode] = status.storedByteCount
            }
        }
        return sizes.values.reduce(0, +)
    }

    /// Removes a run's files. Files that cannot be removed now are found again later by their age.
    ///
    /// - Returns: The number of bytes removed.
    func remove(_ folder: String) -> Int64 {
        let inside = "\(path)/\(folder)"
        guard let files = try? File.names(in: inside) else { return 0 }
        let size = byteCount(of: folder)
        for file in files { unlink("\(inside)/\(file)") }
        rmdir(inside)
        return size - byteCount(of: folder)
    }
}
