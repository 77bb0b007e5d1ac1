import IntentLinux

/// The isolation features of this host. The launcher determines them once, partly by a trial.
package final class SandboxHost {
    package let landlock: Landlock
    /// The launcher's cgroups; nil if the launcher cannot create cgroups on this host.
    package let cgroups: CgroupTree?
    /// The reason why the launcher cannot create cgroups on this host; nil if the launcher can create cgroups.
    package let cgroupProblem: String?
    /// The reason why the launcher cannot create sandboxes on this host; nil if it can. Set after the trial.
    package var sandboxProblem: String?
    /// The reason why pid 1 of a sandbox cannot check changes to the mode, owner and times of files; nil if it can. Set
    /// after the trial.
    package var metadataProblem: String?
    /// The compiled filters, by their permissions.
    private var filters: [SystemCallFilter.Permissions: SystemCallFilter] = [:]

    /// - Parameter location: The cgroups of the replaced program; nil to use the cgroup of this process.
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

    /// Returns the system call filter with these permissions. The filter is compiled when it is first used.
    package func filter(_ permissions: SystemCallFilter.Permissions) -> SystemCallFilter {
        if let known = filters[permissions] { return known }
        let filter = SystemCallFilter(permissions)
        filters[permissions] = filter
        return filter
    }
}
