/// A client's connection, for as long as it lasts.
package struct ClientID: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// A user of the machine, as SO_PEERCRED gives it.
package struct UserID: Hashable, Sendable {
    package let number: UInt32

    package init(number: UInt32) {
        self.number = number
    }
}
