import IntentWire

/// Whose sandbox it is: an app as one user runs it.
///
/// No two owners share a sandbox, a fork server, a user id or, unless the operator says so, a folder of state.
struct SandboxOwner: Hashable, Codable {
    var app: AppName
    /// Nil for the process that tells what the app can do, which is for no user.
    var user: UInt32?
}
