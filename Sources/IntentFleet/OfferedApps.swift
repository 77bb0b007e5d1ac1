package import IntentProtocol

/// A cache of the apps that the hosts of the fleet offer, so that a submission needs no query for them.
///
/// Instants are nanoseconds of CLOCK_MONOTONIC.
package struct OfferedApps: Sendable {
    private struct Entry: Sendable {
        var apps: [AppDescription]
        var until: Int64
    }

    /// How long a list of apps from the database is used. A run that a client submits because of an outdated list waits
    /// until a host offers its intent again.
    private static let period: Int64 = 2_000_000_000
    /// The maximum number of names.
    private static let limit = 256

    private var entries: [String: Entry] = [:]

    package init() {}

    /// The apps with a name; nil if the database must be queried, because the answer is old or lacks the intent.
    package func apps(named name: String, with intent: String, at now: Int64) -> [AppDescription]? {
        guard let entry = entries[name], now < entry.until, let catalog = entry.apps.first?.catalog,
            case .intent = catalog.intent(named: intent)
        else { return nil }
        return entry.apps
    }

    package mutating func keep(_ apps: [AppDescription], named name: String, at now: Int64) {
        // A name without an app is a user's mistake. Users can make any number of mistakes, so the name is not stored.
        guard !apps.isEmpty else { return }
        if entries.count >= Self.limit { entries = entries.filter { now < $0.value.until } }
        guard entries.count < Self.limit else { return }
        entries[name] = Entry(apps: apps, until: now + Self.period)
    }

    /// The apps from rows with a description. Another host wrote the descriptions: malformed ones are omitted.
    package static func descriptions(_ rows: [[String?]]) -> [AppDescription] {
        rows.compactMap { row in
            row.first.flatMap { $0 }.flatMap { try? WireCoding.decode(AppDescription.self, from: Array($0.utf8)) }
        }
    }
}
