import CIntentLaunch
import Glibc
import IntentLinux

/// The disk space that files use. Measuring it can take long: see ``HelperProcess``.
package enum DiskUsage {
    private static let entryLimit = 1 << 20
    private static let mountLimit = 16

    /// Adds up the sizes of all files below a folder.
    ///
    /// - Returns: Nil when the size cannot be measured, which happens only if an app hides its files.
    package static func byteCount(below folder: String) -> Int64? {
        var count: Int64 = 0
        return intentd_disk_usage(folder, entryLimit, &count) == 0 ? count : nil
    }

    /// Adds up the sizes of files in a folder that have no name elsewhere.
    package static func byteCount(ofFilesOnlyIn folder: String) -> Int64 {
        // A removed folder has no files. Files that are still open are counted as unlinked files.
        let files = ((try? File.names(in: folder)) ?? []).compactMap { try? File.status(at: "\(folder)/\($0)") }
        let filesByInode = Dictionary(grouping: files, by: \.inode)
        return filesByInode.values.reduce(0) { count, names in
            UInt64(names.count) < names[0].linkCount ? count : count + names[0].storedByteCount
        }
    }

    /// The mounts in which the open files of processes are counted.
    package enum Mounts: Equatable, Sendable {
        /// At this path of a sandbox and below it.
        case inside(String)
        /// In the mount that contains this path, as the launcher sees it.
        case around(String)
    }

    /// Adds up the sizes of deleted files that processes have open.
    package static func byteCount(ofNamelessFilesOf processes: [Int32], in mounts: Mounts) -> Int64 {
        processes.reduce(0) { count, process in
            var ids: [UInt64]
            switch mounts {
            case .inside(let point):
                ids = [UInt64](repeating: 0, count: mountLimit)
                ids.removeLast(mountLimit - intentd_mounts_below(process, point, &ids, mountLimit))
            case .around(let path): ids = [intentd_mount_of(path)].filter { $0 != 0 }
            }
            return ids.isEmpty ? count : count + intentd_unlinked_usage(process, ids, ids.count)
        }
    }
}
