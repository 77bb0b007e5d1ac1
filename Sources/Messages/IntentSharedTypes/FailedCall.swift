/// A failed system call, derived from the error that an intent threw. The app can report any error, so this is a hint,
/// never proof.
public struct FailedCall: Hashable, Sendable, Codable {
    /// The error number (errno(3)).
    public var errorNumber: Int32?
    /// The absolute path that was passed to the call; nil when the call has no path or the path is in the app's own
    /// folders.
    public var path: String?
    /// True when the call would have written to the path.
    public var isWriting: Bool?
    /// True when the call tried to reach another machine.
    public var isNetwork: Bool?

    /// Creates a description. Properties that are unknown stay nil.
    public init(
        errorNumber: Int32? = nil,
        path: String? = nil,
        isWriting: Bool? = nil,
        isNetwork: Bool? = nil
    ) {
        self.errorNumber = errorNumber
        self.path = path
        self.isWriting = isWriting
        self.isNetwork = isNetwork
    }

    /// True when no property is set.
    public var isEmpty: Bool { self == FailedCall() }
}

/// An operation that the sandbox denied to a run, and the `[Sandbox]` key that would permit it.
///
/// A sandboxed call fails with an ordinary error such as ENOENT or EPERM, and the kernel does not report the denial to
/// other processes. `intentd` therefore infers the denial from the error that the app threw and from the operator's
/// grants.
public struct SandboxDenial: Hashable, Sendable, Codable {
    /// The kind of access that was denied.
    public enum Subject: String, Hashable, Sendable, Codable {
        /// Reading a file or folder.
        case reading
        /// Writing to a file or folder.
        case writing
        /// A connection to another machine.
        case network
        /// Starting a program.
        case program
        /// A system call that can be identified only by the error number that the sandbox returned.
        case call
    }

    /// The kind of access.
    public var subject: Subject
    /// The path in the app's error; nil when the error contains no path.
    public var path: String?
    /// The error number (errno(3)); nil when the error contains no error number.
    public var errorNumber: Int32?
    /// The assignment that would permit the access, such as `ReadPaths=/etc/hosts`, or the names of the relevant keys.
    public var key: String

    /// Creates a denial.
    public init(subject: Subject, path: String? = nil, errorNumber: Int32? = nil, key: String) {
        self.subject = subject
        self.path = path
        self.errorNumber = errorNumber
        self.key = key
    }
}
