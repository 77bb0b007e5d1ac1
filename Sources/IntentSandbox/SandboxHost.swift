import IntentLinux

/// What this host gives to isolate apps with: found out once, by trying.
package final class SandboxHost {
    package let landlock: Landlock
    /// Nil where leaves cannot be made.
    package let cgroups: CgroupTree?
    /// Why there are no cgroups.
    package let cgroupProblem: String?
    /// Why no sandbox can be made; nil where one can. Set by the trial.
    package var sandboxProblem: String?
    /// Why pid 1 of a sandbox cannot check changes of mode, owner and times of files; nil where it can.
    package var metadataProblem: String?
    /// Compiled at their first use.
    private var filters: [SystemCallFilter.Permissions: SystemCallFilter] = [:]

    /// - Parameter place: The place of the program that this one replaced; nil to find one.
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
