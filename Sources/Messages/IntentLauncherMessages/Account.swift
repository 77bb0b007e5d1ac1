/// The account that pays for what a user takes. Shares of connections, requests, runs and stored records are counted by
/// account. Ownership and access use ``Caller``.
///
/// Only ``SubordinateIDs/account(of:)`` creates an account. A share can therefore not be counted by uid by mistake.
package struct Account: Hashable, Sendable {
    /// The user itself, or the owner of the subordinate ids that contain the user's uid.
    package let payer: Caller

    fileprivate init(payer: Caller) { self.payer = payer }
}

/// The ids that are subordinate to accounts (subuid(5)). An account can become each of them in a user namespace.
package struct SubordinateIDs: Equatable, Sendable {
    package struct Range: Equatable, Sendable {
        package var first: UInt32
        package var count: UInt32
        package var owner: Caller

        package init(first: UInt32, count: UInt32, owner: Caller) {
            self.first = first
            self.count = count
            self.owner = owner
        }

        package func contains(_ id: UInt32) -> Bool { id >= first && id - first < count }
    }

    package let ranges: [Range]

    package init(_ ranges: [Range] = []) { self.ranges = ranges }

    /// Returns the account that pays for a user. A uid with an account of its own is not subordinate, even if a range
    /// contains it. If several ranges contain a uid, the first one counts.
    package func account(of user: Caller) -> Account {
        guard user.account.isEmpty, let range = ranges.first(where: { $0.contains(user.uid) }) else {
            return Account(payer: user)
        }
        return Account(payer: range.owner)
    }
}
