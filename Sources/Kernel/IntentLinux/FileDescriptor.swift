import CIntentLinux
import Glibc

/// An open descriptor with exactly one owner. The descriptor is closed when the value is destroyed.
package struct FileDescriptor: ~Copyable, Sendable {
    package let rawValue: Int32

    /// Takes ownership of an open descriptor. No other code may close it from then on.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        // Ignore errors of close(2), because it closes the descriptor even if it fails.
        _ = close(rawValue)
    }

    /// Releases ownership of the descriptor without closing it.
    package consuming func release() -> Int32 {
        let value = rawValue
        discard self
        return value
    }

    package func setNonblocking() throws(SystemError) {
        try syscall("fcntl") { intentd_set_nonblocking(rawValue) }
    }

    /// Returns a second descriptor for the same open file. It is close-on-exec.
    package func duplicate() throws(SystemError) -> FileDescriptor {
        FileDescriptor(owning: try syscall("fcntl") { intentd_duplicate(rawValue, 3) })
    }
}

/// A reference-counted open descriptor that messages and collections can contain. The descriptor is closed when the
/// last reference is released.
package final class SharedFileDescriptor: Sendable {
    /// A function that closes a descriptor once the last reference has been released.
    package typealias Closer = @Sendable (Int32) -> Void

    package let rawValue: Int32
    private let closer: Closer?

    /// Takes ownership of an open descriptor. No other code may close it from then on.
    ///
    /// - Parameter closer: A function that closes the descriptor; nil to call close(2).
    package init(owning rawValue: Int32, closer: Closer? = nil) {
        self.rawValue = rawValue
        self.closer = closer
    }

    package convenience init(_ descriptor: consuming FileDescriptor, closer: Closer? = nil) {
        self.init(owning: descriptor.release(), closer: closer)
    }

    deinit {
        if let closer {
            closer(rawValue)
        } else {
            // Ignore errors of close(2), because it closes the descriptor even if it fails.
            _ = close(rawValue)
        }
    }

    package func setNonblocking() throws(SystemError) {
        try syscall("fcntl") { intentd_set_nonblocking(rawValue) }
    }

    /// Makes this descriptor's number refer to the open file of another descriptor (dup3(2)). On failure, returns false
    /// and changes nothing.
    package func replace(with other: SharedFileDescriptor) -> Bool {
        intentd_replace(other.rawValue, rawValue) >= 0
    }

    package func duplicate(closer: Closer? = nil) throws(SystemError) -> SharedFileDescriptor {
        SharedFileDescriptor(owning: try syscall("fcntl") { intentd_duplicate(rawValue, 3) }, closer: closer)
    }
}

extension FileDescriptor {
    /// Sets whether execve(2) closes the descriptor. All descriptors are created close-on-exec.
    package static func setCloseOnExec(_ rawValue: Int32, _ isOn: Bool) throws(SystemError) {
        try syscall("fcntl") { intentd_set_close_on_exec(rawValue, isOn ? 1 : 0) }
    }

    /// Closes a descriptor received from an untrusted peer. Avoids blocking as far as the kernel permits.
    package static func closeAtOnce(_ rawValue: Int32) {
        intentd_close_at_once(rawValue)
    }
}
