package import IntentLauncherMessages

/// Requests that need the catalogues of several apps.
extension RunTable {
    /// A request waiting until every app has described its intents or has failed.
    struct PendingList: Sendable {
        enum Purpose: Sendable {
            case list(RequestOrigin)
            /// A client requested a reload. The strings are warnings about apps that are not in the list, and the set
            /// contains the intents that `[Notify]` names.
            case reload(RequestOrigin, [String], Set<NotifyRule.Target>)
            /// A client requested the status. The set contains the apps that the caller may see.
            case status(RequestOrigin, StatusFacts, visible: Set<AppName>)
            /// `intentd` itself needs all catalogues when it starts.
            case start
        }

        var purpose: Purpose
        var remainingCount: Int
        var apps: [AppDescription]

        /// The origin of the request; nil for the list that `intentd` itself requests when it starts.
        var origin: RequestOrigin? {
            switch purpose {
            case .list(let origin), .reload(let origin, _, _), .status(let origin, _, _): origin
            case .start: nil
            }
        }
    }

    /// The apps that failed to describe their intents in the last attempt, with the reasons.
    package var brokenApps: [AppName: String] { apps.compactMapValues(\.problem) }

    /// Returns the catalogue that this version of an app has described; nil if it has not.
    package func catalog(of app: InstalledApp) -> IntentCatalog? { apps[app.name]?.catalog(of: app) }

    /// Asks the apps to describe their intents. An app with a catalogue that an earlier daemon has recorded is not asked.
    mutating func started(
        _ installed: [InstalledApp],
        with catalogs: [InstalledApp.Fingerprint: IntentCatalog],
        at now: Now
    ) -> [Action] {
        for app in installed {
            guard let catalog = catalogs[app.fingerprint] else { continue }
            apps[app.name, default: AppStateMachine()].state = .known(app.fingerprint, catalog)
        }
        know(installed)
        return describe(installed, for: .start, at: now)
    }

    /// Forgets the catalogues of apps that a file of intentd.command(5) describes: their warnings depend on programs, which
    /// can have changed although the file has not.
    mutating func forgetCatalogs(ofCommandsAmong installed: [InstalledApp]) {
        for app in installed where app.fingerprint.commandFile != nil {
            if case .known? = apps[app.name]?.state { apps[app.name]?.state = .cold }
        }
    }

    /// Stores the apps, because their rules also apply to schedules without a run.
    mutating func know(_ installed: [InstalledApp]) {
        self.installed = Dictionary(installed.map { ($0.name, $0) }) { $1 }
        notifications.mustCheck = true
        // Apps that were removed must not remain.
        acceptedApps = [:]
    }

    /// Returns the app in a form that runs share.
    mutating func shared(_ app: InstalledApp) -> Shared<InstalledApp> {
        if let known = acceptedApps[app.name], known.value == app { return known }
        let shared = Shared(app)
        acceptedApps[app.name] = shared
        return shared
    }

    /// Asks every app with an unknown catalogue to describe its intents, and answers the request once all descriptions
    /// have arrived or failed.
    mutating func describe(
        _ installed: [InstalledApp],
        for purpose: PendingList.Purpose,
        at now: Now
    ) -> [Action] {
        forgetProblems(exceptOf: installed)
        return describeEach(installed, for: purpose, at: now)
    }

    /// Answers a request for the status once the apps that have changed or failed have described their intents.
    mutating func status(
        _ facts: StatusFacts,
        of installed: [InstalledApp],
        to origin: RequestOrigin,
        at now: Now
    ) -> [Action] {
        forgetProblems(exceptOf: installed)
        let doubtful = installed.filter { app in
            guard let machine = apps[app.name] else { return true }
            return machine.isDoubtful(for: app, at: now)
        }
        let visible = Set(installed.filter { isVisible($0, to: origin) }.map(\.name))
        return describeEach(doubtful, for: .status(origin, facts, visible: visible), at: now)
    }

    /// Removes the problems of apps that are not installed.
    private mutating func forgetProblems(exceptOf installed: [InstalledApp]) {
        let names = Set(installed.map(\.name))
        for (name, app) in apps where app.problem != nil && !names.contains(name) { apps[name]?.problem = nil }
    }

    private mutating func describeEach(
        _ installed: [InstalledApp],
        for purpose: PendingList.Purpose,
        at now: Now
    ) -> [Action] {
        guard !installed.isEmpty else {
            return conclude(PendingList(purpose: purpose, remainingCount: 0, apps: []), at: now)
        }
        let number = makeListNumber()
        lists[number] = PendingList(purpose: purpose, remainingCount: installed.count, apps: [])
        return installed.flatMap { serve(.list(number: number), for: $0, at: now) }
    }

    mutating func addToList(_ number: UInt64, _ app: AppDescription, at now: Now) -> [Action] {
        guard var list = lists[number] else { return [] }
        list.apps.append(app)
        list.remainingCount -= 1
        guard list.remainingCount == 0 else {
            lists[number] = list
            return []
        }
        lists[number] = nil
        return conclude(list, at: now)
    }

    private func conclude(_ list: PendingList, at now: Now) -> [Action] {
        let apps = list.apps.sorted { $0.name < $1.name }
        switch list.purpose {
        case .list(let origin):
            return [.answer(origin.client, id: origin.id, .apps(apps.map(\.withoutSearches)))]
        case .reload(let origin, let warnings, let targets):
            let broken = apps.compactMap { app in app.problem.map { "\(app.name): \($0)" } }
            let unfit = targets.sorted { $0.description < $1.description }.compactMap { target in
                apps.first { $0.name == target.app.text }?.catalog.flatMap { Notification.problem(of: target, in: $0) }
            }
            let report = ReloadReport(
                appCount: apps.count - broken.count,
                warnings: warnings + broken + unfit + apps.flatMap(\.warnings)
            )
            return [.answer(origin.client, id: origin.id, .reloaded(report))]
        case .status(let origin, let facts, let visible):
            let status = status(facts, to: origin, visible: visible, at: now)
            return [.answer(origin.client, id: origin.id, .status(status))]
        case .start: return [.catalogued]
        }
    }
}

extension AppDescription {
    /// The probable mistakes of the app's author, and programs of its intents that cannot be executed.
    package var warnings: [String] { (catalog?.warnings ?? []).map { "\(name): \($0)" } }

    /// The app's description for a list of apps. It omits defaults of settings, and searches, because they are deeply nested and repeat types
    /// with all their cases. The description of a single app includes searches.
    fileprivate var withoutSearches: AppDescription {
        var description = self
        description.catalog?.omitSearches()
        // All apps have equal defaults.
        description.settings = description.settings?.filter { $0.source != nil }
        return description
    }
}
