import Glibc
import IntentLinux

/// A file without a name, which stores content from the peer or from a pipe.
///
/// A small read-only file is a sealed memfd. Any other file is in `$TMPDIR`, or in /var/tmp if the variable is not set
/// to an absolute path.
struct SpoolFile {
    /// The maximum size of a file that is stored in memory.
    private static let memoryByteLimit: UInt64 = 256 << 10

    private let descriptor: SharedFileDescriptor
    private let isMemory: Bool
    private var byteCount = 0

    /// - Parameter byteCount: The expected size; nil if it is unknown.
    init(byteCount: UInt64?, access: RelayFileAccess) throws(SystemError) {
        if let byteCount, byteCount <= Self.memoryByteLimit, access == .reading {
            descriptor = try MemoryFile.unsealed(name: "intentd-relay", [])
            isMemory = true
        } else {
            descriptor = try File.openUnnamed(in: Self.folder)
            isMemory = false
        }
    }

    /// The folder for large files.
    static var folder: String {
        guard let text = getenv("TMPDIR") else { return "/var/tmp" }
        let path = String(foreign: text)
        return path.hasPrefix(utf8: "/") ? path : "/var/tmp"
    }

    mutating func append(_ bytes: [UInt8]) throws(SystemError) {
        try File.write(descriptor.rawValue, bytes[...])
        byteCount += bytes.count
    }

    /// Appends a hole, which reads as zeros and needs no disk space.
    mutating func appendZeros(_ count: Int) throws(SystemError) {
        byteCount += count
        try File.resize(descriptor.rawValue, to: Int64(byteCount))
        try syscall("lseek") { lseek(descriptor.rawValue, off_t(byteCount), SEEK_SET) }
    }

    /// Returns a descriptor for the complete file, with its offset at the start. Do not append content after this call.
    func finish(_ access: RelayFileAccess) throws(SystemError) -> SharedFileDescriptor {
        if isMemory { try MemoryFile.seal(descriptor) }
        switch access {
        case .reading: return SharedFileDescriptor(try File.open("/proc/self/fd/\(descriptor.rawValue)", O_RDONLY))
        case .readingAndWriting:
            try syscall("lseek") { lseek(descriptor.rawValue, 0, SEEK_SET) }
            return descriptor
        }
    }
}
