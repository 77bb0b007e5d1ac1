import CIntentLaunch
package import IntentLinux

/// The capabilities of this process in its user namespace (capabilities(7)).
package enum Capabilities {
    /// Makes the next execve(2) keep all capabilities.
    package static func keepOverExec() throws(SystemError) {
        try syscall("capset", on: "ambient capabilities") { intentd_keep_capabilities() }
    }
}
