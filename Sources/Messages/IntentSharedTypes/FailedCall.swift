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
    /// True when the call would have made writable memory executable, for code that a program generates.
    public var isGeneratedCode: Bool?

    /// Creates a description. Properties that are unknown stay nil.
    public init(
        errorNumber: Int32? = nil,
        path: String? = nil,
        isWriting: Bool? = nil,
        isNetwork: Bool? = nil,
        isGeneratedCode: Bool? = nil
    ) {
        self.errorNumber = errorNumber
        self.path = path
        self.isWriting = isWriting
        self.isNetwork = isNetwork
        self.isGeneratedCode = isGeneratedCode
    }

    /// True when no property is set.
    public var isEmpty: Bool { self == FailedCall() }
}

/// The setting that caused the end of a run: an operation that the sandbox denied, or a limit.
///
/// A sandboxed call fails with an ordinary error such as ENOENT or EPERM, and the kernel does not report the denial to
/// other processes. `intentd` therefore infers most denials from the error of the app or of its program and from the
/// operator's settings.
public struct SandboxDenial: Hashable, Sendable, Codable {
    /// The kind of access or the limit.
    public enum Subject: Hashable, Sendable, Codable {
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
        /// Memory beyond `MemoryMax=`.
        case memory
        /// Bytes in files beyond `DiskMax=`.
        case fileSize
        /// Bytes in the state folder beyond `StateMax=`.
        case state
        /// Processes and threads beyond `TasksMax=`.
        case tasks
        /// Descriptors beyond `OpenFiles=`.
        case openFiles
        /// Time beyond a key of `[Limits]`.
        case time
        /// A subject that a later release added.
        case unknown(String)
    }

    /// The kind of access or the limit.
    public var subject: Subject
    /// The path in the app's error; nil when the error contains no path.
    public var path: String?
    /// The host with its port to which the run could not connect, and why; nil for other subjects.
    public var host: String?
    /// The reason why the run could not connect to ``host``, such as `AllowHosts= does not grant it`.
    public var reason: String?
    /// The error number (errno(3)); nil when the error contains no error number.
    public var errorNumber: Int32?
    /// The assignment that would permit the access, such as `ReadPaths=/etc/hosts`, the key of the limit, such as
    /// `MemoryMax`, or the keys that could permit it. Empty if no key permits it.
    public var key: String
    /// The section of the key if it is not `[Sandbox]`; otherwise nil.
    public var section: String?
    /// The value of the key that was in effect; nil if several keys could permit the access.
    public var value: String?
    /// Where the value is set, as `FILE:LINE`; nil for the default.
    public var source: String?
    /// The operator's file in which the key can be set; nil if it is unknown.
    public var file: String?
    /// True if the kernel reports the cause; nil if it is inferred from an error.
    public var isCertain: Bool?

    /// Creates a denial.
    public init(subject: Subject, path: String? = nil, errorNumber: Int32? = nil, key: String) {
        self.subject = subject
        self.path = path
        self.errorNumber = errorNumber
        self.key = key
    }
}
