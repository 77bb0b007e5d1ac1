package import IntentWire

/// What each user may see of an app.
///
/// Apps that a user has no permission to run are hidden from them: they are not listed, their intents are not
/// described, and a misspelled name gets no hint. A user who may run one of an app's intents sees the whole app. Errors
/// then tell them why they may not run another intent.
extension InstalledApp {
    /// True if the user may run some intent of the app, judged without its catalogue.
    package func isOpen(to user: Caller, groups: Set<UInt32>) -> Bool {
        ([access] + intentAccess.values).contains { RunAccess.mayPerform(user, groups: groups, under: $0) }
    }
}

extension RunTable {
    /// Why an app is hidden from a user; nil when they may run some intent of it.
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
                ("you may not run \(name)", "the operator grants permission: [Access] in \(app).conf")
            case .notNamed:
                (
                    "you may not run \(name): it requires authentication, and the operator has named no user for it",
                    "AllowUsers= or AllowGroups= of [Access] in \(app).conf has to name you"
                )
            case .notPresent:
                (
                    "you may not run \(name): it requires a user at this machine, and you have no active session here",
                    "log in at the machine itself; 'loginctl' shows the sessions"
                )
            case .unknownPolicy:
                (
                    "you may not run \(name): this intentd does not know the authentication that it requires",
                    "'intentctl describe \(name)' shows its policy; update intentd"
                )
            }
        return ErrorReport(.notPermitted, why, hint: hint)
    }
}
