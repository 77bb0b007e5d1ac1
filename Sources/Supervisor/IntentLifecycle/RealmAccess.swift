import IntentLauncherMessages

/// The callers of realms, according to `User=` and `Realm=` in the `[Web]` section of intentd.conf: users at issuers of access
/// tokens, who have no account on this host. Each is a ``Caller`` with the uid of the service and the name `SUBJECT@REALM`.
package struct RealmAccess: Equatable, Sendable {
    /// The uid of the service that acts for the callers; nil without a service.
    package var service: UInt32?
    /// The names of the realms.
    package var realms: Set<String> = []

    package init() {}

    /// Returns true for a caller of any realm, also of one that was removed. A user of a fleet has the uid of another service.
    func isOfService(_ user: Caller) -> Bool { user.uid == service && user.account.utf8.contains(UInt8(ascii: "@")) }

    /// Returns true for a caller of a realm.
    func contains(_ user: Caller) -> Bool {
        let parts = user.account.split(scalar: "@", maxSplits: 1)
        return isOfService(user) && parts.count == 2 && realms.contains(String(parts[1]))
    }
}

extension RunTable {
    /// Returns true for a user of a fleet.
    func isOfFleet(_ user: Caller) -> Bool {
        FleetAccess.isUser(user.account) && !capacity.realms.isOfService(user)
    }

    /// Returns the reason why a waiting run's owner may perform nothing since a change of `[Web]`, or nil.
    func refusal(ofRealmOf owner: Caller) -> ErrorReport? {
        guard capacity.realms.isOfService(owner), !capacity.realms.contains(owner) else { return nil }
        return ErrorReport(
            .notPermitted,
            "the service of the HTTP API may no longer act for '\(SafeText.line(owner.account))'",
            hint: "an operator can permit it with Realm= in [Web] of intentd.conf"
        )
    }
}
