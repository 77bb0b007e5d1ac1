import Glibc
import IntentConfiguration
import IntentSandbox

extension SandboxSettings {
    /// The cgroup limits of one run.
    var leafLimits: CgroupLeaf.Limits {
        CgroupLeaf.Limits(memoryByteCount: memoryMax, taskCount: tasksMax, processorPercent: cpuQuotaPercent)
    }

    /// The minimum RLIMIT_NOFILE of a fork server. A fork server opens the folders of its root and receives the
    /// descriptors of commands.
    private static let forkServerOpenFiles = 64
    /// The usual default of RLIMIT_STACK, in bytes.
    private static let stackByteCount: UInt64 = 8 << 20

    /// This process's hard RLIMIT_CORE limit, in bytes. Only a privileged process can give an app a higher limit.
    private static var largestCoreDump: UInt64 {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 ? UInt64(limit.rlim_max) : 0
    }

    /// Returns the resource limits of each process. They limit memory and tasks only if no cgroup controller limits
    /// them.
    ///
    /// - Parameter sharedRunCount: The maximum number of runs that share their limits with a fork server; nil for a
    ///   process that serves a single run.
    func resourceLimits(controllers: [String], sharedRunCount: Int?) -> ResourceLimits {
        var limits = ResourceLimits()
        // A fork server itself needs several descriptors, even if the operator permits very few descriptors per run.
        // The fork server runs the app's code, so its limit must not be much higher than a run's limit.
        limits.openFileCount = UInt64(sharedRunCount != nil ? max(Self.forkServerOpenFiles, openFiles) : openFiles)
        limits.fileByteCount = diskMax.map { UInt64($0) }
        limits.coreByteCount = coreDumps ? Self.largestCoreDump : 0
        if !controllers.contains("memory"), let memoryMax {
            limits.memoryByteCount = UInt64(memoryMax)
            limits.stackByteCount = Self.stackByteCount
            // Limit the address space to 64 times MemoryMax=. Page tables need one page for each 2 MiB of address
            // space, so they use at most an eighth of MemoryMax=. Apps with a GPU are exempt, because graphics drivers
            // reserve address space for all physical memory.
            if !gpu { limits.addressByteCount = max(16 << 30, UInt64(memoryMax) &* 64) }
        }
        if !controllers.contains("pids") {
            limits.taskCount = tasksMax.map { UInt64($0) &* UInt64(sharedRunCount ?? 1) &+ 3 }
        }
        return limits
    }

    /// Returns the permissions of the system call filter for an app with these settings.
    func filterPermissions(on host: SandboxHost) -> SystemCallFilter.Permissions {
        var permissions: SystemCallFilter.Permissions = []
        if host.metadataProblem != nil { permissions.insert(.metadata) }
        if host.landlock.version >= 3 { permissions.insert(.truncatingByName) }
        // Without the memory controller, only RLIMIT_DATA limits a run's memory, so refuse memory that it does not
        // count.
        if memoryMax == nil || host.cgroups?.controllers.contains("memory") == true {
            permissions.insert(.uncountedMemory)
        }
        if network { permissions.formUnion([.network, .listening]) }
        if reach != nil { permissions.insert(.network) }
        if !sockets.isEmpty { permissions.insert(.unixSockets) }
        if usesTerminal { permissions.insert(.terminals) }
        if gpu { permissions.insert(.graphics) }
        if generatedCode { permissions.insert(.generatedCode) }
        // The programs that a run starts send progress and questions to the run's worker as Unix datagrams.
        if usesRunSocket { permissions.insert(.unixDatagrams) }
        if startsPrograms {
            permissions.insert(.subprocesses)
            // Foundation's Process uses UDP over the sandbox's private loopback interface (SandboxPlan+App.swift).
            if !network { permissions.insert(.udp) }
        }
        return permissions
    }
}
