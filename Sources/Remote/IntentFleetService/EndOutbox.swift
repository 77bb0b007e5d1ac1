import Glibc
package import IntentFleet
package import IntentLinux

/// The ends of runs for which the database has not given a verdict in time. Each end is stored in one file, which is on
/// the disk after ``sync()``.
///
/// A host stores at most as many ends as it has slots, because it takes no run while the database is unavailable.
package struct EndOutbox: Sendable {
    private let path: String
    private let folder: SharedFileDescriptor
    /// The runs with files.
    private var stored: Set<Int64>
    /// The runs with files that may not be on the disk yet.
    private var unsynced: Set<Int64> = []

    /// The maximum size of a file in bytes. It has room for the largest result and reason, even with every byte
    /// escaped.
    private static let fileLimit = 512 << 10

    /// Opens a folder that only this program uses, and creates it if it does not exist.
    package init(folder path: String) throws(SystemError) {
        try File.makeFolders(path, permissions: 0o700)
        self.path = path
        folder = SharedFileDescriptor(try File.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        let names = try File.names(in: path).filter { $0.hasSuffix(utf8: ".end") }
        stored = Set(names.compactMap { Int64($0.dropLast(scalars: 4)) })
    }

    package mutating func keep(_ end: FleetRunEnd) throws(SystemError) {
        let temporary = "\(end.run).new"
        try File.remove(temporary, in: folder.rawValue)
        do throws(SystemError) {
            let file = try File.create(temporary, in: folder.rawValue, permissions: 0o600)
            try File.write(file.rawValue, end.bytes[...])
            try File.rename(temporary, to: "\(end.run).end", in: folder.rawValue)
        } catch {
            // Remove the incomplete file, which would waste space on a full disk. Ignore a failure to remove it,
            // because the first error explains both failures.
            try? File.remove(temporary, in: folder.rawValue)
            throw error
        }
        stored.insert(end.run)
        unsynced.insert(end.run)
    }

    /// Waits until all ends are on the disk.
    package mutating func sync() throws(SystemError) {
        for run in unsynced.sorted() {
            let file = try File.open("\(path)/\(run).end", O_RDONLY | O_CLOEXEC)
            try File.sync(file.rawValue)
        }
        try File.sync(folder.rawValue)
        unsynced = []
    }

    /// Removes an end if it is stored. If the machine fails before the removal is on the disk, the end is committed
    /// again after the restart.
    package mutating func forget(_ run: Int64) throws(SystemError) {
        guard stored.contains(run) else { return }
        unsynced.remove(run)
        try File.remove("\(run).end", in: folder.rawValue)
        stored.remove(run)
    }

    /// Returns all stored ends. Invalid files are ignored.
    package func ends() throws(SystemError) -> [FleetRunEnd] {
        var ends: [FleetRunEnd] = []
        for name in try File.names(in: path).sorted() where name.hasSuffix(utf8: ".end") {
            if let end = FleetRunEnd(bytes: try File.bytes(at: "\(path)/\(name)", limit: Self.fileLimit)) {
                ends.append(end)
            }
        }
        return ends
    }
}
