/// What the error that an intent threw says of the call to the system that failed: the app's own word.
public struct FailedCall: Hashable, Sendable, Codable {
    /// Linux' error number (errno(3)).
    public var errorNumber: Int32?
    /// The absolute path that it was about; nil for the app's own folders, too.
    public var path: String?
    /// It was to write there.
    public var isWriting: Bool?
    /// It was about another machine.
    public var isNetwork: Bool?

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

    public var isEmpty: Bool { self == FailedCall() }
}

/// What the sandbox kept a run from, and the key of `[Sandbox]` that lets it do that.
///
/// To an app a sandbox looks like a system on which a thing is absent or forbidden: no kernel tells anybody else. So
/// this comes from the error that the app threw, held against what its operator grants.
public struct SandboxDenial: Hashable, Sendable, Codable {
    public enum Subject: String, Hashable, Sendable, Codable {
        case reading
        case writing
        case network
        case program
        /// Some call to the system, by an error number that the sandbox gives.
        case call
    }

    public var subject: Subject
    public var path: String?
    public var errorNumber: Int32?
    /// An assignment, or the names of keys: `ReadPaths=/etc/hosts`.
    public var key: String

    public init(subject: Subject, path: String? = nil, errorNumber: Int32? = nil, key: String) {
        self.subject = subject
        self.path = path
        self.errorNumber = errorNumber
        self.key = key
    }
}
