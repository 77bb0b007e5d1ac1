import Glibc
import IntentConfiguration
import IntentHistory
import IntentLifecycle
import IntentSystemd
import IntentWire

/// The operator's files, at the start and when they are read again.
extension Supervisor {
    /// Every app that may be used; what is wrong with the others is in ``refusedApps``.
    func findApps() -> [InstalledApp] {
        refusedApps = [:]
        appProblems = [:]
        return installation.appNames(on: .kernel).compactMap(installedApp)
    }

    /// It is known what the apps can do: from here on systemd takes it as started. Clients were served before.
    func sayReady() {
        ServiceNotification.ready.send()
        updateStatus()
    }

    var brokenApps: [AppName] { runTable.brokenApps.union(refusedApps.keys).sorted() }

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
        let problems = memory.reload(in: installation, on: .kernel)
        guard problems.isEmpty else {
            for problem in problems { log(problem, .error) }
            journal.write(.error, "not reloaded: the configuration stays as it was", .notReloaded)
            return session.send(.answer(id: id, .refused(Self.refusal(problems))))
        }
        let settings = memory.daemon(in: installation, on: .kernel)
        configurationProblems = []
        knownProblems = []
        launcher?.send(.reload)
        history?.keep(Retention(settings.history))
        let apps = findApps()
        // Before anybody is told that it is done.
        journal.write(.notice, "configuration and apps were read again", .reloaded)
        let warnings = refusedApps.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        handle(
            .requested(
                session.id,
                session.user,
                session.rank,
                id: id,
                .reload(RunTable.Capacity(settings), apps, warnings: warnings),
                by: session.caller
            )
        )
    }

    /// A mistake in a file, with the fields that systemd's own have.
    func log(_ problem: ConfigurationProblem, _ level: Journal.Level) {
        var fields = [("CONFIG_FILE", problem.file)]
        if let line = problem.line { fields.append(("CONFIG_LINE", String(line))) }
        journal.write(level, "\(problem)", .badConfiguration, fields)
    }

    func logBroken(_ app: AppName, _ problem: String) {
        journal.write(.error, "\(app) cannot be used: \(problem)", .appUnusable, [("INTENT_APP", app.text)])
    }

    private static let shownProblemCount = 20

    private static func refusal(_ problems: [ConfigurationProblem]) -> ErrorReport {
        var lines = problems.prefix(shownProblemCount).map(\.description)
        if problems.count > shownProblemCount { lines.append("and \(problems.count - shownProblemCount) more") }
        return ErrorReport(
            .badConfiguration,
            lines.joined(separator: "\n"),
            hint: "Nothing has changed. Correct this, then reload again."
        )
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
