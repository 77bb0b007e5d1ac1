import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux

extension AppDirectory {
    /// The user that a client acts for.
    enum Actor: Equatable {
        /// A client that acts for the user of its process.
        case person
        /// An agent that acts for this user, with the user's groups.
        case agent(for: Caller, groups: Set<UInt32>)
        /// An agent that acts for a user that does not exist.
        case agentWithoutUser
        /// A fleet's service, which acts for the fleet's users.
        case fleet
        /// The service of the HTTP API, which acts for the users that `[Web]` names.
        case web

        /// True for an agent, which is never an operator.
        var isAgent: Bool {
            switch self {
            case .person, .fleet, .web: false
            case .agent, .agentWithoutUser: true
            }
        }
    }

    /// Determines the user that the service of the HTTP API may act for. Its name is what the service says, so everything
    /// about the user is read here.
    ///
    /// - Throws: ``ErrorReport`` for a user that `[Web]` does not name, and for root and operators.
    func webUser(named name: String, operators: OperatorRule) throws(ErrorReport) -> WebUser {
        let settings = web
        guard !settings.isBroken, settings.users.contains(name), let (caller, groups) = user(named: name),
            caller.uid != 0, operators.rank(of: caller, groups: groups) == .user
        else {
            throw ErrorReport(
                .notPermitted,
                "'webUser': the service of the HTTP API may not act for '\(SafeText.line(name))'",
                hint: "an operator can permit it with Users= in [Web] of intentd.conf, except for root and operators"
            )
        }
        let actor = actor(caller, groups: groups)
        switch actor {
        case .person, .agent: return WebUser(name: name, caller: caller, groups: groups, actor: actor)
        case .agentWithoutUser, .fleet, .web:
            throw ErrorReport(
                .notPermitted,
                "'webUser': '\(SafeText.line(name))' is the user of a service or of no person"
            )
        }
    }
}

/// A user that the service of the HTTP API acts for.
struct WebUser: Equatable {
    /// The name that the service has sent.
    var name: String
    var caller: Caller
    var groups: Set<UInt32>
    var actor: AppDirectory.Actor
}
