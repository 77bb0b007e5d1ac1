import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// A sandbox with two processes: pid 1, and the process that executes the app.
///
/// The app's process is either a fork server, which forks many workers, or the sandbox's only worker.
final class Sandbox {
    enum Use {
        /// The app's process is a fork server, which forks a worker for each request.
        case forkServer(ForkServer)
        /// The app's process is a worker. The preparation is nil once the worker has begun.
        case worker(Preparation?)
        /// The app's process is a fork server of the replaced launcher program, and forks no more workers.
        case remains
    }

    let number: Int
    let owner: SandboxOwner
    /// The user ids of the processes; nil if they run as the launcher's user.
    let ids: SandboxIDs?
    /// The number that ``ForkServerTable`` assigned at the latest use. The idle sandbox with the lowest number is
    /// retired first.
    var lastUse: UInt64 = 0
    /// The folder that contains the folders of the sandbox's runs.
    let folder: String
    /// The cgroup of the sandbox; nil on a host without cgroups.
    let group: CgroupGroup?
    let isolation: Isolation
    var use: Use
    /// The process id of pid 1, as the launcher sees it; 0 until the sandbox is started.
    private(set) var initProcess: Int32 = 0
    /// The process id of the app's process; 0 until the sandbox is started.
    private(set) var server: Int32 = 0
    /// The quota of the app's state folder (`StateMax=`).
    var state: StateQuota?
    /// The symbolic links in the folder of each run.
    var runLinks: [String: String] = [:]
    /// Makes the roots of runs; nil if runs need none, and in a sandbox of the replaced launcher program.
    var roots: SandboxRoots?
    /// The event source of the pipe that reports whether the app was executed; nil once the result has been read.
    var report: EventSource?
    /// Reads the result from the pipe: the step that failed, or nil if the app was executed.
    var launchFailure: (() -> LaunchError?)?
    /// True once pid 1 has been reaped.
    var isInitReaped = false
    /// The exit status of the app's process; nil until the process is reaped.
    var serverEnd: ProcessEnd?
    /// The slots of the workers in the sandbox.
    var slots: Set<SlotID> = []
    /// The path that has changed on the host since the sandbox was made; nil while the sandbox is current.
    var changedPath: String?
    /// The timer that ends a sandbox that has been idle for too long, or kills a fork server that does not respond.
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
        // The kernel permits this only now, because the processes that set up the sandbox have left the group
        // (cgroups(7), "no internal processes").
        group?.enableControllers()
    }

    /// Kills pid 1 of the sandbox. The kernel then kills all other processes in the sandbox.
    func end() {
        guard initProcess > 0, !isInitReaped else { return }
        _ = kill(initProcess, SIGKILL)
        group?.kill()
    }

    /// True once both processes have been reaped.
    var hasExited: Bool { isInitReaped && serverEnd != nil }
}

/// The state that the launcher keeps about a sandbox's fork server.
final class ForkServer {
    /// The app's settings when the fork server was started.
    let app: AppSettings
    /// The socket on which the fork server receives commands and sends reports.
    let control: SharedFileDescriptor
    var link: RecordSocket?
    /// True once the fork server has reported that it can fork.
    var isReady = false
    /// The requests waiting until the fork server is ready.
    var waiting: [LaunchRequest] = []
    /// The prepared workers that the fork server has been told to fork but has not reported yet.
    var preparations: [SlotID: Preparation] = [:]
    /// True once the fork server must fork no more workers, for example because the app's settings have changed or the
    /// fork server was idle for too long.
    private(set) var isRetired = false
    /// The clean workspaces of ended runs, for reuse.
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

    /// Keeps the workspace of an ended run for reuse. Returns false if the workspace is not clean or not needed. The
    /// caller must then remove it.
    func keep(_ workspace: RunWorkspace, from slot: SlotID) -> Bool {
        guard !isRetired, workspaces.count < Self.workspaceLimit, workspace.keep(from: slot) else { return false }
        workspaces.append(workspace)
        return true
    }

    /// Removes and returns the requests waiting until the fork server is ready.
    func removeWaiting() -> [LaunchRequest] {
        defer { waiting = [] }
        return waiting
    }

    /// Returns the reason why the process exited, and advice for the operator.
    func explanation(of end: ProcessEnd) -> (reason: String, advice: String) {
        let advice = "Run '\(app.executable)' in a shell to find the cause."
        switch end {
        case .exited(ForkCommand.refusalExitCode):
            return (
                "it does not support this launcher's commands",
                "Rebuild '\(app.executable)' with this release of AppIntents."
            )
        case .exited(let code): return ("exit code \(code)", advice)
        case .signaled(let number): return ("killed by signal \(number)", advice)
        }
    }

    /// Returns the failure for the run's caller that explains why the fork server could not fork a worker.
    static func refusal(_ error: Int32) -> LaunchFailure {
        let code = Errno(rawValue: error)
        let reason =
            error == EBUSY ? "it has started a thread, which fork(2) would not copy to the worker" : "\(code)"
        return LaunchFailure("the app's fork server cannot fork: \(reason)", code)
    }

    func removeWorkspace() -> RunWorkspace? { workspaces.popLast() }

    /// Removes the kept workspaces except the first `count`. Their folders are empty, so no child process is needed to
    /// remove them.
    func removeWorkspaces(keeping count: Int = 0) {
        for workspace in workspaces.dropFirst(count) { workspace.remove(from: .forkServer) }
        workspaces = Array(workspaces.prefix(count))
    }
}

/// A worker's resources that are created before its process exists.
final class Preparation {
    let request: LaunchRequest
    let workspace: RunWorkspace
    /// The limit on the run's disk usage in bytes (`DiskMax=`).
    let diskLimit: Int64?
    /// The quota of the app's state folder (`StateMax=`), for a worker without a sandbox.
    var state: StateQuota?
    /// The supervisor's ends of the worker's socket, and of the pipes for its standard output and standard error. They
    /// are passed to intentd.
    let supervisorEnds: [SharedFileDescriptor]
    /// The worker's ends of the socket and the pipes, in the order in which a fork server receives them. The launcher
    /// closes these ends after it has passed them to the worker.
    private(set) var workerEnds: [SharedFileDescriptor]
    /// The signal to send once the process has started; nil if no signal was requested.
    var signal: StopSignal?

    /// - Parameter closer: Closes the socket, which may still contain descriptors that the app sent.
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
        let (output, error) = (try Pipe(), try Pipe())
        // The run's user may open its streams again by name (/dev/stdout), but not read what it has written.
        for pipe in [output, error] { try pipe.permitWriting() }
        supervisorEnds = [sockets.first, output.reading, error.reading]
        workerEnds = [sockets.second, output.writing, error.writing]
    }

    /// The supervisor's end of the worker's socket.
    var socket: SharedFileDescriptor { supervisorEnds[0] }

    /// Closes the worker's ends after they have been passed to the worker.
    func closeWorkerEnds() { workerEnds = [] }
}
