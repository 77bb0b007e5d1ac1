package import IntentProtocol

/// A cache of the apps that the hosts of the fleet offer, so that most submissions do not query the database for them.
///
/// Instants are nanoseconds of CLOCK_MONOTONIC.
package struct OfferedApps: Sendable {
    /// The time for which a list of apps from the database is used. If a client submits a run because of an outdated
    /// list, the run waits until a host offers its intent again.
    private static let period: Int64 = 2_000_000_000
    /// The maximum number of cached names.
    private static let limit = 256

    private var entries: [String: (apps: [AppDescription], until: Int64)] = [:]

    package init() {}

    /// Returns the apps with the given name, or nil if the database must be queried because the cached list is too old
    /// or lacks the intent.
    package func apps(named name: String, with intent: String, at now: Int64) -> [AppDescription]? {
        guard let entry = entries[name], now < entry.until, let catalog = entry.apps.first?.catalog,
            case .intent = catalog.intent(named: intent)
        else { return nil }
        return entry.apps
    }

    package mutating func keep(_ apps: [AppDescription], named name: String, at now: Int64) {
        // Do not store the name of an app that does not exist, because users could fill the cache with such names.
        guard !apps.isEmpty else { return }
        if entries.count >= Self.limit { entries = entries.filter { now < $0.value.until } }
        guard entries.count < Self.limit else { return }
        entries[name] = (apps, now + Self.period)
    }

    /// Decodes rows that each contain an app's description. Another host wrote the descriptions, so malformed
    /// descriptions are omitted, and so are those that the intentd of a host would refuse.
    package static func descriptions(_ rows: [[String?]]) -> [AppDescription] {
        rows.compactMap { row in WireCoding.value(in: row.first ?? nil) }
            .filter { app in AppName(app.name) != nil && app.catalog?.identifierProblem == nil }
    }
}
