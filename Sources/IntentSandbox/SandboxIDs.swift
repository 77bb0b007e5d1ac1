/// The two user ids of a sandbox, on the host and inside; its two groups have equal numbers.
///
/// With them no process of a sandbox is the user of another sandbox's, of the launcher or of `intentd`: what the kernel counts or
/// permits by user ends at the sandbox.
package struct SandboxIDs: Hashable, Sendable, Codable {
    /// That of pid 1.
    package var initProcess: UInt32
    /// That of the app and of all that it starts.
    package var app: UInt32

    package init(initProcess: UInt32, app: UInt32) {
        self.initProcess = initProcess
        self.app = app
    }
}
