import CIntentLaunch
import Glibc
import IntentLinux

/// Measures the disk space that files use. A measurement can take a long time, so perform it in a ``HelperProcess``.
package enum DiskUsage {
    private static let entryLimit = 1 << 20
    private static let mountLimit = 16

    /// Returns the total size of all files below a folder, in bytes. Returns nil if a folder cannot be read, or if
    /// there are too many entries or levels.
    package static func byteCount(below folder: String) -> Int64? {
        var count: Int64 = 0
        return intentd_disk_usage(folder, entryLimit, &count) == 0 ? count : nil
    }

    /// Returns the total size of those files in a folder that have no hard links elsewhere.
    package static func byteCount(ofFilesOnlyIn folder: String) -> Int64 {
        // If the folder was removed, its files that are still open are counted as unlinked files.
        let files = ((try? File.names(in: folder)) ?? []).compactMap { try? File.status(at: "\(folder)/\($0)") }
        let filesByInode = Dictionary(grouping: files, by: \.inode)
        return filesByInode.values.reduce(0) { count, names in
            UInt64(names.count) < names[0].linkCount ? count : count + names[0].storedByteCount
        }
    }

    /// The mounts in which open files are counted.
    package enum Mounts: Equatable, Sendable {
        /// The mounts at and below paths in a sandbox.
        case inside([String])
        /// The mount that contains a path on the host.
        case around(String)
    }

    /// Returns the total size of the deleted files that processes have open.
    package static func byteCount(ofUnlinkedFilesOf processes: [Int32], in mounts: Mounts) -> Int64 {
        processes.reduce(0) { count, process in
            let ids: [UInt64]
            switch mounts {
            case .inside(let points):
                ids = points.flatMap { point in
                    var below = [UInt64](repeating: 0, count: mountLimit)
                    below.removeLast(mountLimit - intentd_mounts_below(process, point, &below, mountLimit))
                    return below
                }
            case .around(let path): ids = [intentd_mount_of(path)].filter { $0 != 0 }
            }
            return ids.isEmpty ? count : count + intentd_unlinked_usage(process, ids, ids.count)
        }
    }
}
