/// The two user ids of a sandbox, which are the same inside the sandbox and on the host. The group ids have the same
/// numbers.
///
/// The ids are not used for other sandboxes, the launcher or `intentd`, so that everything that the kernel counts or
/// permits by user is limited to the sandbox.
package struct SandboxIDs: Hashable, Sendable, Codable {
    /// The user id of pid 1.
    package var initProcess: UInt32
    /// The user id of the app and of all processes that it starts.
    package var app: UInt32

    package init(initProcess: UInt32, app: UInt32) {
        self.initProcess = initProcess
        self.app = app
    }
}
