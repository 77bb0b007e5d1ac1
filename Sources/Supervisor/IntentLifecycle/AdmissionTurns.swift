import IntentLauncherMessages

/// The order in which users with the same number of slots are served. Stride scheduling determines it: users are
/// admitted in proportion to their weights.
struct AdmissionTurns: Sendable {
    /// A user's position in the order of admission. The user with the smallest value is next.
    struct Turn: Comparable, Sendable {
        /// The user's progress in stride scheduling. Each admission of the user increases it, in inverse proportion to
        /// the user's weight.
        var distance = 0
        /// The number of the user's last admission. Each admission of any user increases the number by two, which
        /// leaves a number for a new user just before the user admitted last.
        var admission = 0

        static func < (left: Turn, right: Turn) -> Bool {
            (left.distance, left.admission) < (right.distance, right.admission)
        }
    }

    /// The amount that one admission adds to the distance of a user with weight 1.
    private static let step = 1_000_000

    private var turns: [Account: Turn] = [:]
    /// The largest distance at which a run was admitted.
    private var distance = 0
    private var lastAdmission = 0
    private var lastUser: Account?

    subscript(user: Account) -> Turn { turns[user] ?? Turn(distance: distance) }

    /// Adds a user. A new user ranks just before the user admitted last, and behind all other waiting users. A user
    /// with one run at a time therefore gains nothing by leaving and joining again.
    mutating func join(_ user: Account, isWaiting: (Account) -> Bool) {
        guard turns[user] == nil else { return }
        var turn = Turn(distance: distance, admission: max(lastAdmission, 1) - 1)
        for (other, otherTurn) in turns where other != lastUser && isWaiting(other) {
            turn.distance = max(turn.distance, otherTurn.distance)
        }
        turns[user] = turn
    }

    mutating func leave(_ user: Account) { turns[user] = nil }

    /// Records that a run of the user was admitted.
    mutating func admitted(_ user: Account, weight: Int) {
        // However long a limit has delayed a user's runs, the user gains an advantage of at most one admission over the
        // other users.
        let reached = max(self[user].distance, distance - Self.step / weight)
        distance = max(distance, reached)
        lastAdmission += 2
        turns[user] = Turn(distance: reached + Self.step / weight, admission: lastAdmission)
        lastUser = user
    }
}
