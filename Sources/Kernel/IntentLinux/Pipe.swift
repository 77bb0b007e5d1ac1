import CIntentLinux
import Glibc

/// A pipe (pipe(2)). Both ends are close-on-exec.
package struct Pipe: Sendable {
    package let reading: SharedFileDescriptor
    package let writing: SharedFileDescriptor

    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        try syscall("pipe2") { intentd_pipe(&ends) }
        reading = SharedFileDescriptor(owning: ends[0])
        writing = SharedFileDescriptor(owning: ends[1])
    }

    /// Returns the read end and closes the write end, so that the reader receives end of file when other processes have
    /// closed their write ends.
    package consuming func closingWriting() -> SharedFileDescriptor { reading }

    /// Permits processes of other users that have the write end to open it again through /proc, for writing only.
    package func permitWriting() throws(SystemError) {
        try syscall("fchmod") { fchmod(writing.rawValue, 0o622) }
    }

    /// Prevents processes of this user from opening the write end of an anonymous pipe through /proc. Open descriptors
    /// keep their access.
    ///
    /// - Returns: False on failure.
    package static func forbidWriting(to descriptor: Int32) -> Bool { intentd_forbid_writing(descriptor) == 0 }
}
