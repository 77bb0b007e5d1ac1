/// A caller with the process that asks: as the kernel names both, and as the process names itself.
public struct CallerProcess: Hashable, Sendable, Codable {
    public var user: UInt32
    /// The name of the user's account; nil where it has none.
    public var account: String?
    /// The process that made the connection.
    public var process: Int32
    /// The `software` of its hello.
    public var software: String

    package var caller: Caller { .local(user: user, account: account ?? "") }

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
