import Glibc
import IntentLinux

/// A file without a name, which stores content from the other host or from a pipe.
///
/// A small file is a sealed memfd. Any other file is in `$TMPDIR`, or in /var/tmp if the variable is not set to an
/// absolute path.
struct SpoolFile {
    /// The maximum size of a file that is stored in memory.
    private static let memoryByteLimit: UInt64 = 256 << 10

    private let descriptor: SharedFileDescriptor
    private let isMemory: Bool
    private(set) var byteCount: UInt64 = 0

    /// - Parameter byteCount: The expected size; nil if it is unknown.
    init(byteCount: UInt64?) throws(SystemError) {
        isMemory = byteCount.map { $0 <= Self.memoryByteLimit } ?? false
        descriptor =
            isMemory ? try MemoryFile.unsealed(name: "intentd-host", []) : try File.openUnnamed(in: Self.folder)
    }

    /// The folder for large files.
    static var folder: String {
        guard let text = getenv("TMPDIR") else { return "/var/tmp" }
        let path = String(foreign: text)
        return path.hasPrefix(utf8: "/") ? path : "/var/tmp"
    }

    mutating func append(_ bytes: [UInt8]) throws(SystemError) {
        try File.write(descriptor.rawValue, bytes[...])
        byteCount += UInt64(bytes.count)
    }

    /// Returns a read-only descriptor for the complete file. Do not append content after this call.
    func finish() throws(SystemError) -> SharedFileDescriptor {
        if isMemory { try MemoryFile.seal(descriptor) }
        return SharedFileDescriptor(try File.open("/proc/self/fd/\(descriptor.rawValue)", O_RDONLY))
    }
}
