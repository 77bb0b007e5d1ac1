import CIntentLinux
import Glibc

/// An open descriptor that belongs to exactly one owner, who closes it by ending.
package struct FileDescriptor: ~Copyable, Sendable {
    package let rawValue: Int32

    /// Takes over an open descriptor: nobody else may close it from now on.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        // Nothing can be done about a failing close(2): the descriptor is gone either way.
        _ = close(rawValue)
    }

    /// Gives the descriptor away without closing it.
    package consuming func release() -> Int32 {
        let value = rawValue
        discard self
        return value
    }

    package func setNonblocking() throws(SystemError) {
        try syscall("fcntl") { intentd_set_nonblocking(rawValue) }
    }

    /// A second descriptor for the same open file, close-on-exec.
    package func duplicate() throws(SystemError) -> FileDescriptor {
        FileDescriptor(owning: try syscall("fcntl") { intentd_duplicate(rawValue, 3) })
    }
}

/// An open descriptor that travels in messages and collections; closed when the last holder lets go.
package final class SharedFileDescriptor: Sendable {
    private let descriptor: FileDescriptor

    package init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    package convenience init(owning rawValue: Int32) {
        self.init(FileDescriptor(owning: rawValue))
    }

    package var rawValue: Int32 { descriptor.rawValue }

    package func setNonblocking() throws(SystemError) { try descriptor.setNonblocking() }

    package func duplicate() throws(SystemError) -> SharedFileDescriptor {
        SharedFileDescriptor(try descriptor.duplicate())
    }
}
