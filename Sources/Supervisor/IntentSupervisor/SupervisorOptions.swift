package import IntentConfiguration
package import IntentHistory
package import IntentLifecycle
package import IntentLinux
package import IntentSystemd

/// The settings, sockets and connections that a supervisor starts with.
package struct SupervisorOptions {
    package var installation: Installation
    /// The sockets that clients connect to.
    package var listeners: [SharedFileDescriptor]
    /// The absolute path of the listener that this process created; nil if systemd passed the sockets.
    package var socketPath: String?
    /// The only client of a private supervisor. The supervisor exits when this client disconnects.
    package var onlyClient: SharedFileDescriptor?
    /// The connection to the launcher.
    package var launcher: SharedFileDescriptor
    /// True if the launcher outlives this supervisor and waits for the next supervisor.
    package var launcherStays: Bool
    package var operators: OperatorRule
    /// The options of the history; nil for a private supervisor, which records no runs.
    package var history: History.Options?
    /// True if each run waits until a debugger traces its worker.
    package var waitsForDebugger: Bool
    /// True if the only client will request a run.
    package var expectsRun: Bool
    /// The absolute path of the folder with the user's records of catalogues (``CatalogRecord``); nil to ask each app to
    /// describe its intents.
    package var catalogFolder: String?
    /// The systemd unit of this program; nil if systemd did not start the program.
    package var unit: ServiceUnit?

    package init(
        installation: Installation,
        listeners: [SharedFileDescriptor] = [],
        onlyClient: SharedFileDescriptor? = nil,
        launcher: SharedFileDescriptor,
        launcherStays: Bool = false,
        operators: OperatorRule,
        history: History.Options? = nil,
        waitsForDebugger: Bool = false,
        expectsRun: Bool = false,
        catalogFolder: String? = nil,
        unit: ServiceUnit? = nil
    ) {
        self.installation = installation
        self.listeners = listeners
        self.onlyClient = onlyClient
        self.launcher = launcher
        self.launcherStays = launcherStays
        self.operators = operators
        self.history = history
        self.waitsForDebugger = waitsForDebugger
        self.expectsRun = expectsRun
        self.catalogFolder = catalogFolder
        self.unit = unit
    }
}
