import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// One started sandbox: pid 1, and the process of an app's executable.
///
/// Its executable is the fork server of many workers, or the one worker itself.
final class Sandbox {
    enum Use {
        /// It forks a worker for each request.
        case forkServer(ForkServer)
        /// Its executable is a worker. The preparation is set until the worker begins.
        case worker(Preparation?)
        /// It had a fork server, which serves no runs since the launcher's program was replaced.
        case remains
    }

    let number: Int
    let owner: SandboxOwner
    /// Nil: its processes have the launcher's own user.
    let ids: SandboxIDs?
    /// The number of its latest use, as ``ForkServerTable`` counts them.
    var lastUse: UInt64 = 0
    /// Of the directories of its runs.
    let folder: String
    let group: CgroupGroup?
    let isolation: Isolation
    var use: Use
    private(set) var initProcess: Int32 = 0
    private(set) var server: Int32 = 0
    /// `StateMax=` of its app's state folder.
    var state: StateQuota?
    /// Watches for the start of the executable, or the step that failed before.
    var report: EventSource?
    /// Reads that report: the step that failed, or nil.
    var launchFailure: (() -> LaunchError?)?
    var isInitReaped = false
    /// How the executable's process ended; nil while it lives.
    var serverEnd: ProcessEnd?
    /// Runs that work in it.
    var slots: Set<SlotID> = []
    /// Ends it when it has been idle for long, or when its fork server does not answer.
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

    /// It has a fork server that serves no run and is not retired.
    var isIdleServer: Bool {
        guard let server = forkServer, !server.isRetired else { return false }
        return slots.isEmpty && server.preparations.isEmpty && server.waiting.isEmpty
    }

    func started(initProcess: Int32, server: Int32) {
        self.initProcess = initProcess
        self.server = server
        // Nothing is left in the group itself now, and its leaves can have their controllers.
        group?.enableControllers()
    }

    /// Ends all that is in it, by its pid 1.
    func end() {
        guard initProcess > 0, !isInitReaped else { return }
        _ = kill(initProcess, SIGKILL)
        group?.kill()
    }

    /// Nothing of its processes is left.
    var hasExited: Bool { isInitReaped && serverEnd != nil }
}

/// What the launcher knows of the fork server in a sandbox.
final class ForkServer {
    /// As it was when this was started.
    let app: AppSettings
    let control: SharedFileDescriptor
    var link: RecordSocket?
    /// It said that it is warm.
    var isReady = false
    /// Requests that wait until it is.
    var waiting: [LaunchRequest] = []
    /// Forks that it was told of and has not answered.
    var preparations: [SlotID: Preparation] = [:]
    /// No new runs: its app's files have changed since, or it is not wanted any more.
    private(set) var isRetired = false
    /// The places of ended runs, each as good as a new one.
    private var places: [RunPlace] = []
    private static let placeLimit = 16

    init(of app: AppSettings, control: SharedFileDescriptor) {
        self.app = app
        self.control = control
    }

    func retire() {
        isRetired = true
        dropPlaces()
    }

    /// Keeps the place of a run that is over for another; false where it must be removed.
    func keep(_ place: RunPlace) -> Bool {
        guard !isRetired, places.count < Self.placeLimit, place.renew() else { return false }
        places.append(place)
        return true
    }

    func takePlace() -> RunPlace? { places.popLast() }

    /// They are empty, and go at once; all but so many.
    func dropPlaces(keeping count: Int = 0) {
        for place in places.dropFirst(count) { place.remove() }
        places = Array(places.prefix(count))
    }
}

/// Everything that a worker needs, made before its process.
final class Preparation {
    let request: LaunchRequest
    let place: RunPlace
    /// `DiskMax=`, in bytes.
    let diskLimit: Int64?
    /// `StateMax=` of its app's state folder, where that is not its sandbox's.
    var state: StateQuota?
    let socket: SharedFileDescriptor
    let output: SharedFileDescriptor
    let error: SharedFileDescriptor
    /// The worker's ends, in the order in which a fork server gets them; closed once it has them.
    private(set) var workerEnds: [SharedFileDescriptor]
    /// A signal that came before there was a process.
    var signal: StopSignal?

    /// - Parameter closer: Closes the socket: the app's code may have left descriptors in it.
    init(
        _ request: LaunchRequest,
        at place: RunPlace,
        diskLimit: Int64?,
        closer: @escaping SharedFileDescriptor.Closer
    ) throws {
        self.request = request
        self.place = place
        self.diskLimit = diskLimit
        let sockets = try UnixSocket.Pair(.sequencedPacket).take(closer: closer)
        let output = try Pipe()
        let error = try Pipe()
        socket = sockets.first
        self.output = output.reading
        self.error = error.reading
        workerEnds = [sockets.second, output.writing, error.writing]
    }

    /// What `intentd` gets.
    var supervisorEnds: [SharedFileDescriptor] { [socket, output, error] }

    func handOver() { workerEnds = [] }
}
