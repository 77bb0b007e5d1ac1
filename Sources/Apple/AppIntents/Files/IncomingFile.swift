import Foundation
import Glibc
import IntentLinux
import IntentSharedTypes
import Synchronization

/// A file that was received as a descriptor.
final class IncomingFile: Sendable {
    let descriptor: SharedFileDescriptor
    /// True if the file has an offset. A pipe has no offset and can be read only once.
    let hasOffset: Bool
    /// The bytes that have been read from a pipe; nil before the pipe is read.
    private let drained = Mutex<Data?>(nil)
    private let copy = Mutex<WorkingCopy?>(nil)

    init(_ descriptor: SharedFileDescriptor) {
        self.descriptor = descriptor
        // Rewind the file, because its offset is shared with the client and with earlier runs that used the same
        // descriptor.
        hasOffset = lseek(descriptor.rawValue, 0, SEEK_SET) == 0
    }

    var rawValue: Int32 { descriptor.rawValue }

    /// True if the client permits the run to change the file.
    var isWritable: Bool { fcntl(descriptor.rawValue, F_GETFL) & O_ACCMODE == O_RDWR }

    /// Returns the path of a copy of the file. The first call creates the copy.
    func path(named name: String) throws -> String {
        try copy.withLock { copy in
            if let copy { return copy.path }
            let made = try WorkingCopy(of: self, named: name)
            copy = made
            return made.path
        }
    }

    /// Writes changes that the app made to the copy back to the original file.
    func writeBack() throws {
        try copy.withLock { try $0?.writeBack(to: self) }
    }

    func rewind() throws {
        guard hasOffset else { return }
        try syscall("lseek") { lseek(descriptor.rawValue, 0, SEEK_SET) }
    }

    func bytes() throws -> Data {
        guard hasOffset else {
            return try drained.withLock { drained in
                if let drained { return drained }
                let data = try Self.collect { buffer, count in
                    try syscall("read") { read(descriptor.rawValue, buffer, count) }
                }
                drained = data
                return data
            }
        }
        // Do not map the file into memory: if the client truncated the file, SIGBUS would kill this process.
        var offset: off_t = 0
        let byteCount = try File.status(of: descriptor.rawValue).byteCount
        return try Self.collect(expecting: byteCount) { buffer, count in
            let received = try syscall("pread") { pread(descriptor.rawValue, buffer, count, offset) }
            offset += off_t(received)
            return received
        }
    }

    private static func collect(
        expecting byteCount: Int64 = 0,
        _ readMore: (UnsafeMutableRawPointer, Int) throws -> Int
    ) throws -> Data {
        let step = 256 << 10
        var data = Data()
        data.reserveCapacity(Int(clamping: max(0, byteCount)))
        var buffer = [UInt8](repeating: 0, count: step)
        while true {
            let count = try buffer.withUnsafeMutableBytes { buffer in
                // SAFETY: the buffer is not empty, so it has an address — ensured by the allocation above.
                try readMore(buffer.baseAddress!, step)
            }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }
}

/// The files that were received with a command.
struct IncomingFiles: Sendable {
    /// The files of the answer that the current task is decoding.
    @TaskLocal static var ofAnswer = IncomingFiles()

    private let files: [IncomingFile]

    init(_ descriptors: [SharedFileDescriptor] = []) {
        files = descriptors.map(IncomingFile.init)
    }

    /// Writes changes that the app made through ``IntentFile/fileURL`` back to the original files.
    func writeBack() throws {
        for file in files { try file.writeBack() }
    }

    func file(_ reference: FileReference) throws -> IntentFile {
        guard files.indices.contains(reference.index) else {
            let message = "refers to the file with index \(reference.index), but the number of files is \(files.count)"
            throw InvalidValue(message)
        }
        return IntentFile(
            .descriptor(files[reference.index]),
            filename: reference.name,
            type: reference.contentType.flatMap(UTType.init(contentType:))
        )
    }
}
