package import IntentLauncherMessages

/// The rules that determine which apps a user may see.
///
/// Apps that a user has no permission to run are hidden from them: intentd does not list these apps, describe their
/// intents, or suggest their names. A user who may run one of an app's intents sees the whole app. The error for
/// another intent of that app then gives the reason why they may not run it.
extension InstalledApp {
    /// Returns true if the user may run at least one intent of the app, as far as can be determined without its
    /// catalogue.
    package func isOpen(to user: Caller, groups: Set<UInt32>) -> Bool {
        ([access] + intentRules.values.compactMap(\.access)).contains {
            RunAccess.mayPerform(user, groups: groups, under: $0)
        }
    }
}

extension RunTable {
    /// Returns true if a client may see an app. A fleet's service sees only apps with intents that the fleet may
    /// perform.
    func isVisible(_ app: InstalledApp, to origin: RequestOrigin) -> Bool {
        switch origin.fleet {
        case .none: app.isOpen(to: origin.user, groups: origin.groups)
        case .service: app.isInFleet
        case .user: app.isInFleet && app.isOpen(to: origin.user, groups: origin.groups)
        }
    }

    /// Returns the reason why an app is hidden from a user, or nil if the user may run at least one of its intents.
    func refusal(of origin: RequestOrigin, at app: InstalledApp) -> ErrorReport? {
        isVisible(app, to: origin) ? nil : Self.refusal(by: .notAllowed, app.name, nil)
    }

    static func refusal(
        by obstacle: RunAccess.Obstacle,
        _ app: AppName,
        _ intent: IntentDeclaration?
    ) -> ErrorReport {
        let name = intent.map { "\(app)/\($0.name)" } ?? "any intent of \(app)"
        let (why, hint) =
            switch obstacle {
            case .notAllowed:
                ("you may not run \(name)", "an operator can grant permission with [Access] in \(app).conf")
            case .notNamed:
                (
                    "you may not run \(name): it requires authentication, and [Access] in \(app).conf does not name you",
                    "an operator can add you to AllowUsers= or AllowGroups="
                )
            case .notPresent:
                (
                    "you may not run \(name): it requires a user at this machine, and you have no active session here",
                    "log in at this machine; 'loginctl' lists the sessions"
                )
            case .unknownPolicy:
                (
                    "you may not run \(name): it requires a kind of authentication that this intentd does not support",
                    "update intentd; 'intentctl describe \(name)' shows the intent's policy"
                )
            }
        return ErrorReport(.notPermitted, why, hint: hint)
    }
}
