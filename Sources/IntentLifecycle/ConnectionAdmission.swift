package import IntentWire

/// Which connections are accepted. One user can hold only a share of the free connections. However many connections
/// there are, the operator can connect, and so can a user without a connection.
package struct ConnectionAdmission: Sendable {
    /// Connections that users share.
    package static let sharedPlaceCount = 512
    /// First connections of users, when the shared connections are used up. Each belongs to a different user. The
    /// number keeps the process below its limit of descriptors even if one account owns thousands of user ids
    /// (subuid(5)).
    package static let firstPlaceCount = 4096
    /// Connections of operators, when the shared connections are used up.
    package static let operatorPlaceCount = 16

    private enum Place: Sendable {
        case shared
        case first
        case operators
    }

    private var holders: [ClientID: (user: Caller, place: Place)] = [:]
    private var counts: [Caller: Int] = [:]
    private var sharedCount = 0
    private var firstCount = 0
    private var operatorCount = 0

    package init() {}

    /// Admits the connection.
    ///
    /// - Returns: False when no connection is left for this user.
    package mutating func admit(_ client: ClientID, of user: Caller, isOperator: Bool) -> Bool {
        let own = counts[user] ?? 0
        let place: Place
        if FairShare.hasRoom(own: own, taken: sharedCount, limit: Self.sharedPlaceCount) {
            place = .shared
        } else if own == 0, firstCount < Self.firstPlaceCount {
            place = .first
        } else if isOperator, operatorCount < Self.operatorPlaceCount {
            place = .operators
        } else {
            return false
        }
        count(place, 1)
        counts[user] = own + 1
        holders[client] = (user, place)
        return true
    }

    /// Releases a connection. Does nothing if the connection was not admitted.
    package mutating func leave(_ client: ClientID) {
        guard let (user, place) = holders.removeValue(forKey: client) else { return }
        count(place, -1)
        let rest = (counts[user] ?? 1) - 1
        counts[user] = rest > 0 ? rest : nil
    }

    private mutating func count(_ place: Place, _ change: Int) {
        switch place {
        case .shared: sharedCount += change
        case .first: firstCount += change
        case .operators: operatorCount += change
        }
    }
}
