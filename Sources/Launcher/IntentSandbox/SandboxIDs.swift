/// The two user ids of a sandbox. They are the same inside the sandbox and on the host. The group ids have the same
/// numbers.
///
/// The launcher and `intentd` do not use these ids, and other sandboxes use them only if all users of the app share its
/// state folder. A limit or permission that the kernel applies per user therefore never affects another app.
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
