import IntentConfiguration
import IntentLifecycle

extension SandboxSettings {
    /// The grants with which the run table explains errors that the sandbox causes.
    var grants: SandboxGrants {
        var grants = SandboxGrants()
        grants.hasNetwork = network
        grants.connectPorts = connectPorts
        grants.hasSubprocesses = subprocesses
        grants.readPaths = readPaths + devices + sockets + (gpu ? ["/dev/dri"] : [])
        grants.writePaths = writePaths
        return grants
    }
}
