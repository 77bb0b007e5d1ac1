/// The rule that divides a limited resource among accounts. An account may have at most as many units as remain free, so
/// that the next account always finds a free unit.
package enum FairShare {
    /// Returns true if the account may have one more unit.
    ///
    /// - Parameters:
    ///   - own: The number of units that the account has.
    ///   - taken: The number of units that all accounts have together.
    package static func hasRoom(own: Int, taken: Int, limit: Int) -> Bool { own < limit - taken }
}

/// The units of a limited resource that accounts have, divided among them by ``FairShare``.
package struct SharedPool: Sendable {
    package private(set) var count = 0
    private var countOfAccount = Tally<Account>()

    package init() {}

    /// The number of the account's units.
    package subscript(account: Account) -> Int { countOfAccount[account] }

    package func hasRoom(for account: Account, limit: Int) -> Bool {
        FairShare.hasRoom(own: countOfAccount[account], taken: count, limit: limit)
    }

    /// - Parameter account: Nil for units that are no account's.
    package mutating func add(_ account: Account?, _ count: Int = 1) {
        self.count += count
        if let account { countOfAccount.add(account, count) }
    }

    package mutating func remove(_ account: Account, _ count: Int = 1) {
        self.count -= count
        countOfAccount.remove(account, count)
    }
}
