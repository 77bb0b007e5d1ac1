/// Who may do what with runs.
///
/// A run belongs to the user who asked for it, and to everybody else it does not exist. Who may ask for one is the
/// operator's word; root may always.
package enum RunAccess {
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
}

/// The operator's `[Access]`, with names made numbers.
package enum AccessRule: Equatable, Sendable {
    case everybody
    case only(users: Set<UInt32>, groups: Set<UInt32>)
}
