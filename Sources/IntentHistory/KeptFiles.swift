import Glibc
import IntentLinux
import IntentWire

/// Files that runs left as their results: a folder for each run, by its identifier, and in it files alone.
///
/// Whoever keeps a file makes the run's folder when the run ends, and writes it there. What goes when is ``Pruning``'s
/// affair: a run's files go with its record, and earlier by `KeepFiles=`; their size counts for `MaxSize=`.
struct KeptFiles {
    private let folder: SharedFileDescriptor
    private let path: String

    init(in folder: SharedFileDescriptor) {
        self.folder = folder
        // It may lie where this process cannot walk to.
        path = "/proc/self/fd/\(folder.rawValue)"
    }

    /// The runs' folders, sorted; empty when there are none, or they cannot be listed. What has another name is not ours.
    func folders() -> [String] { ((try? File.names(in: path)) ?? []).filter { RunID($0) != nil } }

    /// The same, the oldest first.
    func foldersByAge() -> [String] {
        folders().map { (folder: $0, changed: changedNanoseconds($0) ?? 0) }.sorted { $0.changed < $1.changed }.map(
            \.folder
        )
    }

    /// When a file was put into the folder last, on CLOCK_REALTIME in nanoseconds; nil where there is no such folder.
    func changedNanoseconds(_ folder: String) -> Int64? {
        guard let status = try? File.status(at: "\(path)/\(folder)"), status.kind == .directory else { return nil }
        return status.modifiedNanoseconds
    }

    /// What all files take on their disk.
    func byteCount() -> Int64 { folders().reduce(0) { $0 + byteCount(of: $1) } }

    func byteCount(of folder: String) -> Int64 {
        let files = (try? File.names(in: "\(path)/\(folder)")) ?? []
        var sizes: [UInt64: Int64] = [:]
        for file in files {
            // One file may be there under many names.
            if let status = try? File.status(at: "\(path)/\(folder)/\(file)") {
                sizes[status.inode] = status.storedByteCount
            }
        }
        return sizes.values.reduce(0, +)
    }

    /// Removes a run's files; what cannot be removed now is found again by its age.
    ///
    /// - Returns: The bytes that went.
    func remove(_ folder: String) -> Int64 {
        let inside = "\(path)/\(folder)"
        guard let files = try? File.names(in: inside) else { return 0 }
        let size = byteCount(of: folder)
        for file in files { unlink("\(inside)/\(file)") }
        rmdir(inside)
        return size - byteCount(of: folder)
    }
}
