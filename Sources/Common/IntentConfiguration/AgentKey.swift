package import IntentLauncherMessages

/// The keys of `[Agents]`.
enum AgentKey: String, SettingKey {
    case allow = "Allow"
    case ask = "Ask"
    case approveFor = "ApproveFor"
    /// The key is valid only in `[Intent NAME]`.
    case effect = "Effect"
    /// The key is valid only in `[Intent NAME]`.
    case idempotent = "Idempotent"
    /// `User=`, `For=`, `AllowRoots=`, `MaxRuns=` and `MaxWaiting=` are valid only in `intentd.conf`.
    case user = "User"
    case person = "For"
    case allowRoots = "AllowRoots"
    case maxRuns = "MaxRuns"
    case maxWaiting = "MaxWaiting"

    /// The keys that are also valid in the apps' files.
    static let ofApps: [AgentKey] = [.allow, .ask, .approveFor]
    /// The keys that are valid in `[Intent NAME]`.
    static let ofIntents: [AgentKey] = [.allow, .ask, .approveFor, .effect, .idempotent]
    static let ofService: [AgentKey] = [
        .allow, .ask, .approveFor, .user, .person, .allowRoots, .maxRuns, .maxWaiting,
    ]
    static let counts = 1...10_000

    var manual: SettingManual {
        switch self {
        case .allow:
            SettingManual(
                .choice(AgentRule.Allowance.allCases.map(\.rawValue)),
                standard: "reading; all in a user's own daemon",
                example: "all",
                """
                The intents that agents may perform:
                .Li none ,
                only intents that do not change data
                .Pq Li reading ,
                or
                .Li all .
                Other intents are hidden from agents.
                If an app declares tool intents, agents see no other intents of the app, unless their section
                .Li [Intent NAME]
                has the key.
                """
            )
        case .ask:
            SettingManual(
                .choice(AgentRule.Asking.allCases.map(\.rawValue)),
                standard: "destructive for intents that only read or can be undone, and always for other intents",
                example: "always",
                """
                Determines which requests of agents a person must approve before the run begins.
                With
                .Cm destructive ,
                a person must approve requests for intents that destroy data.
                A program with
                .Cm Undo=
                does not count as an intent that can be undone, because another program only compensates what it did.
                .Cm Confirm=
                and
                .Cm ConfirmGroups=
                determine who may approve.
                """
            )
        case .approveFor:
            SettingManual(
                .span,
                standard: "none; an approval covers one run",
                example: "1h",
                """
                The longest time for which a person may let an approval stay open with
                .Ql intentctl answer --for ,
                so that it also covers later requests of the agent for the intent.
                The question says what stays open.
                An approval never stays open for an intent that destroys data, or with
                .Cm Confirm=
                or
                .Cm ConfirmGroups= ,
                and covers no file that the question did not show.
                .Ql intentctl revoke
                ends it, as does a restart of intentd.
                """
            )
        case .effect:
            SettingManual(
                .choice(IntentDetails.Effect.allCases.map(\.rawValue)),
                standard: "the app's declaration; if it has none,\n.Li changes",
                example: "reads",
                """
                The effect of the intent on data.
                The key overrides the app's declaration.
                """
            )
        case .idempotent:
            SettingManual(
                .flag,
                standard: "the app's declaration; if it has none,\n.Li no",
                example: "yes",
                """
                Whether performing the intent twice has the same effect as performing it once.
                The key overrides the app's declaration.
                """
            )
        case .user:
            SettingManual(
                .list(name: "user", of: "names or uids, separated by spaces"),
                example: "claude",
                """
                The users to treat as agents.
                These rules apply to all their requests, regardless of the client.
                Agents are never operators, and may not approve a request or answer a confirmation.
                A request of any other user is an agent's request if the client declares it as one, as
                .Ql intentctl mcp
                does.
                """
            )
        case .person:
            SettingManual(
                .value(name: "user", of: "a name or uid"),
                standard: "the agent itself",
                example: "alice",
                """
                The user that the agents in
                .Cm User=
                act for.
                Runs of the agents, and the state that apps keep for them, belong to this user, who can see and approve
                the runs.
                Files are opened with the permissions of the agent.
                """
            )
        case .allowRoots:
            SettingManual(
                .list(name: "folder", of: "absolute paths, separated by spaces"),
                standard: "the folders that the client permits",
                example: "/srv/scans",
                """
                The folders from which agents may pass files to runs.
                intentd refuses a file in another folder, and a file that it does not reach by the file's path.
                """
            )
        case .maxRuns:
            SettingManual(
                .count(Self.counts),
                standard: "\(AgentSettings().runCount)",
                example: "4",
                """
                The maximum number of unfinished runs of agents for one user, without those that wait for an answer.
                If the limit is reached, a request fails with the error
                .Ql busy ,
                and
                .Ic intentctl mcp
                repeats it when a run has ended.
                """
            )
        case .maxWaiting:
            SettingManual(
                .count(Self.counts),
                standard: "\(AgentSettings().waitingCount)",
                example: "4",
                """
                The number of agents' runs for one user that may wait for an answer or an approval.
                If the limit is reached, a request fails with the error
                .Ql busy ,
                which names runs that wait.
                For intents that only read, the limit is twice as high.
                """
            )
        }
    }
}

