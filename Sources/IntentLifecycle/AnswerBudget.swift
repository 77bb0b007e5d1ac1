package import IntentWire

/// The limit on answers that clients request but do not read. Above the limit, `intentd` reads no more requests from
/// the client.
package struct AnswerBudget: Sendable {
    /// The maximum number of unread bytes for one connection.
    package static let byteLimit = 256 << 10
    /// The maximum number of unread bytes for all connections of one user.
    package static let userByteLimit = 8 << 20
    /// The maximum number of unread bytes for all connections of one user, including answers to requests that were read
    /// before the user reached ``userByteLimit``. An answer that would exceed this maximum is replaced with an error.
    package static let userByteCeiling = 32 << 20
    /// The maximum number of unanswered requests from one connection.
    package static let openLimit = 256
    /// The maximum number of unanswered requests from one user.
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
    private var totals: [Caller: Load] = [:]

    package init() {}

    /// Records that a request was read.
    package mutating func asked(_ client: ClientID, of user: Caller) { add(Load(openCount: 1), client, user) }

    /// Records that a request was answered. The answer counts as unread until the client has received it.
    package mutating func answered(_ byteCount: Int, _ client: ClientID, of user: Caller) {
        add(Load(byteCount: byteCount, openCount: -1), client, user)
    }

    /// Records that the client has received this number of bytes of its answers.
    package mutating func received(_ byteCount: Int, _ client: ClientID, of user: Caller) {
        add(Load(byteCount: -byteCount), client, user)
    }

    package mutating func left(_ client: ClientID, of user: Caller) {
        guard let load = loads.removeValue(forKey: client) else { return }
        totals[user, default: Load()] += Load(byteCount: -load.byteCount, openCount: -load.openCount)
        if let total = totals[user], total.byteCount == 0, total.openCount == 0 { totals[user] = nil }
    }

    /// Returns true if more requests from the connection may be read. A connection with neither open requests nor
    /// unread answers may always make one request, regardless of the user's other connections.
    package func mayAsk(_ client: ClientID, of user: Caller) -> Bool {
        let load = loads[client] ?? Load()
        if load.byteCount == 0, load.openCount <= 0 { return true }
        return load.byteCount <= Self.byteLimit && load.openCount < Self.openLimit && hasRoom(user)
    }

    /// Returns true if more requests from the user may be read.
    package func hasRoom(_ user: Caller) -> Bool {
        let total = totals[user] ?? Load()
        return total.byteCount <= Self.userByteLimit && total.openCount < Self.userOpenLimit
    }

    /// Returns true if the user may have this number of additional unread bytes.
    package func mayAnswer(_ byteCount: Int, to user: Caller) -> Bool {
        (totals[user]?.byteCount ?? 0) + byteCount <= Self.userByteCeiling
    }

    /// Returns true if the client has unread answers.
    package func hasUnread(_ client: ClientID) -> Bool { (loads[client]?.byteCount ?? 0) > 0 }

    private mutating func add(_ change: Load, _ client: ClientID, _ user: Caller) {
        loads[client, default: Load()] += change
        totals[user, default: Load()] += change
    }
}
