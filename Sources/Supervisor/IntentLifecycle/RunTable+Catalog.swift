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
            /// `intentd` itself needs all catalogues when it starts.
            case start
        }

        var purpose: Purpose
        var remainingCount: Int
        var apps: [AppDescription]

        /// The origin of the request; nil for the list that `intentd` itself requests when it starts.
        var origin: RequestOrigin? {
            switch purpose {
            case .list(let origin), .reload(let origin, _, _): origin
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
        return describe(installed, for: .start, at: now)
    }

    /// Asks every app with an unknown catalogue to describe its intents, and answers the request once all descriptions
    /// have arrived or failed.
    mutating func describe(
        _ installed: [InstalledApp],
        for purpose: PendingList.Purpose,
        at now: Now
    ) -> [Action] {
        let names = Set(installed.map(\.name))
        // Remove the problems of apps that are no longer installed.
        for (name, app) in apps where app.problem != nil && !names.contains(name) { apps[name]?.problem = nil }
        guard !installed.isEmpty else { return conclude(PendingList(purpose: purpose, remainingCount: 0, apps: [])) }
        let number = makeListNumber()
        lists[number] = PendingList(purpose: purpose, remainingCount: installed.count, apps: [])
        return installed.flatMap { serve(.list(number: number), for: $0, at: now) }
    }

    mutating func addToList(_ number: UInt64, _ app: AppDescription) -> [Action] {
        guard var list = lists[number] else { return [] }
        list.apps.append(app)
        list.remainingCount -= 1
        guard list.remainingCount == 0 else {
            lists[number] = list
            return []
        }
        lists[number] = nil
        return conclude(list)
    }

    private func conclude(_ list: PendingList) -> [Action] {
        let apps = list.apps.sorted { $0.name < $1.name }
        switch list.purpose {
        case .list(let origin):
            return [.answer(origin.client, id: origin.id, .apps(apps.map(\.withoutSearches)))]
        case .reload(let origin, let warnings, let targets):
            let broken = apps.compactMap { app in app.problem.map { "\(app.name): \($0)" } }
            let unfit = targets.sorted { $0.description < $1.description }.compactMap { target in
                apps.first { $0.name == target.app.text }?.catalog.flatMap { Notification.problem(of: target, in: $0) }
            }
            let report = ReloadReport(appCount: apps.count - broken.count, warnings: warnings + broken + unfit)
            return [.answer(origin.client, id: origin.id, .reloaded(report))]
        case .start: return [.catalogued]
        }
    }
}

extension AppDescription {
    /// The app's description for a list of apps. It omits searches, because they are deeply nested and repeat types
    /// with all their cases. The description of a single app includes searches.
    fileprivate var withoutSearches: AppDescription {
        var description = self
        description.catalog?.omitSearches()
        return description
    }
}
