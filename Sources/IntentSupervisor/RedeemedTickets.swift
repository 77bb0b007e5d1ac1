import IntentWire

/// The redeemed tickets of open questions.
///
/// A ticket is remembered only while its question is open, because it cannot be redeemed later. The tickets of a closed
/// question are forgotten when their user redeems the next ticket, or when the run ends.
struct RedeemedTickets: Sendable {
    struct Ticket: Hashable, Sendable {
        let run: RunID
        let question: UInt64
        let user: UInt32
        /// The random number that distinguishes the tickets of a question.
        let number: UInt64
    }

    enum Redemption: Equatable, Sendable {
        case accepted
        /// The ticket was redeemed before.
        case repeated
        /// The user has redeemed the maximum number of tickets of open questions.
        case tooMany
        /// The ticket's question is not open. The ticket is not remembered.
        case closed
    }

    /// The maximum number of redeemed tickets of one user with open questions. A client redeems one ticket for each
    /// answer, and the answer closes the question.
    static let countPerUser = 64

    private var ofUser: [UInt32: Set<Ticket>] = [:]
    private var ofRun: [RunID: Set<Ticket>] = [:]

    /// The number of tickets that are remembered.
    var count: Int { ofUser.values.reduce(0) { $0 + $1.count } }

    /// Redeems a ticket.
    ///
    /// - Parameter openQuestion: Returns the number of a run's open question, or nil if none is open.
    mutating func redeem(_ ticket: Ticket, openQuestion: (RunID) -> UInt64?) -> Redemption {
        for known in ofUser[ticket.user] ?? [] where openQuestion(known.run) != known.question { forget(known) }
        guard openQuestion(ticket.run) == ticket.question else { return .closed }
        let known = ofUser[ticket.user] ?? []
        if known.contains(ticket) { return .repeated }
        guard known.count < Self.countPerUser else { return .tooMany }
        ofUser[ticket.user, default: []].insert(ticket)
        ofRun[ticket.run, default: []].insert(ticket)
        return .accepted
    }

    /// Forgets the tickets of a run that has ended.
    mutating func forget(_ run: RunID) {
        for ticket in ofRun[run] ?? [] { forget(ticket) }
    }

    private mutating func forget(_ ticket: Ticket) {
        ofUser[ticket.user]?.remove(ticket)
        if ofUser[ticket.user]?.isEmpty == true { ofUser[ticket.user] = nil }
        ofRun[ticket.run]?.remove(ticket)
        if ofRun[ticket.run]?.isEmpty == true { ofRun[ticket.run] = nil }
    }
}
