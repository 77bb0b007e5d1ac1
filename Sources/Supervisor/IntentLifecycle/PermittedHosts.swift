import IntentLauncherMessages

/// The hosts that persons have permitted for a day (`AllowHosts=ask`), each for an app and a user.
///
/// The history stores every permission, so that it outlives `intentd`. A permission applies only while the operator lets the
/// app ask with the same word. Times are CLOCK_BOOTTIME, and the time of day across a restart.
struct PermittedHosts: Sendable {
    struct Permission: Hashable, Sendable, Codable {
        var app: AppName
        var uid: UInt32
        var account: String
        /// The host and its port, as a word of `AllowHosts=`.
        var grant: String
        /// The word that let the app ask: `ask` or `ask,private`.
        var word: String
        /// The run that asked, its intent, and the uid of the user who answered.
        var run: RunID
        var intent: String
        var answerer: UInt32
        /// The end, in nanoseconds since 1970.
        var end: Int64

        /// The name of the row that stores the permission.
        fileprivate var row: String { "host \(uid) \(account) \(app) \(grant)" }
    }

    /// The maximum number of permissions for an app and a user.
    static let countLimit = 64
    private static let day: Duration = .seconds(24 * 3600)

    private var permissions: [AppUser: [String: (permission: Permission, end: Now.Boottime)]] = [:]

    /// Returns whether a person has permitted a host for an app and a user.
    func permits(_ grant: String, to pair: AppUser, askingWith word: String, at now: Now) -> Bool {
        guard let (permission, end) = permissions[pair]?[grant] else { return false }
        return permission.word == word && now.boottime < end
    }

    /// The permissions that have not ended, those that end first at the beginning.
    func open(at now: Now) -> [(permission: Permission, remaining: Duration)] {
        permissions.values.flatMap(\.values).filter { now.boottime < $0.end }
            .sorted { ($0.end, $0.permission.row) < ($1.end, $1.permission.row) }
            .map { ($0.permission, $0.end - now.boottime) }
    }

    /// Permits a host for a day, unless the app and the user have the maximum number of permissions.
    ///
    /// - Returns: The rows that the history must store; the value is nil for a row to remove.
    mutating func add(_ grant: String, askedWith word: String, by run: RunTable.Run, answerer: UInt32, at now: Now)
        -> [(name: String, value: String?)]
    {
        let changes = removeAll(at: now) { _ in false }
        let pair = AppUser(app: run.app.name, user: run.owner)
        guard permissions[pair, default: [:]].count < Self.countLimit else { return changes }
        let permission = Permission(
            app: pair.app,
            uid: pair.user.uid,
            account: pair.user.account,
            grant: grant,
            word: word,
            run: run.id,
            intent: run.intent.name,
            answerer: answerer,
            end: now.wall + Self.day.milliseconds * 1_000_000
        )
        permissions[pair, default: [:]][grant] = (permission, now.boottime + Self.day)
        return changes + [(permission.row, String(foreign: WireCoding.encode(permission)))]
    }

    /// Removes the permissions that have ended, and those for which the closure returns true.
    mutating func removeAll(at now: Now, where isRemoved: (Permission) -> Bool) -> [(name: String, value: String?)] {
        var changes: [(name: String, value: String?)] = []
        permissions = permissions.compactMapValues { hosts in
            let kept = hosts.filter { now.boottime < $1.end && !isRemoved($1.permission) }
            changes += hosts.filter { kept[$0.key] == nil }.map { ($1.permission.row, nil) }
            return kept.isEmpty ? nil : kept
        }
        return changes.sorted { $0.name < $1.name }
    }

    /// Restores the permissions that an earlier `intentd` has stored. One that has ended is removed with the next change.
    mutating func recall(_ rows: [String: String], at now: Now) {
        for (name, value) in rows where name.hasPrefix(utf8: "host ") {
            guard let permission = try? WireCoding.decodeFile(Permission.self, from: Array(value.utf8)),
                permission.row == name
            else { continue }
            let pair = AppUser(
                app: permission.app,
                user: .local(user: permission.uid, account: permission.account)
            )
            // A clock that was set back must not extend the permission.
            let rest = Duration.nanoseconds(permission.end - now.wall)
            permissions[pair, default: [:]][permission.grant] = (
                permission, now.boottime + (rest <= Self.day ? rest : .zero)
            )
        }
    }
}

extension RunTable {
    /// Stores changes of the permissions.
    func store(_ changes: [(name: String, value: String?)]) -> [Action] {
        changes.map { .record(RunRecord(RunID(randomBits: 0), .stored(name: $0.name, value: $0.value))) }
    }

    /// Removes the permissions of apps that the operator does not let ask any more.
    mutating func checkPermittedHosts(of installed: [InstalledApp], at now: Now) -> [Action] {
        let words = Dictionary(installed.map { ($0.name, $0.hostQuestions) }) { first, _ in first }
        return store(permittedHosts.removeAll(at: now) { words[$0.app]?.contains($0.word) != true })
    }
}

extension InstalledApp {
    /// The words with which the app's intents may ask for hosts.
    fileprivate var hostQuestions: Set<String> {
        Set(([grants] + intentRules.values.compactMap { $0.sandbox?.grants }).compactMap(\.hostQuestions))
    }
}

extension PermittedHosts.Permission {
    /// The user who may reach the host.
    var requester: Requester { Requester(.local(user: uid, account: account)) }

    func description(remaining: Duration) -> StandingApproval {
        StandingApproval(
            run: run,
            app: app.text,
            intent: intent,
            user: answerer,
            text: "connections of \(app) to \(grant) for its user (AllowHosts=\(word))",
            remaining: remaining
        )
    }
}
