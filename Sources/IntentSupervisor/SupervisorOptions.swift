package import IntentConfiguration
package import IntentHistory
package import IntentLifecycle
package import IntentLinux
package import IntentSystemd

/// The options of a supervisor.
package struct SupervisorOptions {
    package var installation: Installation
    /// The sockets that clients connect to.
    package var listeners: [SharedFileDescriptor]
    /// The only client of a private supervisor, which ends when that client leaves.
    package var onlyClient: SharedFileDescriptor?
    /// The connection to the launcher.
    package var launcher: SharedFileDescriptor
    /// True if the launcher outlives this supervisor and waits for the next one.
    package var launcherStays: Bool
    package var operators: OperatorRule
    /// The database of runs; nil if no client can ask for a run after the supervisor's end.
    package var history: History.Options?
    /// The unit of this program; nil when systemd did not start it.
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
