import IntentLauncherMessages

/// A client's relation to a fleet, according to `User=` in the `[Fleet]` section of intentd.conf.
package enum FleetAccess: Hashable, Sendable {
    /// The client is not a fleet's service.
    case none
    /// A fleet's service, acting for itself. It may list the intents that the fleet may perform, but not perform them.
    case service
    /// A fleet's service, acting for a user of another host.
    case user

    /// Returns true if the text is a valid name for a fleet user: `NAME@HOST`. Each part has 1 to 64 ASCII letters,
    /// digits and certain punctuation characters, and does not begin with a dot, so that the name is safe in a path.
    package static func isUser(_ text: String) -> Bool {
        let parts = text.split(scalar: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        return parts.allSatisfy { part in
            (1...64).contains(part.utf8.count) && part.utf8.first != UInt8(ascii: ".")
                && part.unicodeScalars.allSatisfy { isAllowed($0) }
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return false }
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "+", "$": return true
        default: return false
        }
    }
}

extension RunTable {
    /// Returns the reason why a fleet's service may not perform an intent. Returns nil if it may, or if the client is
    /// not a fleet's service.
    func refusal(ofFleet origin: RequestOrigin, _ intent: IntentDeclaration, of app: InstalledApp) -> ErrorReport? {
        switch origin.fleet {
        case .none: return nil
        case .service:
            return ErrorReport(
                .notPermitted,
                "the service of a fleet performs intents only for users of the fleet",
                hint: "send 'fleetUser' in the hello message"
            )
        case .user:
            return app.fleetRule(for: intent) == nil ? Self.refusal(ofFleetTo: intent, of: app) : nil
        }
    }

    /// Returns the error for an intent that a fleet may not perform.
    static func refusal(ofFleetTo intent: IntentDeclaration, of app: InstalledApp) -> ErrorReport {
        ErrorReport(
            .notPermitted,
            "a fleet may not perform \(app.name)/\(intent.name)",
            hint: "an operator can permit it with Fleet= in [Fleet] of \(app.name).conf"
        )
    }
}
