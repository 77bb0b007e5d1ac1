/// The two user ids of a sandbox, which are the same on the host and inside. Its two groups have the same numbers.
///
/// No process of a sandbox shares its user with another sandbox, the launcher or `intentd`: whatever the kernel counts
/// or permits by user is limited to the sandbox.
package struct SandboxIDs: Hashable, Sendable, Codable {
    /// The id of pid 1.
    package var initProcess: UInt32
    /// The id of the app and of all processes that it starts.
    package var app: UInt32

    package init(initProcess: UInt32, app: UInt32) {
        self.initProcess = initProcess
        self.app = app
    }
}
