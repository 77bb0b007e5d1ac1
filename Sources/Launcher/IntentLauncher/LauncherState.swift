import IntentLauncherMessages
import IntentLinux
import IntentSandbox

/// The state that a launcher program passes to the program that replaces it in the same process.
///
/// Descriptors are passed as numbers, and stay open across execve(2). Child processes remain children of the process.
struct LauncherState: Codable {
    /// The version of the state that this program writes and reads.
    static let currentVersion = 1

    struct Sandbox: Codable {
        enum Use: String, Codable { case worker, remains }

        var number: Int
        var app: AppName
        /// The owner's uid; nil for the process that describes an app.
        var user: UInt32?
        /// The owner's account; nil if it is unknown.
        var account: String?
        /// The user ids of the sandbox's processes; nil if the launcher had no ids to assign.
        var ids: SandboxIDs?
        var folder: String
        /// The path of the sandbox's cgroup.
        var group: String?
        var isolation: Isolation
        var use: Use
        var initProcess: Int32
        var server: Int32
        var isInitReaped: Bool
        var serverEnd: ProcessEnd?
    }

    struct Slot: Codable {
        var id: SlotID
        var process: Int32
        var directory: String
        /// The uid that owns the folder of a run without a sandbox; nil for the launcher's user.
        var openUser: UInt32?
        /// The path of the worker's cgroup leaf; nil once the leaf has been removed.
        var leaf: String?
        var sandbox: Int?
        var diskLimit: Int64?
        var isolation: Isolation
        var keptEnds: [Int32]
        var orphans: [Int32]
        var leftoverProcessCount: Int
        var processEnd: ProcessEnd?
        var usage: ResourceUsage?
        var end: SlotEnd?
        var exceeded: SandboxLimit?
        var isReleased: Bool
        /// The slot's run, if the results folder contains any of the run's files; nil if it contains none.
        var keptRun: RunID?
        /// The quota of the app's state folder; nil for an app without a quota.
        var state: StateQuota?
    }

    /// The connection to intentd-egress, and the sandboxes that it serves.
    struct Egress: Codable {
        struct Served: Codable {
            var sandbox: Int
            var grants: [HostGrant]
            var sockets: [Int32]
            var generation: Int
        }

        var connection: Int32?
        var process: Int32?
        var served: [Served]
        /// The open questions; a launcher that asks none does not write them.
        var open: Set<HostQuestion>?
    }

    struct Input: Codable {
        var run: RunID
        var socket: Int32
    }

    var version = Self.currentVersion
    /// The socket on which the launcher listens.
    var listener: Int32
    /// The connection to the `intentd` that the new program must serve.
    var supervisor: Int32
    /// The memory in which `intentd` stored notes about its runs.
    var notes: Int32?
    /// The sockets that hold files from clients for runs without a worker.
    var inputs: [Input]
    var lastSlot: UInt64
    var lastSandbox: Int
    var lostNanoseconds: Int64?
    var cgroups: CgroupTree.Location?
    var removers: [Int32]
    var staleFolders: [String]
    var egress: Egress?
    var sandboxes: [Sandbox]
    var slots: [Slot]
}

extension LauncherState {
    /// Returns true if this program can read state with this version.
    static func canRead(_ version: Int) -> Bool { version == currentVersion }

    /// All descriptors that must stay open across execve(2).
    var descriptors: [Int32] {
        [listener, supervisor] + [notes, cgroups?.lock].compactMap(\.self) + inputs.map(\.socket)
            + slots.flatMap(\.keptEnds) + (egress?.connection.map { [$0] } ?? [])
            + (egress?.served.flatMap(\.sockets) ?? [])
    }
}
