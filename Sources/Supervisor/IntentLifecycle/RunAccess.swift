package import IntentLauncherMessages

/// The rules that determine which operations a user may perform on a run.
///
/// A run belongs to its caller and is hidden from other users, with two exceptions. Operators see all runs, cancel
/// them, answer their questions and read their files, as root can on any machine. If the operator requires a second
/// person (`Confirm=`), the users that `Confirm=` names see and answer open confirmations.
///
/// The operator decides which users may request a run; root always may. Apps that a user has no permission to run are
/// hidden from them. Only operators and a fleet's service see totals over all runs.
package enum RunAccess {
    /// An operation on a run that needs permission.
    package enum Operation: Hashable, Sendable, CaseIterable {
        /// See the run and everything in its record: `ps`, `history`, `show`, `why`, `logs`.
        case see
        /// Receive the run's events: `watch`, `wait`.
        case follow
        /// End the run.
        case cancel
        /// Receive the files of the run's result, and discard them.
        case fetch
        /// Start a new run that undoes the run.
        case undo
        /// See or answer one of the run's questions for a value or a choice.
        case answerValue
        /// See an open confirmation.
        case seeConfirmation
        /// Answer an open confirmation.
        case confirm
    }

    /// A user's relation to a run.
    package enum Standing: Hashable, Sendable, CaseIterable {
        /// The run's caller.
        case caller
        /// The agent that requested the run for the caller.
        case agent
        /// An operator other than the caller.
        case `operator`
        /// Another user with permission to answer the run's confirmations.
        case confirmer
        case unrelated
    }

    /// The rank of a client, which determines what it may do with other users' runs.
    package enum Rank: Hashable, Sendable, CaseIterable {
        case user
        case `operator`

        /// The rank that follows from the uid alone, without group membership or ownership of the daemon.
        package init(of user: Caller) { self = user.isRoot ? .operator : .user }
    }

    /// Returns true if the requester may perform the operation on a run, regardless of `Confirm=`.
    package static func may(_ operation: Operation, _ requester: Requester, _ rank: Rank, withRunOf owner: Requester)
        -> Bool
    {
        may(operation, as: relation(of: requester, rank, toRunOf: owner) ?? .unrelated, .caller)
    }

    /// Returns the standing of a requester regardless of `Confirm=`, or nil if the requester is unrelated to the run.
    private static func relation(of requester: Requester, _ rank: Rank, toRunOf owner: Requester) -> Standing? {
        if requester.owns(runOf: owner) { return requester.agent == nil ? .caller : .agent }
        return requester.agent == nil && rank == .operator ? .operator : nil
    }

    package static func mayPerform(_ user: Caller, groups: Set<UInt32>, under rule: AccessRule) -> Bool {
        switch rule {
        case .everybody: true
        case .only: isNamed(user, groups: groups, in: rule)
        }
    }

    /// Returns the reason why a user may not run an intent, or nil if they may.
    ///
    /// - Parameter isPresent: True if the user has an active session at this machine's own seat.
    package static func obstacle(
        to user: Caller,
        groups: Set<UInt32>,
        under rule: AccessRule,
        authentication: Authentication,
        isPresent: Bool
    ) -> Obstacle? {
        guard mayPerform(user, groups: groups, under: rule) else { return .notAllowed }
        switch authentication {
        case .none: return nil
        case .unknown: return .unknownPolicy
        case .named: return isNamed(user, groups: groups, in: rule) ? nil : .notNamed
        case .namedAndPresent:
            guard isNamed(user, groups: groups, in: rule) else { return .notNamed }
            return isPresent ? nil : .notPresent
        }
    }

    /// Returns true if `[Access]` names the user or one of the user's groups. Root counts as named. Members of the
    /// operators' group do not.
    private static func isNamed(_ user: Caller, groups: Set<UInt32>, in rule: AccessRule) -> Bool {
        if user.isRoot { return true }
        guard case .only(let users, let allowedGroups) = rule else { return false }
        return users.contains(user) || users.contains(.local(user: user.uid)) || !groups.isDisjoint(with: allowedGroups)
    }

    /// Returns the strictest authentication that a user satisfies. A worker sends only the entities and properties
    /// that it permits.
    ///
    /// - Parameter isPresent: True if the user, and not an agent for the user, has an active session at this machine's
    ///   own seat.
    package static func authentication(
        of user: Caller,
        groups: Set<UInt32>,
        under rule: AccessRule,
        isPresent: Bool
    ) -> Authentication {
        guard isNamed(user, groups: groups, in: rule) else { return .none }
        return isPresent ? .namedAndPresent : .named
    }

    /// The authentication that an intent, an entity or a property requires (`authenticationPolicy`).
    package enum Authentication: Equatable, Sendable, CaseIterable {
        case none
        /// `requiresAuthentication`: the operator must have named the user.
        case named
        /// `requiresLocalDeviceAuthentication`: the user must also have a session at this machine's own seat.
        case namedAndPresent
        /// A policy from a newer version of AppIntents.
        case unknown

        package init(_ word: String?) {
            self = word.map { word in Self.allCases.first { $0.word == word } ?? .unknown } ?? .none
        }

        /// The name of the case in Apple's IntentAuthenticationPolicy; nil for no requirement and for an unknown one.
        package var word: String? {
            switch self {
            case .none, .unknown: nil
            case .named: "requiresAuthentication"
            case .namedAndPresent: "requiresLocalDeviceAuthentication"
            }
        }
    }

    /// The reason why a user may not run an intent.
    package enum Obstacle: Equatable, Sendable {
        /// `[Access]` does not list the user.
        case notAllowed
        /// The intent requires a user named in `[Access]`, but `[Access]` admits every user.
        case notNamed
        /// The intent requires a user with a session at this machine's own seat.
        case notPresent
        case unknownPolicy
    }

    /// Returns the standing of a requester under `Confirm=`.
    ///
    /// - Parameter access: The users who may run the intent; several rules for a shortcut, of which each must permit the user.
    ///   Other users may not confirm it either.
    package static func standing(
        of requester: Requester,
        _ rank: Rank,
        groups: Set<UInt32>,
        toRunOf owner: Requester,
        _ rule: ConfirmRule,
        access: @autoclosure () -> [AccessRule]
    ) -> Standing {
        if let relation = relation(of: requester, rank, toRunOf: owner) { return relation }
        guard requester.agent == nil else { return .unrelated }
        return switch rule {
        case .caller: .unrelated
        case .other:
            access().allSatisfy { mayPerform(requester.user, groups: groups, under: $0) } ? .confirmer : .unrelated
        case .members(let named): groups.isDisjoint(with: named) ? .unrelated : .confirmer
        }
    }

    package static func may(_ operation: Operation, as standing: Standing, _ rule: ConfirmRule) -> Bool {
        switch (standing, operation) {
        case (.caller, .see), (.caller, .follow), (.caller, .cancel), (.caller, .fetch), (.caller, .undo),
            (.caller, .answerValue), (.caller, .seeConfirmation):
            true
        case (.caller, .confirm): rule == .caller
        case (.agent, .see), (.agent, .follow), (.agent, .cancel), (.agent, .fetch), (.agent, .undo),
            (.agent, .answerValue), (.agent, .seeConfirmation):
            true
        // Only a person may confirm an agent's request.
        case (.agent, .confirm): false
        case (.operator, .see), (.operator, .follow), (.operator, .cancel), (.operator, .fetch),
            (.operator, .answerValue), (.operator, .seeConfirmation), (.operator, .confirm):
            true
        // An undo is a new run. If an operator could undo a run, the new run would not belong to the run's caller, and
        // the run could be undone twice.
        case (.operator, .undo): false
        case (.confirmer, .seeConfirmation), (.confirmer, .confirm): true
        case (.confirmer, .see), (.confirmer, .follow), (.confirmer, .cancel), (.confirmer, .fetch),
            (.confirmer, .undo), (.confirmer, .answerValue):
            false
        case (.unrelated, .see), (.unrelated, .follow), (.unrelated, .cancel), (.unrelated, .fetch),
            (.unrelated, .undo),
            (.unrelated, .answerValue), (.unrelated, .seeConfirmation), (.unrelated, .confirm):
            false
        }
    }
}

