import IntentWire
import Synchronization

/// What this process's run has donated and taken back: told with its end, so that the history has it.
enum DonationJournal {
    /// More than a run has reason to donate, or to take back; what comes after is not told.
    private static let limit = 32

    private struct Told: Sendable {
        var donations: [IntentReference] = []
        var withdrawnIntents: [String] = []
        var withdrawnIdentifiers: [String] = []
        var withdrawnEntities: [EntityWithdrawal] = []
    }

    private static let told = Mutex(Told())

    static func note(_ intent: any AppIntent) -> IntentDonationIdentifier {
        let identifier = IntentDonationIdentifier()
        let reference = IntentReference(
            intent: type(of: intent).persistentIdentifier,
            values: ShortcutInspection.values(of: intent),
            identifier: identifier.text
        )
        told.withLock { if $0.donations.count < limit { $0.donations.append(reference) } }
        return identifier
    }

    /// Takes back those of the run at once, and those of earlier ones with the run's end.
    ///
    /// - Throws: ``RunError`` when a run takes back more than can be told.
    static func withdraw(_ predicate: IntentDonationMatchingPredicate) throws {
        // Intents are looked into before the lock: the app makes them, and may donate meanwhile.
        let entities =
            if case .entities(let entities, let intent) = predicate.meaning {
                try EntityWithdrawal.each(of: entities, in: intent)
            } else { [EntityWithdrawal]() }
        try told.withLock { told in
            switch predicate.meaning {
            case .intent(let name):
                told.donations.removeAll { $0.intent == name }
                guard !told.withdrawnIntents.contains(name) else { return }
                guard told.withdrawnIntents.count < limit else { throw tooMany }
                told.withdrawnIntents.append(name)
            case .identifiers(let identifiers):
                let own = Set(told.donations.compactMap(\.identifier))
                told.donations.removeAll { $0.identifier.map(identifiers.contains) == true }
                let earlier = identifiers.subtracting(own).subtracting(told.withdrawnIdentifiers)
                guard told.withdrawnIdentifiers.count + earlier.count <= identifierLimit else { throw tooMany }
                told.withdrawnIdentifiers += earlier.sorted()
            case .entities:
                told.donations.removeAll { donation in entities.contains { $0.covers(donation) } }
                let all = told.withdrawnEntities.merged(with: entities)
                guard all.count <= limit, all.reduce(0, { $0 + $1.identifiers.count }) <= identifierLimit else {
                    throw tooMany
                }
                told.withdrawnEntities = all
            }
        }
    }

    /// What a run's end has room for.
    private static let identifierLimit = 512

    private static var tooMany: RunError {
        RunError(
            """
            a run takes back the donations of at most \(limit) intents, and \(identifierLimit) by their identifiers or \
            their entities'
            """,
            code: "tooManyDonations"
        )
    }

    /// Nil when there is nothing.
    static func take() -> (donations: [IntentReference]?, withdrawals: DonationWithdrawals?)? {
        let taken = told.withLock { told in
            defer { told = Told() }
            return told
        }
        let (intents, identifiers) = (taken.withdrawnIntents, taken.withdrawnIdentifiers)
        let entities = taken.withdrawnEntities
        let isWithdrawing = !intents.isEmpty || !identifiers.isEmpty || !entities.isEmpty
        guard isWithdrawing || !taken.donations.isEmpty else { return nil }
        return (
            taken.donations.isEmpty ? nil : taken.donations,
            isWithdrawing
                ? DonationWithdrawals(
                    intents: intents.isEmpty ? nil : intents,
                    identifiers: identifiers.isEmpty ? nil : identifiers,
                    entities: entities.isEmpty ? nil : entities
                ) : nil
        )
    }
}
