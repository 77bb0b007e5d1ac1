import Glibc
import IntentLauncherMessages
package import IntentLinux

/// The folder that stores result files. Each run has a subfolder, in which each file's name is a number.
package struct ResultsFolder: Sendable {
    let descriptor: SharedFileDescriptor
    /// True for `Durability=power`: a file is considered stored only once it has been synchronised to the disk.
    var isSynced: Bool

    package init(descriptor: SharedFileDescriptor, isSynced: Bool) {
        self.descriptor = descriptor
        self.isSynced = isSynced
    }

    /// The number of bytes that are copied between two checks of whether the file is still needed.
    private static let stepByteCount: Int64 = 16 << 20

    private static let notNeeded = "the files of the result are no longer needed"

    /// The identity of a file, which may have several names.
    private struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64

        init(_ status: File.Status) {
            device = status.device
            inode = status.inode
        }
    }

    /// Removes the folder with all stored files.
    static func removeAll(in path: String) {
        for run in (try? File.names(in: path)) ?? [] {
            for file in (try? File.names(in: "\(path)/\(run)")) ?? [] { _ = unlink("\(path)/\(run)/\(file)") }
            _ = rmdir("\(path)/\(run)")
        }
        // Ignore failures, because the folder is in the temporary folder, which is cleaned eventually.
        _ = rmdir(path)
    }

    func open(_ indices: Range<Int>, of run: RunID) throws(SystemError) -> [SharedFileDescriptor] {
        let folder = try File.openFolder(run.text, in: descriptor.rawValue)
        var files: [SharedFileDescriptor] = []
        for index in indices {
            // Do not use openat2(2), which RestrictSUIDSGID= in intentd's unit forbids.
            files.append(SharedFileDescriptor(try File.open("\(index)", in: folder.rawValue)))
        }
        return files
    }

    /// Completes a result's folder, into which the launcher has linked files: copies the memory files into it, and
    /// replaces files that the run may still write to with copies.
    ///
    /// - Parameter isNeeded: Called after each part of a file has been copied. Returns false to stop the copy.
    /// - Returns: The reason why the files cannot be stored, or nil on success.
    func store(_ storing: KeptResults.Storing, while isNeeded: () -> Bool) -> String? {
        do throws(SystemError) {
            try File.makeFolder(storing.run.text, in: descriptor.rawValue, permissions: 0o700)
            let folder = try File.openFolder(storing.run.text, in: descriptor.rawValue)
            if try File.status(of: folder.rawValue).owner == getuid() {
                try File.share(folder.rawValue, as: descriptor.rawValue)
            }
            // Remove copies that an earlier intentd began.
            for (index, _) in storing.memory { try File.remove("\(index)", in: folder.rawValue) }
            if let excess = try excess(of: storing, in: folder.rawValue) { return excess }
            var names: [Identity: String] = [:]
            for (index, file) in storing.memory {
                let identity = Identity(try File.status(of: file.rawValue))
                if let name = names[identity] {
                    try File.link(name, as: "\(index)", in: folder.rawValue)
                    continue
                }
                names[identity] = "\(index)"
                let copy = try File.create("\(index)", in: folder.rawValue, permissions: 0o600)
                let count = try File.copyContents(
                    of: file.rawValue,
                    to: copy.rawValue,
                    stepByteCount: Self.stepByteCount,
                    while: isNeeded
                )
                guard count != nil, isNeeded() else { return Self.notNeeded }
            }
            guard try replaceWithCopies(storing.writable, in: folder.rawValue, while: isNeeded) else {
                return Self.notNeeded
            }
            // Check the size again, because the files may have grown while they were copied.
            if !storing.writable.isEmpty, let excess = try excess(of: storing, in: folder.rawValue) { return excess }
            if isSynced, try !sync(folder.rawValue, while: isNeeded) { return Self.notNeeded }
            return nil
        } catch {
            return "the files of the result cannot be stored: \(error.code)"
        }
    }

    func remove(_ run: RunID) {
        // Ignore failures, because a later cleanup removes old files.
        guard let folder = try? File.openFolder(run.text, in: descriptor.rawValue) else { return }
        for file in (try? File.names(in: Self.path(of: folder.rawValue))) ?? [] {
            try? File.remove(file, in: folder.rawValue)
        }
        _ = unlinkat(descriptor.rawValue, run.text, AT_REMOVEDIR)
    }

    // MARK: Private

    /// Replaces each file with a copy that no other process can change. Returns false if `isNeeded` ended the copy.
    private func replaceWithCopies(_ indices: [Int], in folder: Int32, while isNeeded: () -> Bool) throws(SystemError)
        -> Bool
    {
        var copies: [Identity: Int] = [:]
        for index in indices {
            let original = try File.open("\(index)", in: folder)
            let identity = Identity(try File.status(of: original.rawValue))
            if let copy = copies[identity] {
                try File.remove("\(index)", in: folder)
                try File.link("\(copy)", as: "\(index)", in: folder)
                continue
            }
            copies[identity] = index
            // Remove a copy that an earlier intentd began.
            try File.remove("\(index).copy", in: folder)
            let copy = try File.create("\(index).copy", in: folder, permissions: 0o600)
            let count = try File.copyContents(
                of: original.rawValue,
                to: copy.rawValue,
                stepByteCount: Self.stepByteCount,
                while: isNeeded
            )
            guard count != nil, isNeeded() else { return false }
            try File.rename("\(index).copy", to: "\(index)", in: folder)
        }
        return true
    }

    /// Returns an error message if a result's files exceed `DiskMax=`, otherwise nil.
    private func excess(of storing: KeptResults.Storing, in folder: Int32) throws(SystemError) -> String? {
        guard let limit = storing.byteCountMax else { return nil }
        var sizes: [Identity: Int64] = [:]
        for name in try File.names(in: Self.path(of: folder)) {
            let status = try File.status(at: "\(Self.path(of: folder))/\(name)")
            sizes[Identity(status)] = status.storedByteCount
        }
        for (_, file) in storing.memory {
            let status = try File.status(of: file.rawValue)
            sizes[Identity(status)] = status.storedByteCount
        }
        // The sum cannot overflow, because the files fit on one disk.
        let count = sizes.values.reduce(0, +)
        guard count > limit else { return nil }
        return "the files of the result use \(count) bytes on disk, but the app's DiskMax= is \(limit) bytes"
    }

    private func sync(_ folder: Int32, while isNeeded: () -> Bool) throws(SystemError) -> Bool {
        for name in try File.names(in: Self.path(of: folder)) {
            let file = try File.open(name, in: folder)
            try File.sync(file.rawValue)
            guard isNeeded() else { return false }
        }
        try File.sync(folder)
        try File.sync(descriptor.rawValue)
        return true
    }

    /// Returns a path that leads to the folder through its descriptor. This process may have no access to the folder's
    /// parent folders.
    private static func path(of folder: Int32) -> String { "/proc/self/fd/\(folder)" }
}
