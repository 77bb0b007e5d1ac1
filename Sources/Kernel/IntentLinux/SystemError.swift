import Glibc

/// A failed system call: its name, its subject and its error number.
package struct SystemError: Error, Equatable, Sendable {
    /// The name of the call, as in its manual page.
    package let operation: String
    /// The object of the call, such as a path; nil if the call has no object.
    package let subject: String?
    package let code: Errno

    package init(_ operation: String, on subject: String? = nil, code: Errno) {
        self.operation = operation
        self.subject = subject
        self.code = code
    }
}

/// An error number (errno(3)).
package struct Errno: Equatable, Sendable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package var description: String { String(foreign: strerror(rawValue)) }

    /// True if the peer has closed its end of a socket.
    package var isBrokenPipe: Bool { rawValue == EPIPE || rawValue == ECONNRESET }

    /// True if a path does not exist.
    package var isAbsence: Bool { rawValue == ENOENT || rawValue == ENOTDIR }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        "\(operation)\(subject.map { " '\($0)'" } ?? "") failed: \(code)"
    }
}

/// Makes a system call, and repeats it if a signal interrupted it.
///
/// - Throws: ``SystemError`` with the value of `errno` if the call returns -1.
@discardableResult
package func syscall<Result: SignedInteger>(
    _ operation: String,
    on subject: String? = nil,
    _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw SystemError(operation, on: subject, code: Errno(rawValue: code)) }
    }
}

/// Makes a system call, and returns nil if it fails with the error number `code`.
@discardableResult
package func syscall<Result: SignedInteger>(
    _ operation: String,
    on subject: String? = nil,
    nilOn code: Int32,
    _ body: () -> Result
) throws(SystemError) -> Result? {
    do throws(SystemError) {
        return try syscall(operation, on: subject, body)
    } catch  where error.code.rawValue == code {
        return nil
    }
}
