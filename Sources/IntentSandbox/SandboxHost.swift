import IntentLinux

/// The isolation features of this host, determined once by a trial.
package final class SandboxHost {
    package let landlock: Landlock
    /// Nil if leaves cannot be created on this host.
    package let cgroups: CgroupTree?
    /// Why this host has no cgroups for workers.
    package let cgroupProblem: String?
    /// Why no sandbox can be created; nil if one can. Set by the trial.
    package var sandboxProblem: String?
    /// Why pid 1 of a sandbox cannot check changes of mode, owner and times of files; nil if it can.
    package var metadataProblem: String?
    /// Compiled filters by what they permit.
    private var filters: [SystemCallFilter.Permissions: SystemCallFilter] = [:]

    /// - Parameter location: The cgroups of the replaced program; nil to find some.
    package init(cgroupsAt location: CgroupTree.Location? = nil) {
        landlock = .ofKernel
        do {
            cgroups = if let location { try CgroupTree(at: location) } else { try CgroupTree() }
            cgroupProblem = nil
        } catch {
            cgroups = nil
            cgroupProblem = "\(error)"
        }
    }

    /// Returns the system call filter, which is compiled at its first use.
    package func filter(_ permissions: SystemCallFilter.Permissions) -> SystemCallFilter {
        if let known = filters[permissions] { return known }
        let filter = SystemCallFilter(permissions)
        filters[permissions] = filter
        return filter
    }
}
