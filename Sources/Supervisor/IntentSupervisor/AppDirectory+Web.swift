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
    /// - Throws: ``ErrorReport`` for a user and a realm that `[Web]` does not name, and for root and operators.
    func webUser(named name: String, operators: OperatorRule) throws(ErrorReport) -> WebUser {
        let settings = web
        let realmCaller = realmCaller(name)
        let known = settings.users.contains(name) ? user(named: name) : realmCaller.map { ($0, []) }
        guard !settings.isBroken, let (caller, groups) = known, caller.uid != 0,
            operators.rank(of: caller, groups: groups) == .user
        else {
            throw ErrorReport(
                .notPermitted,
                "'webUser': the service of the HTTP API may not act for '\(SafeText.line(name))'",
                hint: """
                    an operator can permit it with Users= or Realm= in [Web] of intentd.conf, except for root and operators
                    """
            )
        }
        if realmCaller != nil { return WebUser(name: name, caller: caller, groups: groups, actor: .person) }
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

    /// Returns the caller of a realm, which has the uid of the service and no groups; nil for another name, and for the name
    /// of an account of this host.
    func realmCaller(_ name: String) -> Caller? {
        let settings = web
        guard !settings.isBroken, settings.isOfRealm(name), !hasAccount(named: name),
            let service = settings.user.flatMap(Accounts.user), service != 0
        else { return nil }
        return .local(user: service, account: name)
    }

    /// `User=` and `Realm=` in `[Web]`.
    var realms: RealmAccess {
        let settings = web
        var realms = RealmAccess()
        realms.service = settings.user.flatMap(Accounts.user)
        if !settings.isBroken { realms.realms = Set(settings.realms.map(\.name)) }
        return realms
    }

    /// The uids of the services of a fleet and of the HTTP API, which act for other users.
    var services: Set<UInt32> {
        Set([daemon.fleetUser, daemon.web.user].compactMap(\.self).compactMap(Accounts.user))
    }

    /// Returns the entries in a list that contain an `@`: the callers of realms, and users of a fleet. They act through
    /// services.
    func distantUsers(_ names: [String]) -> Set<Caller> {
        let names = names.filter(FleetAccess.isUser)
        guard !names.isEmpty else { return [] }
        let fleet = daemon.fleetUser.flatMap(Accounts.user)
        return Set(
            names.compactMap { name in
                web.isOfRealm(name) ? realmCaller(name) : fleet.map { .local(user: $0, account: name) }
            }
        )
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
