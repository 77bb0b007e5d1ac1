import Glibc
import IntentConfiguration
import IntentDaemon
import IntentHistory
import IntentLifecycle
import IntentSystemd
import IntentWire

/// The operator's files, at the start and when they are read again.
extension Supervisor {
    /// It is known what the apps can do: from here on systemd takes it as started. Clients were served before.
    func sayReady() {
        ServiceNotification.ready.send()
        updateStatus()
    }

    var brokenApps: [AppName] { runTable.brokenApps.union(apps.refused.keys).sorted() }

    /// Reads all files again for the operator: all of what is new holds, or none of it.
    func reload(_ session: ClientSession, _ id: UInt64) {
        guard session.isOperator else {
            let error = ErrorReport(
                .notPermitted,
                "only operators may have intentd read its configuration again",
                hint: "ask root or a member of the group intentd-operators: systemctl reload intentd"
            )
            return session.send(.answer(id: id, .refused(error)))
        }
        let settings: DaemonSettings
        switch apps.reload() {
        case .success(let new): settings = new
        case .failure(let problems):
            journal.write(.error, "not reloaded: the configuration stays as it was", .notReloaded)
            return session.send(.answer(id: id, .refused(problems.report)))
        }
        launcher?.send(.reload)
        history?.keep(Retention(settings.history))
        let found = apps.findApps()
        // Before any client is told that it is done.
        journal.write(.notice, "configuration and apps were read again", .reloaded)
        let warnings = apps.refused.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        handle(.requested(session.asker(id), .reload(RunTable.Capacity(settings), found, warnings: warnings)))
    }

    func logBroken(_ app: AppName, _ problem: String) {
        journal.write(.error, "\(app) cannot be used: \(problem)", .appUnusable, [("INTENT_APP", app.text)])
    }
}

extension RunTable.Capacity {
    init(_ settings: DaemonSettings) {
        self.init()
        runCount = settings.runCount
        runCountPerUser = settings.runCountPerUser
        queueCount = settings.queueCount
        waitingCount = settings.waitingCount
    }
}

extension Retention {
    init(_ settings: HistorySettings) {
        self.init()
        keep = settings.keep
        keepOutput = settings.keepOutput
        keepFiles = settings.keepFiles
        runCountMax = settings.runCountMax
        byteCountMax = settings.byteCountMax
    }
}
