package import IntentLauncherMessages

/// The identifier of an open client connection.
package struct ClientID: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }

    /// The client that represents `intentd` itself as the requester of notifications (`[Notify]`). It has no
    /// connection.
    package static let intentd = ClientID(number: .max)

    /// The client that represents `intentd` itself as the requester of shortcuts' steps. It has no connection.
    package static let shortcuts = ClientID(number: .max - 1)
}

/// A pair of an app and a user. Each pair has its own sandbox, fork server and spares.
package struct AppUser: Hashable, Comparable, Sendable {
    package var app: AppName
    package var user: Caller

    package init(app: AppName, user: Caller) {
        self.app = app
        self.user = user
    }

    package static func < (left: AppUser, right: AppUser) -> Bool {
        (left.app, left.user.uid, left.user.account) < (right.app, right.user.uid, right.user.account)
    }
}
