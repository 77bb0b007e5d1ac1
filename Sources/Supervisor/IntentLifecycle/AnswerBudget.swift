package import IntentLauncherMessages

/// The limit on answers that clients request but do not read. Above the limit, `intentd` reads no more requests from
/// the client.
package struct AnswerBudget: Sendable {
    /// The maximum number of unread bytes for one connection.
    package static let byteLimit = 256 << 10
    /// The maximum number of unread bytes for all connections of one account.
    package static let userByteLimit = 8 << 20
    /// The maximum number of unread bytes for all connections of one account, including answers to requests that were
    /// read before the account reached ``userByteLimit``. An answer that would exceed this maximum is replaced with an error.
    package static let userByteCeiling = 32 << 20
    /// The maximum number of unanswered requests from one connection.
    package static let openLimit = 256
    /// The maximum number of unanswered requests from one account.
    package static let userOpenLimit = 1024

    private struct Load: Sendable {
        var byteCount = 0
        var openCount = 0

        static func += (left: inout Load, right: Load) {
            left.byteCount += right.byteCount
            left.openCount += right.openCount
        }
    }

    private var loads: [ClientID: Load] = [:]
    private var totals: [Account: Load] = [:]

    package init() {}

    /// Records that a request was read.
    package mutating func asked(_ client: ClientID, of account: Account) { add(Load(openCount: 1), client, account) }

    /// Records that a request was answered. The answer counts as unread until the client has received it.
    package mutating func answered(_ byteCount: Int, _ client: ClientID, of account: Account) {
        add(Load(byteCount: byteCount, openCount: -1), client, account)
    }

    /// Records that the client has received this number of bytes of its answers.
    package mutating func received(_ byteCount: Int, _ client: ClientID, of account: Account) {
        add(Load(byteCount: -byteCount), client, account)
    }

    package mutating func left(_ client: ClientID, of account: Account) {
        guard let load = loads.removeValue(forKey: client) else { return }
        totals[account, default: Load()] += Load(byteCount: -load.byteCount, openCount: -load.openCount)
        if let total = totals[account], total.byteCount == 0, total.openCount == 0 { totals[account] = nil }
    }

    /// Returns true if more requests from the connection may be read. A connection with neither open requests nor
    /// unread answers may always make one request, regardless of the account's other connections.
    package func mayAsk(_ client: ClientID, of account: Account) -> Bool {
        let load = loads[client] ?? Load()
        if load.byteCount == 0, load.openCount <= 0 { return true }
        return load.byteCount <= Self.byteLimit && load.openCount < Self.openLimit && hasRoom(account)
    }

    /// Returns true if more requests from the account may be read.
    package func hasRoom(_ account: Account) -> Bool {
        let total = totals[account] ?? Load()
        return total.byteCount <= Self.userByteLimit && total.openCount < Self.userOpenLimit
    }

    /// Returns true if the account may have this number of additional unread bytes.
    package func mayAnswer(_ byteCount: Int, to account: Account) -> Bool {
        (totals[account]?.byteCount ?? 0) + byteCount <= Self.userByteCeiling
    }

    /// Returns true if the client has unread answers.
    package func hasUnread(_ client: ClientID) -> Bool { (loads[client]?.byteCount ?? 0) > 0 }

    private mutating func add(_ change: Load, _ client: ClientID, _ account: Account) {
        loads[client, default: Load()] += change
        totals[account, default: Load()] += change
    }
}
