package import IntentWire

/// What an app shows of itself to whom.
///
/// Who may run nothing of an app is told nothing of it either: it is not listed, what it can do is not described, and a
/// wrong word brings no hint of what would be right. Who may run something of it sees all of it, and is told why where
/// he may not.
extension InstalledApp {
    /// He may run something of it, as far as that can be said without its catalogue.
    package func isOpen(to user: Caller, groups: Set<UInt32>) -> Bool {
        ([access] + intentAccess.values).contains { RunAccess.mayPerform(user, groups: groups, under: $0) }
    }
}

extension RunTable {
    /// Why somebody hears nothing of an app; nil where he may run something of it.
    func refusal(of asker: Asker, at app: InstalledApp) -> ErrorReport? {
        app.isOpen(to: asker.user, groups: asker.groups) ? nil : Self.refusal(by: .notAllowed, app.name, nil)
    }

    static func refusal(
        by obstacle: RunAccess.Obstacle,
        _ app: AppName,
        _ intent: IntentDeclaration?
    ) -> ErrorReport {
        let name = intent.map { "\(app)/\($0.name)" } ?? "anything of \(app)"
        let (why, hint) =
            switch obstacle {
            case .notAllowed:
                ("you may not run \(name)", "the operator names who may: [Access] in \(app).conf")
            case .notNamed:
                (
                    "you may not run \(name): it requires authentication, and the operator has named nobody for it",
                    "AllowUsers= or AllowGroups= of [Access] in \(app).conf has to name you"
                )
            case .notPresent:
                (
                    "you may not run \(name): it requires somebody at this machine, and you have no active session here",
                    "log in at the machine itself; 'loginctl' shows the sessions"
                )
            case .unknownPolicy:
                (
                    "you may not run \(name): what it requires is not understood by this intentd",
                    "'intentctl describe \(name)' tells its policy; update intentd"
                )
            }
        return ErrorReport(.notPermitted, why, hint: hint)
    }
}
