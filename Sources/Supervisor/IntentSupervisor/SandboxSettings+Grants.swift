package import IntentConfiguration
package import IntentLifecycle

extension SandboxSettings {
    /// The grants with which the run table explains errors that the sandbox causes.
    package var grants: SandboxGrants {
        var grants = SandboxGrants()
        grants.hasNetwork = network
        grants.hasHosts = !hosts.isEmpty
        grants.hostQuestions = network ? nil : hostQuestions
        grants.hasSubprocesses = startsPrograms
        grants.generatesCode = generatedCode
        grants.readPaths = programs.flatMap(\.paths) + readPaths + devices + sockets + (gpu ? ["/dev/dri"] : [])
        grants.writePaths = writePaths
        return grants
    }
}
