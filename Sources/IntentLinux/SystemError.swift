import Glibc

/// A failed system call: its name, its subject and its error number.
package struct SystemError: Error, Equatable, Sendable {
    /// The call's name as in its manual page.
    package let operation: String
    /// The subject of the call, such as a path; nil when the operation is clear without one.
    package let subject: String?
    package let code: Errno

    package init(_ operation: String, on subject: String? = nil, code: Errno) {
        self.operation = operation
        self.subject = subject
        self.code = code
    }
}

/// An error number of errno(3).
package struct Errno: Equatable, Sendable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package var description: String { String(cString: strerror(rawValue)) }

    /// The other end of a socket is closed.
    package var isBrokenPipe: Bool { rawValue == EPIPE || rawValue == ECONNRESET }

    /// Nothing exists at a path.
    package var isAbsence: Bool { rawValue == ENOENT || rawValue == ENOTDIR }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        "\(operation)\(subject.map { " '\($0)'" } ?? "") failed: \(code)"
    }
}

/// Makes a system call, and repeats it if a signal interrupted it.
///
/// - Throws: ``SystemError`` with `errno` as it was when the call returned -1.
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
