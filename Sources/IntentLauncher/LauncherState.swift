import IntentLinux
import IntentSandbox
import IntentWire

/// The state of a launcher for the program that replaces it in the same process.
///
/// Descriptors are numbers that stay open across execve(2). Child processes stay children, because the process is the
/// same.
struct LauncherState: Codable {
    /// A program reads its own version and the previous one.
    static let currentVersion = 1

    struct Sandbox: Codable {
        enum Use: String, Codable { case worker, remains }

        var number: Int
        var app: AppName
        /// Also nil in the state of an earlier release, in which all users of an app shared a sandbox.
        var user: UInt32?
        /// Also nil in the state of an earlier release, which identified users by their uid alone.
        var account: String?
        /// Also nil when the launcher had no ids to assign.
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
        /// The directory's owner, for a run without a sandbox; nil: the launcher's user.
        var openUser: UInt32?
        /// The path of the worker's cgroup leaf, until the leaf is removed.
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
        /// The run under which files of its result are kept; also nil if the launcher did not record it.
        var keptRun: RunID?
        /// Nil for an app without a state folder, and in the state of a launcher of an earlier release.
        var state: StateQuota?
    }

    struct Input: Codable {
        var run: RunID
        var socket: Int32
    }

    var version = Self.currentVersion
    /// The socket that the launcher listens on.
    var listener: Int32
    /// The connection to the `intentd` that waits to be served.
    var supervisor: Int32
    /// The notes of an `intentd` about its runs.
    var notes: Int32?
    /// The sockets in which files from clients wait; nil when no files wait.
    var inputs: [Input]?
    var lastSlot: UInt64
    var lastSandbox: Int
    var lostNanoseconds: Int64?
    var cgroups: CgroupTree.Location?
    var removers: [Int32]
    var staleFolders: [String]
    var sandboxes: [Sandbox]
    var slots: [Slot]
}

extension LauncherState {
    /// True if this program can read a state of this version.
    static func understands(_ version: Int) -> Bool {
        version <= currentVersion && version >= max(1, currentVersion - 1)
    }

    /// All descriptors that must stay open.
    var descriptors: [Int32] {
        [listener, supervisor] + [notes, cgroups?.lock].compactMap(\.self) + (inputs ?? []).map(\.socket)
            + slots.flatMap(\.keptEnds)
    }
}
