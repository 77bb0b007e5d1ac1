/// Who may see, follow and cancel whose runs: a run belongs to the user who asked for it, and to everybody
/// else it does not exist.
package enum RunAccess {
    package static func mayRefer(_ user: UserID, toRunOf owner: UserID) -> Bool {
        user == owner
    }
}
