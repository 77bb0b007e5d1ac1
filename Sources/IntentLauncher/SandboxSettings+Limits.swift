import IntentConfiguration
import IntentSandbox

extension SandboxSettings {
    var leafLimits: CgroupLeaf.Limits {
        CgroupLeaf.Limits(memoryByteCount: memoryMax, taskCount: tasksMax, processorPercent: cpuQuotaPercent)
    }

    /// The number of descriptors that a fork server may open: the folders of its root, and the descriptors of a
    /// command.
    private static let forkServerOpenFiles = 64
    /// The usual default stack size.
    private static let stackByteCount: UInt64 = 8 << 20

    /// The resource limits of each process, including memory and tasks if no cgroup controller limits these.
    ///
    /// - Parameter sharedRunCount: The number of runs that are counted together with their fork server; nil for a
    ///   single run.
    func resourceLimits(controllers: [String], sharedRunCount: Int?) -> ResourceLimits {
        var limits = ResourceLimits()
        // A fork server runs the app's own code. It needs a few more descriptors than the smallest run.
        limits.openFileCount = UInt64(sharedRunCount != nil ? max(Self.forkServerOpenFiles, openFiles) : openFiles)
        limits.fileByteCount = diskMax.map { UInt64($0) }
        if !controllers.contains("memory"), let memoryMax {
            limits.memoryByteCount = UInt64(memoryMax)
            limits.stackByteCount = Self.stackByteCount
            // Page tables need one page for each 2 MiB, an eighth of MemoryMax= in all. Graphics drivers reserve
            // address space for all physical memory.
            if !gpu { limits.addressByteCount = max(16 << 30, UInt64(memoryMax) &* 64) }
        }
        if !controllers.contains("pids") {
            limits.taskCount = tasksMax.map { UInt64($0) &* UInt64(sharedRunCount ?? 1) &+ 2 }
        }
        return limits
    }

    func filterPermissions(on host: SandboxHost) -> SystemCallFilter.Permissions {
        var permissions: SystemCallFilter.Permissions = []
        if host.metadataProblem != nil { permissions.insert(.metadata) }
        if host.landlock.version >= 3 { permissions.insert(.truncatingByName) }
        // Without the memory controller, RLIMIT_DATA limits the memory of a run.
        if memoryMax == nil || host.cgroups?.controllers.contains("memory") == true {
            permissions.insert(.uncountedMemory)
        }
        if network { permissions.insert(.network) }
        if network, connectPorts.isEmpty { permissions.insert(.listening) }
        if !connectPorts.isEmpty { permissions.insert(.tcp) }
        if !sockets.isEmpty { permissions.insert(.unixSockets) }
        // Programs of a run send progress and questions to its worker.
        if usesRunSocket { permissions.insert(.unixDatagrams) }
        if startsPrograms {
            permissions.insert(.subprocesses)
            // The sandbox's own loopback interface carries UDP; see SandboxPlan.
            if !network, connectPorts.isEmpty { permissions.insert(.udp) }
        }
        return permissions
    }
}
