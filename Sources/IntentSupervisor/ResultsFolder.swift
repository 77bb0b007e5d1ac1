import Glibc
package import IntentLinux
import IntentWire

/// Where the files of results are on disk: a folder for each run, and in it a number for each file.
package struct ResultsFolder: Sendable {
    let descriptor: SharedFileDescriptor
    /// `Durability=power`: a file is on the disk itself before it counts as kept.
    var isSynced: Bool

    package init(descriptor: SharedFileDescriptor, isSynced: Bool) {
        self.descriptor = descriptor
        self.isSynced = isSynced
    }

    /// The number of bytes to copy before checking again whether the file is still needed.
    private static let stepByteCount: Int64 = 16 << 20

    private static let unwanted = "the files of the result are for nobody any more"

    /// The identity of a file, which may have several names.
    private struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64

        init(_ status: File.Status) {
            device = status.device
            inode = status.inode
        }
    }

    /// Removes the folder with all that is kept in it.
    static func removeAll(in path: String) {
        for run in (try? File.names(in: path)) ?? [] {
            for file in (try? File.names(in: "\(path)/\(run)")) ?? [] { _ = unlink("\(path)/\(run)/\(file)") }
            _ = rmdir("\(path)/\(run)")
        }
        // What cannot be removed stays among the temporary files.
        _ = rmdir(path)
    }

    func open(_ indices: Range<Int>, of run: RunID) throws(SystemError) -> [SharedFileDescriptor] {
        let place = try File.openFolder(run.text, in: descriptor.rawValue)
        var files: [SharedFileDescriptor] = []
        for index in indices {
            // This must not use openat2(2): RestrictSUIDSGID= in intentd's unit forbids it.
            files.append(SharedFileDescriptor(try File.open("\(index)", in: place.rawValue)))
        }
        return files
    }

    /// Stores a result's files in memory beside those that the launcher has stored.
    ///
    /// - Parameter goesOn: Called after every part of a file; false stops.
    /// - Returns: Why they cannot be kept; nil when they are.
    func store(_ storing: KeptResults.Storing, while goesOn: () -> Bool) -> String? {
        do throws(SystemError) {
            try File.makeFolder(storing.run.text, in: descriptor.rawValue, permissions: 0o700)
            let place = try File.openFolder(storing.run.text, in: descriptor.rawValue)
            if try File.status(of: place.rawValue).owner == getuid() {
                try File.share(place.rawValue, as: descriptor.rawValue)
            }
            // A copy that an earlier intentd began is repeated.
            for (index, _) in storing.memory { try File.remove("\(index)", in: place.rawValue) }
            if let excess = try excess(of: storing, in: place.rawValue) { return excess }
            var names: [Identity: String] = [:]
            for (index, file) in storing.memory {
                let identity = Identity(try File.status(of: file.rawValue))
                if let name = names[identity] {
                    try File.link(name, as: "\(index)", in: place.rawValue)
                    continue
                }
                names[identity] = "\(index)"
                let copy = try File.create("\(index)", in: place.rawValue, permissions: 0o600)
                let count = try File.copyContents(
                    of: file.rawValue,
                    to: copy.rawValue,
                    stepByteCount: Self.stepByteCount,
                    while: goesOn
                )
                guard count != nil, goesOn() else { return Self.unwanted }
            }
            guard try replaceByCopies(storing.writable, in: place.rawValue, while: goesOn) else { return Self.unwanted }
            // The files may have grown while they were copied.
            if !storing.writable.isEmpty, let excess = try excess(of: storing, in: place.rawValue) { return excess }
            if isSynced, try !sync(place.rawValue, while: goesOn) { return Self.unwanted }
            return nil
        } catch {
            return "the files of the result cannot be kept: \(error.code)"
        }
    }

    func remove(_ run: RunID) {
        // What cannot be removed is found later by its age.
        guard let place = try? File.openFolder(run.text, in: descriptor.rawValue) else { return }
        for file in (try? File.names(in: Self.path(of: place.rawValue))) ?? [] {
            try? File.remove(file, in: place.rawValue)
        }
        _ = unlinkat(descriptor.rawValue, run.text, AT_REMOVEDIR)
    }

    // MARK: Private

    /// Puts a copy in the place of each file, so that its bytes are the same from now on; false when it was told to end.
    private func replaceByCopies(_ indices: [Int], in place: Int32, while goesOn: () -> Bool) throws(SystemError)
        -> Bool
    {
        var copies: [Identity: Int] = [:]
        for index in indices {
            let original = try File.open("\(index)", in: place)
            let identity = Identity(try File.status(of: original.rawValue))
            if let copy = copies[identity] {
                try File.remove("\(index)", in: place)
                try File.link("\(copy)", as: "\(index)", in: place)
                continue
            }
            copies[identity] = index
            // A copy that an earlier intentd began.
            try File.remove("\(index).copy", in: place)
            let copy = try File.create("\(index).copy", in: place, permissions: 0o600)
            let count = try File.copyContents(
                of: original.rawValue,
                to: copy.rawValue,
                stepByteCount: Self.stepByteCount,
                while: goesOn
            )
            guard count != nil, goesOn() else { return false }
            try File.rename("\(index).copy", to: "\(index)", in: place)
        }
        return true
    }

    /// By how much a result exceeds its limit, in words; nil when it does not.
    private func excess(of storing: KeptResults.Storing, in place: Int32) throws(SystemError) -> String? {
        guard let limit = storing.byteCountMax else { return nil }
        var sizes: [Identity: Int64] = [:]
        for name in try File.names(in: Self.path(of: place)) {
            let status = try File.status(at: "\(Self.path(of: place))/\(name)")
            sizes[Identity(status)] = status.storedByteCount
        }
        for (_, file) in storing.memory {
            let status = try File.status(of: file.rawValue)
            sizes[Identity(status)] = status.storedByteCount
        }
        // No sum of sizes on disk can overflow.
        let count = sizes.values.reduce(0, +)
        guard count > limit else { return nil }
        return "the files of the result take \(count) bytes on disk, and DiskMax= of the app allows \(limit)"
    }

    private func sync(_ place: Int32, while goesOn: () -> Bool) throws(SystemError) -> Bool {
        for name in try File.names(in: Self.path(of: place)) {
            let file = try File.open(name, in: place)
            try File.sync(file.rawValue)
            guard goesOn() else { return false }
        }
        try File.sync(place)
        try File.sync(descriptor.rawValue)
        return true
    }

    /// By descriptor, because this process may lack permission for the folders above it.
    private static func path(of folder: Int32) -> String { "/proc/self/fd/\(folder)" }
}
