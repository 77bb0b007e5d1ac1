import IntentWire

/// The turns of users with equally many slots: stride scheduling, in proportion to the users' weights.
struct AdmissionTurns: Sendable {
    /// The user with the smallest turn is next.
    struct Turn: Comparable, Sendable {
        /// Rises with each admission of the user, the less the greater the user's weight is.
        var distance = 0
        /// When the user was last admitted, as a number that rises by two with every admission of any user.
        var admission = 0

        static func < (left: Turn, right: Turn) -> Bool {
            (left.distance, left.admission) < (right.distance, right.admission)
        }
    }

    /// What an admission adds to the distance of a user with weight 1.
    private static let step = 1_000_000

    private var turns: [Caller: Turn] = [:]
    /// The largest distance at which a run was admitted.
    private var distance = 0
    private var lastAdmission = 0
    private var lastUser: Caller?

    subscript(user: Caller) -> Turn { turns[user] ?? Turn(distance: distance) }

    /// A new user ranks just before the user admitted last, and behind all others who wait: a user with one run at a time
    /// gains nothing from being new each time.
    mutating func join(_ user: Caller, isWaiting: (Caller) -> Bool) {
        guard turns[user] == nil else { return }
        var turn = Turn(distance: distance, admission: max(lastAdmission, 1) - 1)
        for (other, otherTurn) in turns where other != lastUser && isWaiting(other) {
            turn.distance = max(turn.distance, otherTurn.distance)
        }
        turns[user] = turn
    }

    mutating func leave(_ user: Caller) { turns[user] = nil }

    /// A user's run was admitted.
    mutating func admitted(_ user: Caller, weight: Int) {
        // If a limit kept a user's runs waiting for long, the user is owed one admission, not all that others had meanwhile.
        let reached = max(self[user].distance, distance - Self.step / weight)
        distance = max(distance, reached)
        lastAdmission += 2
        turns[user] = Turn(distance: reached + Self.step / weight, admission: lastAdmission)
        lastUser = user
    }
}
