package import IntentConfiguration
package import IntentHistory
package import IntentLifecycle
package import IntentLinux
package import IntentSystemd

/// What a supervisor is made with.
package struct SupervisorOptions {
    package var installation: Installation
    /// Sockets on which clients connect.
    package var listeners: [SharedFileDescriptor]
    /// The one client that this supervisor serves, if it is a private one; it ends when that client goes.
    package var onlyClient: SharedFileDescriptor?
    /// The connection to the launcher.
    package var launcher: SharedFileDescriptor
    /// The launcher goes on when this supervisor ends, and waits for the next one.
    package var launcherStays: Bool
    package var operators: OperatorRule
    /// Where runs are recorded; nil for a supervisor with runs that no client asks for after its end.
    package var history: History.Options?
    /// The unit that systemd runs this program as; nil when it does not.
    package var unit: ServiceUnit?

    package init(
        installation: Installation,
        listeners: [SharedFileDescriptor] = [],
        onlyClient: SharedFileDescriptor? = nil,
        launcher: SharedFileDescriptor,
        launcherStays: Bool = false,
        operators: OperatorRule,
        history: History.Options? = nil,
        unit: ServiceUnit? = nil
    ) {
        self.installation = installation
        self.listeners = listeners
        self.onlyClient = onlyClient
        self.launcher = launcher
        self.launcherStays = launcherStays
        self.operators = operators
        self.history = history
        self.unit = unit
    }
}
