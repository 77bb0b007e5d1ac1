import CIntentLinux
import Glibc

/// An open descriptor with exactly one owner. It is closed when it is destroyed.
package struct FileDescriptor: ~Copyable, Sendable {
    package let rawValue: Int32

    /// Takes over an open descriptor: no other code may close it from now on.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        // Nothing can be done about a failing close(2): the descriptor is closed either way.
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

    /// A second descriptor for the same open file, close-on-exec.
    package func duplicate() throws(SystemError) -> FileDescriptor {
        FileDescriptor(owning: try syscall("fcntl") { intentd_duplicate(rawValue, 3) })
    }
}

/// A reference-counted open descriptor, for messages and collections. It is closed when its last holder releases it.
package final class SharedFileDescriptor: Sendable {
    /// Closes the descriptor in place of the last holder.
    package typealias Closer = @Sendable (Int32) -> Void

    package let rawValue: Int32
    private let closer: Closer?

    /// Takes over an open descriptor: no other code may close it from now on.
    ///
    /// - Parameter closer: Closes the descriptor after its last holder; nil: the last holder closes it.
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
            // Nothing can be done about a failing close(2): the descriptor is closed either way.
            _ = close(rawValue)
        }
    }

    package func setNonblocking() throws(SystemError) {
        try syscall("fcntl") { intentd_set_nonblocking(rawValue) }
    }

    /// Makes this descriptor a duplicate of another, for every holder of its number. Returns false on failure, with no
    /// change.
    package func replace(with other: SharedFileDescriptor) -> Bool {
        intentd_replace(other.rawValue, rawValue) >= 0
    }

    package func duplicate(closer: Closer? = nil) throws(SystemError) -> SharedFileDescriptor {
        SharedFileDescriptor(owning: try syscall("fcntl") { intentd_duplicate(rawValue, 3) }, closer: closer)
    }
}

extension FileDescriptor {
    /// Sets whether execve(2) closes the descriptor. Every descriptor is made close-on-exec.
    package static func setCloseOnExec(_ rawValue: Int32, _ isOn: Bool) throws(SystemError) {
        try syscall("fcntl") { intentd_set_close_on_exec(rawValue, isOn ? 1 : 0) }
    }

    /// Closes an untrusted peer's descriptor, without blocking if the kernel permits that.
    package static func closeAtOnce(_ rawValue: Int32) {
        intentd_close_at_once(rawValue)
    }
}