/// The settings in `[Agents]` of `intentd.conf`.
package struct AgentSettings: Equatable, Sendable {
    /// The rule for apps that do not set `Allow=` or `Ask=`.
    package var rule = AgentRule()
    /// The users that are agents, by name or uid (`User=`).
    package var users: [String] = []
    /// The user that the agents act for, by name or uid (`For=`); nil if each agent acts for itself.
    package var person: String?
    /// The folders from which agents may pass files (`AllowRoots=`); nil for no restriction.
    package var roots: [String]?
    /// The maximum number of unfinished runs that agents may have for one user (`MaxRuns=`).
    package var runCount = 16
    /// The number of agents' runs that may wait for an answer, for one user (`MaxWaiting=`).
    package var waitingCount = 16

    /// Applies an assignment from `[Agents]`.
    ///
    /// - Throws: ``ConfigurationProblem`` for an unknown key or an invalid value.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        switch AgentKey(rawValue: assignment.key) {
        case .user:
            let names = try assignment.plainNames()
            guard !names.contains("root"), !names.contains("0") else {
                throw assignment.problem("root cannot be restricted; run the agent as a separate user")
            }
            users = names.isEmpty ? [] : users + names
        case .person:
            let names = try assignment.plainNames()
            guard names.count <= 1 else { throw assignment.problem("expected one user, got '\(assignment.excerpt)'") }
            person = names.first
        case .allowRoots:
            let paths = try assignment.listWords()
            if let path = paths.first(where: { !$0.hasPrefix(utf8: "/") || $0.split(scalar: "/").contains("..") }) {
                throw assignment.problem("expected an absolute path without '..', got '\(WireCoding.excerpt(path))'")
            }
            roots = paths.isEmpty ? nil : (roots ?? []) + paths
        case .maxRuns:
            runCount = assignment.value.isEmpty ? AgentSettings().runCount : try assignment.count(in: AgentKey.counts)
        case .maxWaiting:
            waitingCount =
                assignment.value.isEmpty ? AgentSettings().waitingCount : try assignment.count(in: AgentKey.counts)
        case .allow, .ask, .approveFor, .effect, .idempotent, nil:
            guard try rule.apply(assignment, of: AgentKey.ofService) else {
                throw assignment.unknownKey
            }
        }
    }
}

extension AgentRule {
    /// Applies an assignment to a rule for agents.
    ///
    /// - Returns: False if `keys` does not contain the assignment's key.
    /// - Throws: ``ConfigurationProblem`` for an invalid value.
    mutating func apply(
        _ assignment: UnitFile.Assignment,
        of keys: [AgentKey]
    ) throws(ConfigurationProblem) -> Bool {
        guard let key = AgentKey(rawValue: assignment.key), keys.contains(key) else { return false }
        let isReset = assignment.value.isEmpty
        switch key {
        case .allow:
            allowance = isReset ? nil : try assignment.word()
            namesIntent = keys == AgentKey.ofIntents && !isReset
        case .ask: asking = isReset ? nil : try assignment.word()
        case .approveFor: approvalTime = isReset ? nil : try assignment.span()
        case .effect: effect = isReset ? nil : try assignment.word()
        case .idempotent: isIdempotent = isReset ? nil : try assignment.flag()
        case .user, .person, .allowRoots, .maxRuns, .maxWaiting: return false
        }
        return true
    }
}
