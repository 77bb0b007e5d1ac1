import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// Begins the launches that intentd requests. Users take turns. The app's settings and the host determine how a worker
/// is started.
///
/// A request contains only the name of the app. The launcher reads the app's settings itself.
final class Launches {
    private let context: LauncherContext
    private let adoption: AdoptionState
    private let isolation: HostIsolation
    private let workers: Workers
    private let sandboxes: Sandboxes
    private let forkServers: ForkServers
    /// Launches that have not begun.
    let turns: LaunchTurns

    init(
        _ context: LauncherContext,
        adoption: AdoptionState,
        isolation: HostIsolation,
        workers: Workers,
        sandboxes: Sandboxes,
        forkServers: ForkServers,
        disk: DiskQuotas,
        turns: LaunchTurns
    ) {
        self.turns = turns
        self.context = context
        self.adoption = adoption
        self.isolation = isolation
        self.workers = workers
        self.sandboxes = sandboxes
        self.forkServers = forkServers
        turns.begin = { [weak self] in self?.begin($0) }
        disk.admitted = { [weak self] in self?.begin($0) }
        forkServers.execute = { [weak self] in self?.start($0, $1) }
        forkServers.beginAgain = { [weak self] in self?.begin($0) }
        sandboxes.launchesFailed = { [weak self] in self?.failed($0, $1) }
    }

    private func begin(_ request: LaunchRequest) {
        let supervisor = context.supervisor
        guard request.mode != .serve else {
            return supervisor.refuse(request, "only the launcher itself may start a fork server")
        }
        guard (request.mode == .describe) == (request.user == nil) else {
            return supervisor.refuse(request, "invalid request: a run must have a user, and a description must not")
        }
        adoption.note(request.slot)
        guard workers[request.slot] == nil, sandboxes.preparation(of: request.slot) == nil else {
            return supervisor.refuse(request, "invalid request: slot \(request.slot.number) is already in use")
        }
        switch context.files.app(request.app) {
        case .missing:
            supervisor.refuse(request, "app '\(request.app)' not found: check that it is still installed")
        case .refused(let reason): supervisor.refuse(request, reason)
        case .found(var app):
            // A program that describes itself, such as an MCP server, has not been approved yet.
            if request.mode == .describe, app.unit.command != nil { app.unit.withholdSecrets() }
            let owner = SandboxOwner(of: request)
            if let refusal = context.socketCloser.refusal(of: owner) {
                return supervisor.refuse(request, "\(refusal)")
            }
            start(app.forRuns(of: request.intent), request)
        }
    }

    private func start(_ app: AppSettings, _ request: LaunchRequest) {
        let isolation = self.isolation.of(app.unit.sandbox, isExecuted: forkServers.isUnforkable(app))
        if let refusal = self.isolation.refusal(of: app, isolation) {
            return context.supervisor.refuse(request, refusal)
        }
        do {
            if self.isolation.host.sandboxProblem != nil {
                try startUnsandboxed(app, request, isolation)
            } else if request.mode == .describe || needsOwnSandbox(app) {
                try sandboxes.startAlone(app, request, isolation)
            } else {
                try forkServers.start(app, request, isolation)
            }
        } catch {
            let failure = LaunchFailure(of: error)
            if self.isolation.runSkippedTrial(after: failure) { return start(app, request) }
            context.supervisor.refuse(request, failure)
        }
    }

    /// Refuses the launches for a sandbox that failed. If the trial was skipped because of a record, runs the trial and
    /// begins the launches again: the trial determines the protections that the host lacks.
    private func failed(_ requests: [LaunchRequest], _ error: LaunchError) {
        let failure = LaunchFailure(of: error)
        let beginsAgain = isolation.runSkippedTrial(after: failure)
        for request in requests {
            if beginsAgain { begin(request) } else { context.supervisor.refuse(request, failure) }
        }
    }

    /// Returns true for an app that cannot be forked, and for an app that starts programs on a host that cannot end or
    /// separate the programs of several runs in one sandbox.
    private func needsOwnSandbox(_ app: AppSettings) -> Bool {
        forkServers.isUnforkable(app) || app.unit.sandbox.startsPrograms && isolation.sandboxPerRun != nil
    }

    /// Executes the app without a sandbox, like any other program that runs as the app's user. Used only if the host
    /// cannot create sandboxes and the operator requires no isolation.
    private func startUnsandboxed(_ app: AppSettings, _ request: LaunchRequest, _ isolation: Isolation) throws {
        guard app.unit.credentials.isEmpty else {
            throw UnmetRequirement("the app has credentials, which only a sandbox protects from other apps")
        }
        let owner = SandboxOwner(of: request)
        let host = self.isolation.host
        let user = try self.isolation.identities.unsandboxedUser(of: app, for: owner)
        let state = context.states.unsandboxedFolder(of: app, for: owner, user: user)
        var number = request.slot.number
        var leaf: CgroupLeaf?
        if let cgroups = host.cgroups {
            let made = try RunWorkspace.numbered(number) { name throws(SystemError) in
                try cgroups.makeLeaf(named: name)
            }
            made.leaf.limit(app.unit.sandbox.leafLimits)
            (number, leaf) = (made.number, made.leaf)
        }
        let workspace = try RunWorkspace(
            for: request.slot,
            in: context.folders.runs,
            of: user,
            leaf,
            numbered: number
        )
        let preparation = try workers.prepare(request, at: workspace, diskLimit: app.unit.sandbox.diskMax)
        if request.mode != .describe { preparation.state = StateQuota(state, of: app) }
        do {
            let path = workspace.directory.path
            let process = try LaunchPlan(
                executable: app.executable,
                arguments: app.arguments,
                environment: app.unit.environment(request.mode, home: path, state: state, tools: app.folder),
                directory: path,
                socket: preparation.workerEnds[0],
                output: preparation.workerEnds[1],
                error: preparation.workerEnds[2],
                limits: app.unit.sandbox.resourceLimits(
                    controllers: host.cgroups?.controllers ?? [],
                    sharedRunCount: nil
                ),
                umask: app.unit.sandbox.umask
            ).start(in: leaf, as: user)
            preparation.closeWorkerEnds()
            workers.begin(preparation, process: process, in: nil, isolation)
        } catch {
            workers.abandon(preparation, LaunchFailure(of: error))
        }
    }
}
