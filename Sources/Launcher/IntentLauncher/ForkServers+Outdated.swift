import IntentConfiguration
import IntentLauncherMessages
import IntentSystemd

/// Replaces sandboxes that differ from the host, or from the settings of their app.
extension ForkServers {
    /// Retires sandboxes that differ from the host. Runs in them continue, later runs and those that
    /// wait for a fork server get a new sandbox, and an idle sandbox ends at once, so that its mounts are free.
    func hostChanged(_ found: [(sandbox: Int, path: String)]) {
        for (number, path) in found {
            if number == RunFolders.watchNumber { context.folders.checkSoon() }
            guard let sandbox = sandboxes[number] else { continue }
            context.journal.write(.info, "\(sandbox.appName): '\(path)' has changed: the next run gets a new sandbox")
            sandbox.changedPath = path
            replace(sandbox)
        }
    }

    /// Reports the retired sandboxes of live runs to an intentd that has adopted the runs.
    func reportOutdated() {
        for sandbox in sandboxes.all where sandbox.changedPath != nil { report(sandbox) }
    }

    /// Retires the sandboxes of apps with settings that have changed.
    func retireReconfigured() {
        for sandbox in Array(sandboxes.all) {
            guard let server = sandbox.forkServer, !server.isRetired else { continue }
            if case .found(let app) = context.files.app(sandbox.appName),
                app.forRuns(of: sandbox.owner.intent) == server.app
            {
                continue
            }
            replace(sandbox)
        }
    }

    /// Retires a sandbox, and begins the launches again that wait for its fork server.
    private func replace(_ sandbox: Sandbox) {
        guard let server = sandbox.forkServer, !server.isRetired else { return }
        let waiting = server.removeWaiting()
        retire(sandbox)
        report(sandbox)
        for request in waiting { beginAgain(request) }
    }

    private func report(_ sandbox: Sandbox) {
        let slots = sandbox.slots.union(sandbox.forkServer.map { Set($0.preparations.keys) } ?? [])
        if !slots.isEmpty { reportOutdated(slots.sorted { $0.number < $1.number }, path: sandbox.changedPath) }
    }

    func reportOutdated(_ slots: [SlotID], path: String? = nil) {
        context.sources.countReport()
        context.supervisor.send(.outdated(slots: slots, path: path))
    }
}
