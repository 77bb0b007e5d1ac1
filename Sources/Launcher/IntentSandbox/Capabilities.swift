import CIntentLaunch
package import IntentLinux

/// The capabilities of this process in its user namespace (capabilities(7)).
package enum Capabilities {
    /// Makes all capabilities ambient, so that the next execve(2) keeps them.
    package static func keepOverExec() throws(SystemError) {
        try syscall("capset", on: "ambient capabilities") { intentd_keep_capabilities() }
    }
}
