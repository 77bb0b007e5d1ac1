package import IntentWire

/// Many apps' catalogues at once.
extension RunTable {
    /// What waits until every app's catalogue is known or known to fail.
    struct PendingList: Sendable {
        enum Purpose: Sendable {
            case list(Asker)
            /// With what is wrong with apps that were not asked.
            case reload(Asker, [String])
            case start
        }

        var purpose: Purpose
        var remainingCount: Int
        var apps: [AppDescription]

        /// Whom it is for; nil for the daemon itself.
        var asker: Asker? {
            switch purpose {
            case .list(let asker), .reload(let asker, _): asker
            case .start: nil
            }
        }
    }

    /// Apps that could not tell what they can do when they were asked last.
    package var brokenApps: Set<AppName> { Set(apps.lazy.filter { $0.value.problem != nil }.map(\.key)) }

    /// Asks all of them whose catalogue is not known.
    mutating func describe(
        _ installed: [InstalledApp],
        for purpose: PendingList.Purpose,
        at now: Now
    ) -> [Action] {
        let names = Set(installed.map(\.name))
        // Of one that is not there any more nobody needs to know that it was broken.
        for (name, app) in apps where app.problem != nil && !names.contains(name) { apps[name]?.problem = nil }
        guard !installed.isEmpty else { return conclude(PendingList(purpose: purpose, remainingCount: 0, apps: [])) }
        let number = makeListNumber()
        lists[number] = PendingList(purpose: purpose, remainingCount: installed.count, apps: [])
        return installed.flatMap { wish(.list(number: number), for: $0, at: now) }
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
        case .list(let asker):
            return [.answer(asker.client, id: asker.id, .apps(apps.map(\.withoutSearches)))]
        case .reload(let asker, let warnings):
            let broken = apps.compactMap { app in app.problem.map { "\(app.name): \($0)" } }
            let report = ReloadReport(appCount: apps.count - broken.count, warnings: warnings + broken)
            return [.answer(asker.client, id: asker.id, .reloaded(report))]
        case .start: return [.catalogued]
        }
    }
}

extension AppDescription {
    /// As a list of apps shows it: what can be looked for is in the description of the app alone, since it lies deep and
    /// repeats types with all their choices.
    fileprivate var withoutSearches: AppDescription {
        var description = self
        description.catalog?.leaveOutSearches()
        return description
    }
}
