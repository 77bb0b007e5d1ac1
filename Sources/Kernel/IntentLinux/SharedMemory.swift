import CIntentLinux
import Glibc

/// Shared memory: a mapped memfd (memfd_create(2)). The memory exists as long as any process has its descriptor open,
/// so it can outlive this process.
///
/// An instance must be used by only one thread.
package final class SharedMemory {
    package let descriptor: SharedFileDescriptor
    package let byteCount: Int
    private let start: UnsafeMutableRawPointer

    /// Creates memory filled with zeros. Pages that are never accessed use no physical memory.
    package convenience init(name: String, byteCount: Int) throws(SystemError) {
        let file = FileDescriptor(owning: try syscall("memfd_create") { intentd_memfd(name) })
        try syscall("ftruncate") { ftruncate(file.rawValue, off_t(byteCount)) }
        try self.init(SharedFileDescriptor(file), byteCount: byteCount)
    }

    /// Maps the memory of another process.
    ///
    /// - Throws: EINVAL if the memory has fewer than `byteCount` bytes.
    package init(_ descriptor: SharedFileDescriptor, byteCount: Int) throws(SystemError) {
        guard try File.status(of: descriptor.rawValue).byteCount >= byteCount else {
            throw SystemError("mmap", on: "shared memory", code: Errno(rawValue: EINVAL))
        }
        guard
            let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.rawValue, 0),
            start != MAP_FAILED
        else { throw SystemError("mmap", on: "shared memory", code: Errno(rawValue: errno)) }
        self.descriptor = descriptor
        self.byteCount = byteCount
        self.start = start
    }

    deinit { munmap(start, byteCount) }

    package func read(at offset: Int, count: Int) -> [UInt8] {
        precondition(offset >= 0 && count >= 0 && offset + count <= byteCount, "the range is outside the memory")
        return Array(UnsafeRawBufferPointer(start: start + offset, count: count))
    }

    package func write(_ bytes: [UInt8], at offset: Int) {
        precondition(offset >= 0 && offset + bytes.count <= byteCount, "the range is outside the memory")
        bytes.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: start + offset, count: bytes.count).copyMemory(from: $0)
        }
    }

    /// Installs a signal handler that copies the integer at one offset to another offset before a fault, such as
    /// SIGSEGV, kills this process.
    ///
    /// The memory stays mapped until the process exits.
    package func copyNumberAtFault(from: Int, to: Int) {
        precondition(from % 8 == 0 && to % 8 == 0 && max(from, to) + 8 <= byteCount, "an offset is invalid")
        _ = Unmanaged.passRetained(self)
        intentd_copy_at_fault(start + from, start + to)
    }

    /// Returns the 64-bit integer at an offset divisible by 8. Later reads are not reordered before this read
    /// (acquire).
    package func number(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset % 8 == 0 && offset + 8 <= byteCount, "the offset is invalid")
        return intentd_load(start + offset)
    }

    /// Stores a 64-bit integer at an offset divisible by 8. Earlier writes are not reordered after this write
    /// (release).
    package func setNumber(_ number: UInt64, at offset: Int) {
        precondition(offset >= 0 && offset % 8 == 0 && offset + 8 <= byteCount, "the offset is invalid")
        intentd_store(start + offset, number)
    }
}
