import IntentLauncherMessages

/// The redeemed tickets of open questions.
///
/// A ticket is remembered only while its question is open, because it cannot be redeemed later. The tickets of a closed
/// question are forgotten when their account redeems the next ticket, or when the run ends.
struct RedeemedTickets: Sendable {
    struct Ticket: Hashable, Sendable {
        let run: RunID
        let question: UInt64
        let account: Account
        /// The random number that distinguishes the tickets of a question.
        let number: UInt64
    }

    enum Redemption: Equatable, Sendable {
        case accepted
        /// The ticket was redeemed before.
        case repeated
        /// The account has redeemed the maximum number of tickets of open questions.
        case tooMany
        /// The ticket's question is not open. The ticket is not remembered.
        case closed
    }

    /// The maximum number of redeemed tickets of one account with open questions. A client redeems one ticket for each
    /// answer, and the answer closes the question.
    static let countPerAccount = 64

    private var ofAccount: [Account: Set<Ticket>] = [:]
    private var ofRun: [RunID: Set<Ticket>] = [:]

    /// The number of tickets that are remembered.
    var count: Int { ofAccount.values.reduce(0) { $0 + $1.count } }

    /// Redeems a ticket.
    ///
    /// - Parameter openQuestion: Returns the number of a run's open question, or nil if none is open.
    mutating func redeem(_ ticket: Ticket, openQuestion: (RunID) -> UInt64?) -> Redemption {
        for known in ofAccount[ticket.account] ?? [] where openQuestion(known.run) != known.question { forget(known) }
        guard openQuestion(ticket.run) == ticket.question else { return .closed }
        let known = ofAccount[ticket.account] ?? []
        if known.contains(ticket) { return .repeated }
        guard known.count < Self.countPerAccount else { return .tooMany }
        ofAccount[ticket.account, default: []].insert(ticket)
        ofRun[ticket.run, default: []].insert(ticket)
        return .accepted
    }

    /// Forgets the tickets of a run that has ended.
    mutating func forget(_ run: RunID) {
        for ticket in ofRun[run] ?? [] { forget(ticket) }
    }

    private mutating func forget(_ ticket: Ticket) {
        ofAccount[ticket.account]?.remove(ticket)
        if ofAccount[ticket.account]?.isEmpty == true { ofAccount[ticket.account] = nil }
        ofRun[ticket.run]?.remove(ticket)
        if ofRun[ticket.run]?.isEmpty == true { ofRun[ticket.run] = nil }
    }
}
