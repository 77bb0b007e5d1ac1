package import IntentWire

/// Who may do what with runs.
///
/// A run belongs to the user who asked for it, and to everybody else it does not exist, with two exceptions: an operator
/// sees all runs, ends and answers them, and has their files, as root can on any machine; and where the operator wants a
/// second pair of eyes (`Confirm=`), those see and answer the confirmations that are open. Who may ask for a run is the
/// operator's word; root may always. Of an app of which somebody may run nothing he is told nothing. What is
/// counted over all runs is for operators.
package enum RunAccess {
    /// What somebody wants with a run of somebody's.
    package enum Deed: Hashable, Sendable, CaseIterable {
        /// See that it is there, and all that is on record of it: `ps`, `history`, `show`, `why`, `logs`.
        case see
        /// Hear what becomes of it: `watch`, `wait`.
        case follow
        /// End it.
        case cancel
        /// Have the files of its result, and say that nobody needs them any more.
        case fetch
        /// Run what undoes it: a run of one's own.
        case undo
        /// See or answer its question for a value or a choice.
        case answerValue
        /// See its question whether to go on.
        case seeConfirmation
        /// Answer that.
        case confirm
    }

    /// What somebody is to a run.
    package enum Standing: Hashable, Sendable, CaseIterable {
        /// He asked for it.
        case asker
        /// An operator, who did not ask for it.
        case `operator`
        /// Another who is to confirm what it does.
        case confirmer
        case stranger
    }

    /// What a client may beyond the runs of its own user.
    package enum Rank: Hashable, Sendable, CaseIterable {
        case user
        case `operator`

        /// That of a user where no group and no daemon of its own makes it an operator.
        package init(of user: Caller) { self = user.isRoot ? .operator : .user }
    }

    /// Where nobody has to confirm anything.
    package static func may(_ deed: Deed, _ user: Caller, _ rank: Rank, withRunOf owner: Caller) -> Bool {
        may(deed, as: user == owner ? .asker : rank == .operator ? .operator : .stranger, .asker)
    }

    package static func mayPerform(_ user: Caller, groups: Set<UInt32>, under rule: AccessRule) -> Bool {
        switch rule {
        case .everybody: true
        case .only: isNamed(user, groups: groups, in: rule)
        }
    }

    /// What is missing for an intent that wants to know who asks; nil when nothing is.
    ///
    /// - Parameter isPresent: The user has an active session at this machine's own seat.
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

    /// The operator has named the user, or a group of his; root needs no name. An operator by group does.
    private static func isNamed(_ user: Caller, groups: Set<UInt32>, in rule: AccessRule) -> Bool {
        if user.isRoot { return true }
        guard case .only(let users, let allowedGroups) = rule else { return false }
        return users.contains(user) || users.contains(.local(user: user.uid)) || !groups.isDisjoint(with: allowedGroups)
    }

    /// What an intent says of who may ask for it, its `authenticationPolicy`.
    package enum Authentication: Equatable, Sendable, CaseIterable {
        case none
        /// `requiresAuthentication`
        case named
        /// `requiresLocalDeviceAuthentication`
        case namedAndPresent
        /// What a newer app says, and is not understood.
        case unknown

        package init(_ word: String?) {
            self =
                switch word {
                case nil: .none
                case "requiresAuthentication": .named
                case "requiresLocalDeviceAuthentication": .namedAndPresent
                case _?: .unknown
                }
        }
    }

    /// Why somebody may not run an intent.
    package enum Obstacle: Equatable, Sendable {
        /// `[Access]` has others.
        case notAllowed
        /// The intent wants somebody whom the operator named, and it lets everybody in.
        case notNamed
        /// The intent wants somebody who sits at this machine.
        case notPresent
        case unknownPolicy
    }

    /// - Parameter access: Who may run the intent: others confirm nothing of it either.
    package static func standing(
        of user: Caller,
        _ rank: Rank,
        groups: Set<UInt32>,
        toRunOf owner: Caller,
        _ rule: ConfirmRule,
        access: AccessRule
    ) -> Standing {
        if user == owner { return .asker }
        if rank == .operator { return .operator }
        return switch rule {
        case .asker: .stranger
        case .other: mayPerform(user, groups: groups, under: access) ? .confirmer : .stranger
        case .members(let named): groups.isDisjoint(with: named) ? .stranger : .confirmer
        }
    }

    package static func may(_ deed: Deed, as standing: Standing, _ rule: ConfirmRule) -> Bool {
        switch (standing, deed) {
        case (.asker, .see), (.asker, .follow), (.asker, .cancel), (.asker, .fetch), (.asker, .undo),
            (.asker, .answerValue), (.asker, .seeConfirmation):
            true
        case (.asker, .confirm): rule == .asker
        case (.operator, .see), (.operator, .follow), (.operator, .cancel), (.operator, .fetch),
            (.operator, .answerValue), (.operator, .seeConfirmation), (.operator, .confirm):
            true
        // It would be a run of the operator's, and the asker's own undoing would be another.
        case (.operator, .undo): false
        case (.confirmer, .seeConfirmation), (.confirmer, .confirm): true
        case (.confirmer, .see), (.confirmer, .follow), (.confirmer, .cancel), (.confirmer, .fetch),
            (.confirmer, .undo), (.confirmer, .answerValue):
            false
        case (.stranger, .see), (.stranger, .follow), (.stranger, .cancel), (.stranger, .fetch), (.stranger, .undo),
            (.stranger, .answerValue), (.stranger, .seeConfirmation), (.stranger, .confirm):
            false
        }
    }
}

/// Who has an operator's rights: to see what is counted over everybody's runs (`metrics`), to remove runs from the
/// record (`prune`), to have the daemon read its files again and become another program (`reload`, `upgrade`), and with
/// the runs of others what ``RunAccess`` says. Root always has them.
package enum OperatorRule: Equatable, Sendable {
    /// The daemon of one user, who is its operator.
    case owner(user: UInt32)
    /// The service of a machine: those who are in this group. Its own user has no rights, since apps may come near it.
    case members(of: UInt32)
    /// Such a service whose group does not exist.
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

/// The operator's `[Access]`, with names made numbers.
package enum AccessRule: Equatable, Sendable {
    case everybody
    /// A user without an account is named by its number, whatever account that has.
    case only(users: Set<Caller>, groups: Set<UInt32>)
}

/// The operator's `Confirm=`: who may answer when a run asks whether to go on.
package enum ConfirmRule: Equatable, Sendable {
    /// Who asked for the run.
    case asker
    /// Anybody else who may run the intent.
    case other
    /// Anybody else who is in one of these groups.
    case members(of: Set<UInt32>)
}
