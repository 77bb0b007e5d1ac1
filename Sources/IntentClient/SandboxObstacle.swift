internal import IntentWire

/// What the sandbox of a run kept it from, as far as the error tells that it threw, and what would let it do that.
public struct SandboxObstacle: Hashable, Sendable {
    /// What it wanted.
    public enum Wish: String, CaseIterable, Hashable, Sendable {
        /// To read the file or folder at ``SandboxObstacle/path``.
        case reading
        /// To write there.
        case writing
        /// To reach another machine.
        case network
        /// To start the program at ``SandboxObstacle/path``.
        case program
        /// Something that the filter of system calls forbids; which call it was, the kernel does not tell.
        case call
    }

    /// What it wanted.
    public var wish: Wish
    /// The path that the app named, which is the app's own word; nil where it is about none.
    public var path: String?
    /// The error number of errno(3) that it got.
    public var errorNumber: Int32?
    /// The assignment in `[Sandbox]` of the app's file that grants it: `ReadPaths=/etc/hosts`.
    public var key: String

    init(_ denial: SandboxDenial) {
        wish =
            switch denial.subject {
            case .reading: .reading
            case .writing: .writing
            case .network: .network
            case .program: .program
            case .call: .call
            }
        path = denial.path
        errorNumber = denial.errorNumber
        key = denial.key
    }
}
