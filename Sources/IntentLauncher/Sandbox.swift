import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// A started sandbox: pid 1, and the process of an app's executable.
///
/// The executable is either the fork server of many workers, or the only worker.
final class Sandbox {
    enum Use {
        /// The executable forks a worker for each request.
        case forkServer(ForkServer)
        /// The executable is a worker. The preparation is nil once the worker has begun.
        case worker(Preparation?)
        /// The executable was a fork server of the replaced launcher program. It forks no more workers.
        case remains
    }

    let number: Int
    let owner: SandboxOwner
    /// Nil if the processes run as the launcher's own user.
    let ids: SandboxIDs?
    /// The number of the latest use, for ``ForkServerTable``.
    var lastUse: UInt64 = 0
    /// The folder of the runs' directories.
    let folder: String
    let group: CgroupGroup?
    let isolation: Isolation
    var use: Use
    private(set) var initProcess: Int32 = 0
    private(set) var server: Int32 = 0
    /// `StateMax=` of the app's state folder.
    var state: StateQuota?
    /// Waits until the executable has started, or an earlier step has failed.
    var report: EventSource?
    /// Reads the report; nil when no step failed.
    var launchFailure: (() -> LaunchError?)?
    var isInitReaped = false
    /// How the executable's process ended; nil while it runs.
    var serverEnd: ProcessEnd?
    /// The runs in the sandbox.
    var slots: Set<SlotID> = []
    /// Ends the sandbox when it has been idle for too long, or when its fork server does not answer.
    var timer: EventSource?

    init(
        number: Int,
        owner: SandboxOwner,
        ids: SandboxIDs?,
        folder: String,
        group: CgroupGroup?,
        isolation: Isolation,
        use: Use
    ) {
        self.number = number
        self.owner = owner
        self.ids = ids
        self.folder = folder
        self.group = group
        self.isolation = isolation
        self.use = use
    }

    var appName: AppName { owner.app }

    var forkServer: ForkServer? {
        if case .forkServer(let server) = use { return server }
        return nil
    }

    /// True for a fork server that serves no run and is not retired.
    var isIdleServer: Bool {
        guard let server = forkServer, !server.isRetired else { return false }
        return slots.isEmpty && server.preparations.isEmpty && server.waiting.isEmpty
    }

    func started(initProcess: Int32, server: Int32) {
        self.initProcess = initProcess
        self.server = server
        // The group itself has no processes any more, so its leaves can have controllers.
        group?.enableControllers()
    }

    /// Kills pid 1, which ends every process of the sandbox.
    func end() {
        guard initProcess > 0, !isInitReaped else { return }
        _ = kill(initProcess, SIGKILL)
        group?.kill()
    }

    /// True when both processes have been reaped.
    var hasExited: Bool { isInitReaped && serverEnd != nil }
}

/// The launcher's view of the fork server in a sandbox.
final class ForkServer {
    /// The app's settings when the fork server was started.
    let app: AppSettings
    let control: SharedFileDescriptor
    var link: RecordSocket?
    /// True once the fork server has reported that it can fork.
    var isReady = false
    /// Requests that wait until the fork server is ready.
    var waiting: [LaunchRequest] = []
    /// Commands that the fork server has not answered.
    var preparations: [SlotID: Preparation] = [:]
    /// True once the fork server forks no more workers, because its app's files have changed or it was idle for too long.
    private(set) var isRetired = false
    /// Renewed workspaces of runs that have ended.
    private var workspaces: [RunWorkspace] = []
    private static let workspaceLimit = 16

    init(of app: AppSettings, control: SharedFileDescriptor) {
        self.app = app
        self.control = control
    }

    func retire() {
        isRetired = true
        removeWorkspaces()
    }

    /// Keeps the workspace of an ended run for another run; false if the caller must remove it.
    func keep(_ workspace: RunWorkspace) -> Bool {
        guard !isRetired, workspaces.count < Self.workspaceLimit, workspace.renew() else { return false }
        workspaces.append(workspace)
        return true
    }

    /// Removes and returns the requests that wait until the fork server is ready.
    func removeWaiting() -> [LaunchRequest] {
        defer { waiting = [] }
        return waiting
    }

    /// How the process ended, and what the operator can do about it.
    func explanation(of end: ProcessEnd) -> (words: String, advice: String) {
        let advice = "Run '\(app.executable)' by hand to see why."
        switch end {
        case .exited(ForkCommand.refusalExitCode):
            return (
                "it does not understand this launcher's commands",
                "Build '\(app.executable)' again with the AppIntents of this release."
            )
        case .exited(let code): return ("it exited with code \(code)", advice)
        case .signaled(let number): return ("signal \(number) ended it", advice)
        }
    }

    /// Why a fork server could not fork a worker, for the run's caller.
    static func refusal(_ error: Int32) -> String {
        switch error {
        case EAGAIN:
            "the app's runs use all processes and threads that TasksMax= allows; try again when one of the runs has ended"
        case EBUSY: "it has started a thread, which fork(2) would not copy into the worker"
        default: "\(Errno(rawValue: error))"
        }
    }

    func removeWorkspace() -> RunWorkspace? { workspaces.popLast() }

    /// Removes all kept workspaces but `count`. Their folders are empty, so no child process is needed.
    func removeWorkspaces(keeping count: Int = 0) {
        for workspace in workspaces.dropFirst(count) { workspace.remove() }
        workspaces = Array(workspaces.prefix(count))
    }
}

/// Everything that a worker needs before its process exists.
final class Preparation {
    let request: LaunchRequest
    let workspace: RunWorkspace
    /// `DiskMax=`, in bytes.
    let diskLimit: Int64?
    /// `StateMax=` of the app's state folder, for a worker without a sandbox.
    var state: StateQuota?
    let socket: SharedFileDescriptor
    let output: SharedFileDescriptor
    let error: SharedFileDescriptor
    /// The worker's ends, in the order in which a fork server receives them. Closed once the worker has them.
    private(set) var workerEnds: [SharedFileDescriptor]
    /// A signal that was requested before the process started.
    var signal: StopSignal?

    /// - Parameter closer: Closes the socket, which may still contain descriptors from the app's code.
    init(
        _ request: LaunchRequest,
        at workspace: RunWorkspace,
        diskLimit: Int64?,
        closer: @escaping SharedFileDescriptor.Closer
    ) throws {
        self.request = request
        self.workspace = workspace
        self.diskLimit = diskLimit
        let sockets = try UnixSocket.Pair(.sequencedPacket).shared(closer: closer)
        let output = try Pipe()
        let error = try Pipe()
        socket = sockets.first
        self.output = output.reading
        self.error = error.reading
        workerEnds = [sockets.second, output.writing, error.writing]
    }

    /// The ends that intentd receives.
    var supervisorEnds: [SharedFileDescriptor] { [socket, output, error] }

    func handOver() { workerEnds = [] }
}
