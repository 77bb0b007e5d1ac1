import IntentLinux

/// What this host provides to isolate apps, determined once by a trial.
package final class SandboxHost {
    package let landlock: Landlock
    /// Nil if this host cannot make leaves.
    package let cgroups: CgroupTree?
    /// Why there are no cgroups.
    package let cgroupProblem: String?
    /// Why no sandbox can be made; nil if one can. Set by the trial.
    package var sandboxProblem: String?
    /// Why pid 1 of a sandbox cannot check changes of mode, owner and times of files; nil if it can.
    package var metadataProblem: String?
    /// Filters by what they permit, compiled at their first use.
    private var filters: [SystemCallFilter.Permissions: SystemCallFilter] = [:]

    /// - Parameter place: The cgroup that the replaced program used; nil to find one.
    package init(cgroupsAt place: CgroupTree.Place? = nil) {
        landlock = .ofKernel
        do {
            cgroups = if let place { try CgroupTree(at: place) } else { try CgroupTree() }
            cgroupProblem = nil
        } catch {
            cgroups = nil
            cgroupProblem = "\(error)"
        }
    }

    /// The filter of system calls, made at its first use.
    package func filter(_ permissions: SystemCallFilter.Permissions) -> SystemCallFilter {
        if let known = filters[permissions] { return known }
        let filter = SystemCallFilter(permissions)
        filters[permissions] = filter
        return filter
    }
}
