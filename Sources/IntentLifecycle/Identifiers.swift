package import IntentWire

/// A client's connection, for as long as it lasts.
package struct ClientID: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// A pair of app and user. It has its own sandbox, fork server and spares.
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
