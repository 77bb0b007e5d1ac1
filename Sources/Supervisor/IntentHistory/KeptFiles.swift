import Glibc
import IntentLauncherMessages
import IntentLinux

/// The result files of runs. Each run has a folder that is named after the run's identifier.
///
/// The launcher and the supervisor store the files in the run's folder when the run returns. ``Pruning`` removes them
/// together with the run's record, or earlier according to `KeepFiles=`. The size of the files is part of the total
/// that `MaxSize=` limits.
struct KeptFiles {
    private let folder: SharedFileDescriptor
    private let path: String

    init(in folder: SharedFileDescriptor) {
        self.folder = folder
        // Access the folder through its descriptor, because this process may have no permission to open its path.
        path = "/proc/self/fd/\(folder.rawValue)"
    }

    /// Returns the sorted names of all run folders, or an empty array if they cannot be listed. Other names are
    /// ignored.
    func folders() -> [String] { ((try? File.names(in: path)) ?? []).filter { RunID($0) != nil } }

    /// Returns the names of all run folders, oldest first.
    func foldersByAge() -> [String] {
        folders().map { (folder: $0, changed: changedNanoseconds($0) ?? 0) }.sorted { $0.changed < $1.changed }.map(
            \.folder
        )
    }

    /// Returns the time at which the last file was added to a run's folder, on CLOCK_REALTIME in nanoseconds. Returns
    /// nil if the folder does not exist.
    func changedNanoseconds(_ folder: String) -> Int64? {
        guard let status = try? File.status(at: "\(path)/\(folder)"), status.kind == .directory else { return nil }
        return status.modifiedNanoseconds
    }

    /// Returns the disk usage of a run's files, in bytes.
    func byteCount(of folder: String) -> Int64 {
        let files = (try? File.names(in: "\(path)/\(folder)")) ?? []
        var sizes: [UInt64: Int64] = [:]
        for file in files {
            // Count a file with several hard links only once.
            if let status = try? File.status(at: "\(path)/\(folder)/\(file)") {
                sizes[status.inode] = status.storedByteCount
            }
        }
        return sizes.values.reduce(0, +)
    }

    /// Removes a run's files. Files that cannot be removed now are removed later because of their age.
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
