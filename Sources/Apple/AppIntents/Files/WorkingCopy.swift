import CIntentWorker
import Foundation
import Glibc
import IntentLinux
import IntentSharedTypes

/// A copy of a received file, for code that opens files by path. The sandbox does not permit opening the original
/// again.
struct WorkingCopy: Sendable {
    let path: String
    /// A fingerprint of the copy before the app uses it.
    private let mark: [Int]

    init(of file: IncomingFile, named name: String) throws {
        let folder = RunSurroundings.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let copy: String
        if file.hasOffset {
            try file.rewind()
            copy = try folder + "/" + OutgoingFiles.copy(file.descriptor, named: name, into: folder)
        } else {
            copy = folder + "/" + name.asFileName
            try file.bytes().write(to: URL(fileURLWithPath: copy))
        }
        // Make the copy read-only: a change that cannot be written back must fail instead of being lost.
        if !file.isWritable { try syscall("chmod", on: copy) { chmod(copy, 0o444) } }
        path = copy
        mark = Self.mark(of: path)
    }

    /// Writes the copy back to the original file if the app has changed it. Does nothing if the app has removed the
    /// copy.
    func writeBack(to file: IncomingFile) throws {
        let mark = Self.mark(of: path)
        guard file.isWritable, !mark.isEmpty, mark != self.mark else { return }
        let copy = try File.open(path)
        try file.rewind()
        let length = try syscall("copy_file_range", on: path) { intentd_copy(copy.rawValue, file.rawValue) }
        try syscall("ftruncate") { ftruncate(file.rawValue, off_t(length)) }
    }

    /// Returns the file attributes that a change affects; an empty array if the file does not exist.
    private static func mark(of path: String) -> [Int] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        return [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
}
