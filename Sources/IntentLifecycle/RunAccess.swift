/// Who may do what with runs.
///
/// A run belongs to the user who asked for it, and to everybody else it does not exist, with two exceptions: root may
/// answer whatever is asked, and where the operator wants a second pair of eyes (`Confirm=`), those see and answer the
/// confirmations that are open. Who may ask for a run is the operator's word; root may always.
package enum RunAccess {
    /// What somebody wants with a run of somebody's.
    package enum Deed: Hashable, Sendable, CaseIterable {
        /// Follow it, cancel it.
        case follow
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
        /// Root, who did not ask for it.
        case root
        /// Another who is to confirm what it does.
        case confirmer
        case stranger
    }

    package static func mayRefer(_ user: UserID, toRunOf owner: UserID) -> Bool {
        user == owner
    }

    package static func mayPerform(_ user: UserID, groups: Set<UInt32>, under rule: AccessRule) -> Bool {
        switch rule {
        case .everybody: true
        case .only(let users, let allowedGroups):
            user.number == 0 || users.contains(user.number) || !groups.isDisjoint(with: allowedGroups)
        }
    }

    /// - Parameter access: Who may run the intent: others confirm nothing of it either.
    package static func standing(
        of user: UserID,
        groups: Set<UInt32>,
        toRunOf owner: UserID,
        _ rule: ConfirmRule,
        access: AccessRule
    ) -> Standing {
        if user == owner { return .asker }
        if user.number == 0 { return .root }
        return switch rule {
        case .asker: .stranger
        case .other: mayPerform(user, groups: groups, under: access) ? .confirmer : .stranger
        case .members(let named): groups.isDisjoint(with: named) ? .stranger : .confirmer
        }
    }

    package static func may(_ deed: Deed, as standing: Standing, _ rule: ConfirmRule) -> Bool {
        switch (standing, deed) {
        case (.asker, .follow), (.asker, .answerValue), (.asker, .seeConfirmation): true
        case (.asker, .confirm): rule == .asker
        case (.root, .follow): false
        case (.root, .answerValue), (.root, .seeConfirmation), (.root, .confirm): true
        case (.confirmer, .follow), (.confirmer, .answerValue): false
        case (.confirmer, .seeConfirmation), (.confirmer, .confirm): true
        case (.stranger, .follow), (.stranger, .answerValue), (.stranger, .seeConfirmation), (.stranger, .confirm):
            false
        }
    }
}

/// The operator's `[Access]`, with names made numbers.
package enum AccessRule: Equatable, Sendable {
    case everybody
    case only(users: Set<UInt32>, groups: Set<UInt32>)
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
