import Glibc
package import IntentFleet
package import IntentLinux

/// Ends of runs that the database has not decided about yet: one file each, on the disk before it is sent.
///
/// A node holds at most as many ends as it has slots, because it takes no run without the database.
package struct EndOutbox: Sendable {
    private let path: String
    private let folder: SharedFileDescriptor

    /// A result and a reason at their limits, with every byte escaped.
    private static let fileLimit = 512 << 10

    /// Opens a folder that belongs to this program alone, and creates it if it does not exist.
    package init(folder path: String) throws(SystemError) {
        try File.makeFolders(path, permissions: 0o700)
        self.path = path
        folder = SharedFileDescriptor(try File.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    package func keep(_ end: RunEnd) throws(SystemError) {
        let temporary = "\(end.run).new"
        try File.remove(temporary, in: folder.rawValue)
        do {
            let file = try File.create(temporary, in: folder.rawValue, permissions: 0o600)
            try File.write(file.rawValue, end.bytes[...])
            try File.sync(file.rawValue)
        }
        try File.rename(temporary, to: "\(end.run).end", in: folder.rawValue)
        try File.sync(folder.rawValue)
    }

    /// Removes an end. If the machine fails before the removal is on the disk, the end is committed again.
    package func forget(_ run: Int64) throws(SystemError) {
        try File.remove("\(run).end", in: folder.rawValue)
    }

    /// All ends that are kept. A file that is not one is ignored.
    package func ends() throws(SystemError) -> [RunEnd] {
        var ends: [RunEnd] = []
        for name in try File.names(in: path).sorted() where name.hasSuffix(".end") {
            if let end = RunEnd(bytes: try File.bytes(at: "\(path)/\(name)", limit: Self.fileLimit)) {
                ends.append(end)
            }
        }
        return ends
    }
}
