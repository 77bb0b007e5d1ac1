/// A caller and the client process that connected. The process itself reports only the name of its software. `intentd`
/// determines all other properties.
public struct CallerProcess: Hashable, Sendable, Codable {
    /// The caller's uid.
    public var user: UInt32
    /// The name of the caller's account; nil when no account has the uid.
    public var account: String?
    /// The pid of the process that connected.
    public var process: Int32
    /// The program's name and version, as reported in its `hello`.
    public var software: String
    /// The uid of the agent that acts on behalf of the caller; nil when no agent is involved.
    public var agent: UInt32?

    package var caller: Caller { .local(user: user, account: account ?? "") }

    /// Creates a description.
    public init(user: UInt32, account: String? = nil, process: Int32 = 0, software: String = "") {
        self.user = user
        self.account = account
        self.process = process
        self.software = software
    }

    package init(_ caller: Caller, process: Int32 = 0, software: String = "") {
        self.init(
            user: caller.uid,
            account: caller.account.isEmpty ? nil : caller.account,
            process: process,
            software: software
        )
    }
}
