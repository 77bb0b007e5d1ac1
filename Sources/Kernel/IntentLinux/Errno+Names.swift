import Glibc

/// Named constants for the error numbers that callers distinguish.
extension Errno {
    package static let noSuchFile = Errno(rawValue: ENOENT)
    package static let notDirectory = Errno(rawValue: ENOTDIR)
    package static let notPermitted = Errno(rawValue: EPERM)
    package static let accessDenied = Errno(rawValue: EACCES)
    package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
    package static let connectionReset = Errno(rawValue: ECONNRESET)
    package static let notConnected = Errno(rawValue: ENOTCONN)
    package static let brokenPipe = Errno(rawValue: EPIPE)
}