/// The rule that determines which users are operators. Root is always an operator.
///
/// Operators see totals over all runs (`metrics`), remove runs from history (`prune`), make the daemon read its files
/// again and replace its program (`reload`, `upgrade`), and have the permissions of ``RunAccess`` for other users'
/// runs.
package enum OperatorRule: Equatable, Sendable {
    /// A private daemon: the owner is the operator.
    case owner(user: UInt32)
    /// A system service: root and the members of this group are operators. The service's own user is not an operator,
    /// because an app that escapes its sandbox is most likely to become that user.
    case members(of: UInt32)
    /// A system service on a machine without the operators' group.
    case rootAlone

    package func rank(of user: Caller, groups: Set<UInt32>) -> RunAccess.Rank {
        if user.isRoot { return .operator }
        return switch self {
        case .owner(let owner): user.uid == owner ? .operator : .user
        case .members(let group): groups.contains(group) ? .operator : .user
        case .rootAlone: .user
        }
    }
}

/// The `[Access]` section of a unit file, with account and group names resolved to ids.
package enum AccessRule: Equatable, Sendable {
    case everybody
    /// An entry without an account matches its uid with any account.
    case only(users: Set<Caller>, groups: Set<UInt32>)
}

/// The `Confirm=` key of a unit file: the users who may answer a confirmation.
package enum ConfirmRule: Equatable, Sendable {
    /// The run's caller.
    case caller
    /// Any other user who may run the intent.
    case other
    /// Any other user in one of these groups.
    case members(of: Set<UInt32>)
}
