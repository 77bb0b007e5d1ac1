package import IntentWire

/// The keys of `[Agents]`.
enum AgentKey: String, SettingKey {
    case allow = "Allow"
    case ask = "Ask"
    /// Only in `[Intent NAME]`.
    case effect = "Effect"
    /// Only in `[Intent NAME]`.
    case idempotent = "Idempotent"
    /// Only in `intentd.conf`, as the keys below.
    case user = "User"
    case person = "For"
    case allowRoots = "AllowRoots"
    case maxRuns = "MaxRuns"

    /// The keys that files of apps have, too.
    static let ofApps: [AgentKey] = [.allow, .ask]
    /// The keys of `[Intent NAME]`.
    static let ofIntents: [AgentKey] = [.allow, .ask, .effect, .idempotent]
    static let ofService: [AgentKey] = [.allow, .ask, .user, .person, .allowRoots, .maxRuns]
    static let counts = 1...10_000

    var manual: SettingManual {
        switch self {
        case .allow:
            SettingManual(
                .choice(AgentRule.Allowance.allCases.map(\.rawValue)),
                standard: "reading; in a user's own daemon all",
                example: "all",
                """
                The intents that agents may perform:
                .Li none ,
                those that only read, or
                .Li all .
                Agents do not see other intents.
                """
            )
        case .ask:
            SettingManual(
                .choice(AgentRule.Asking.allCases.map(\.rawValue)),
                standard: "destructive for intents that only read or can be undone, otherwise always",
                example: "always",
                """
                When a person must approve an agent's request before its run begins.
                With
                .Cm destructive ,
                a person must approve intents that destroy something.
                .Cm Confirm=
                and
                .Cm ConfirmGroups=
                say who may approve.
                """
            )
        case .effect:
            SettingManual(
                .choice(IntentDetails.Effect.allCases.map(\.rawValue)),
                standard: "what the app declares, otherwise changes",
                example: "reads",
                """
                What performing the intent does to data.
                It overrides what the app declares.
                """
            )
        case .idempotent:
            SettingManual(
                .flag,
                standard: "what the app declares, otherwise no",
                example: "yes",
                """
                Whether performing the intent twice has the same effect as performing it once.
                It overrides what the app declares.
                """
            )
        case .user:
            SettingManual(
                .list(name: "user", of: "names or uids, separated by spaces"),
                standard: "none",
                example: "claude",
                """
                Users that are agents: these rules apply to all their requests, whatever their clients claim.
                They are never operators, and may not approve a request or answer a confirmation.
                Requests of other users count as an agent's if the client says so, as
                .Xr intentctl 1
                does for
                .Cm mcp .
                """
            )
        case .person:
            SettingManual(
                .value(name: "user", of: "a name or uid"),
                standard: "the agent itself",
                example: "alice",
                """
                The user that the agents of
                .Cm User=
                act for.
                Their runs and the state of their apps belong to this user, who sees the runs and approves them.
                Files are opened with the permissions of the agent.
                """
            )
        case .allowRoots:
            SettingManual(
                .list(name: "folder", of: "absolute paths, separated by spaces"),
                standard: "the folders that the client permits",
                example: "/srv/scans",
                """
                The folders with the files that agents may pass to runs.
                intentd refuses a file with another path.
                """
            )
        case .maxRuns:
            SettingManual(
                .count(Self.counts),
                standard: "\(AgentSettings().runCount)",
                example: "4",
                """
                The number of unfinished runs that agents may have for one user.
                A request beyond it fails with the error
                .Ql busy .
                """
            )
        }
    }
}

/// `[Agents]` of `intentd.conf`.
package struct AgentSettings: Equatable, Sendable {
    /// The default rule of apps.
    package var rule = AgentRule()
    /// `User=`: users that are agents, by name or uid.
    package var users: [String] = []
    /// `For=`: the user that these agents act for, by name or uid; nil for the agent itself.
    package var person: String?
    /// `AllowRoots=`: folders with the files that agents may pass; nil for any.
    package var roots: [String]?
    /// `MaxRuns=`: the number of unfinished runs of agents for one user.
    package var runCount = 16

    package init() {}

    /// Applies an assignment of `[Agents]`.
    ///
    /// - Throws: ``ConfigurationProblem`` for an unknown key or an invalid value.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        switch AgentKey(rawValue: assignment.key) {
        case .user:
            let names = try assignment.plainNames()
            guard !names.contains("root"), !names.contains("0") else {
                throw assignment.problem("root cannot be restricted; run the agent as a user of its own")
            }
            users = names.isEmpty ? [] : users + names
        case .person:
            let names = try assignment.plainNames()
            guard names.count <= 1 else { throw assignment.problem("expected one user, got '\(assignment.value)'") }
            person = names.first
        case .allowRoots:
            let paths = assignment.value.words.map { String($0) }
            if let path = paths.first(where: { !$0.hasPrefix("/") || $0.split(separator: "/").contains("..") }) {
                throw assignment.problem("'\(path)' is not an absolute path without '..'")
            }
            roots = paths.isEmpty ? nil : (roots ?? []) + paths
        case .maxRuns:
            runCount = assignment.value.isEmpty ? AgentSettings().runCount : try assignment.count(in: AgentKey.counts)
        case .allow, .ask, .effect, .idempotent, nil:
            guard try rule.apply(assignment, of: AgentKey.ofService) else {
                throw assignment.problem("unknown key in [Agents]")
            }
        }
    }
}

extension AgentRule {
    /// Applies an assignment of a rule.
    ///
    /// - Returns: False if the key is not one of `keys`.
    /// - Throws: ``ConfigurationProblem`` for an invalid value.
    mutating func apply(
        _ assignment: UnitFile.Assignment,
        of keys: [AgentKey]
    ) throws(ConfigurationProblem) -> Bool {
        guard let key = AgentKey(rawValue: assignment.key), keys.contains(key) else { return false }
        switch key {
        case .allow: allowance = try assignment.word()
        case .ask: asking = try assignment.word()
        case .effect: effect = try assignment.word()
        case .idempotent: isIdempotent = assignment.value.isEmpty ? nil : try assignment.flag()
        case .user, .person, .allowRoots, .maxRuns: return false
        }
        return true
    }
}

extension UnitFile.Assignment {
    /// One of the words of a type; nil for an empty value.
    fileprivate func word<Word: RawRepresentable<String> & CaseIterable>() throws(ConfigurationProblem) -> Word? {
        if value.isEmpty { return nil }
        guard let word = Word.allCases.first(where: { $0.rawValue == value }) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw problem("expected one of \(words), got '\(value)'")
        }
        return word
    }
}
