import IntentSharedTypes
import Synchronization

/// The donations that a run has made and withdrawn. The worker sends them with the result, and history records them.
final class DonationJournal: Sendable {
    /// A run's maximum number of donations, withdrawn intents and entity withdrawals, each counted separately. Further
    /// donations and withdrawals fail.
    private static let limit = 32

    private struct Entries: Sendable {
        var donations: [IntentReference] = []
        var withdrawnIntents: [String] = []
        var withdrawnIdentifiers: [String] = []
        var withdrawnEntities: [EntityWithdrawal] = []
    }

    private let entries = Mutex(Entries())

    /// - Parameter result: The result of the donated action. Its value is recorded unless it is a file.
    /// - Throws: ``RunError`` when the run donates more intents than its result can contain.
    func record(_ intent: any AppIntent, _ result: (any IntentResult)?) throws -> IntentDonationIdentifier {
        let identifier = IntentDonationIdentifier()
        var reference = IntentReference(to: intent, identifier: identifier.text)
        reference.result = result?.reference
        try entries.withLock { entries in
            guard entries.donations.count < Self.limit else {
                throw RunError("cannot donate more than \(Self.limit) intents in a run", code: "tooManyDonations")
            }
            entries.donations.append(reference)
        }
        return identifier
    }

    /// Withdraws this run's matching donations immediately, and those from earlier runs when this run ends.
    ///
    /// - Throws: ``RunError`` when the run withdraws more donations than its result can contain.
    func withdraw(_ predicate: IntentDonationMatchingPredicate) throws {
        // Inspect the intents before taking the lock: the inspection calls the app's initialisers, and an initialiser
        // that donates also takes the lock.
        let entities =
            if case .entities(let entities, let intent) = predicate.meaning {
                try EntityWithdrawal.each(of: entities, in: intent)
            } else { [EntityWithdrawal]() }
        try entries.withLock { entries in
            switch predicate.meaning {
            case .intent(let name):
                entries.donations.removeAll { $0.intent == name }
                guard !entries.withdrawnIntents.contains(name) else { return }
                guard entries.withdrawnIntents.count < Self.limit else { throw Self.tooMany }
                entries.withdrawnIntents.append(name)
            case .identifiers(let identifiers):
                let own = Set(entries.donations.compactMap(\.identifier))
                entries.donations.removeAll { $0.identifier.map(identifiers.contains) == true }
                let earlier = identifiers.subtracting(own).subtracting(entries.withdrawnIdentifiers)
                guard entries.withdrawnIdentifiers.count + earlier.count <= Self.identifierLimit else {
                    throw Self.tooMany
                }
                entries.withdrawnIdentifiers += earlier.sorted()
            case .entities:
                entries.donations.removeAll { donation in entities.contains { $0.covers(donation) } }
                let all = entries.withdrawnEntities.merged(with: entities)
                guard all.count <= Self.limit, all.reduce(0, { $0 + $1.identifiers.count }) <= Self.identifierLimit
                else {
                    throw Self.tooMany
                }
                entries.withdrawnEntities = all
            }
        }
    }

    /// The maximum number of donation identifiers, and of entity identifiers, in a run's withdrawals.
    private static let identifierLimit = 512

    private static var tooMany: RunError {
        RunError(
            """
            cannot withdraw more donations: a run may name at most \(limit) intents, \(identifierLimit) donations \
            and \(identifierLimit) entities of \(limit) types
            """,
            code: "tooManyDonations"
        )
    }

    /// Removes all entries and returns them, with nil instead of an empty list.
    func drain() -> (donations: [IntentReference]?, withdrawals: DonationWithdrawals?)? {
        let drained = entries.withLock { entries in
            defer { entries = Entries() }
            return entries
        }
        let (intents, identifiers) = (drained.withdrawnIntents, drained.withdrawnIdentifiers)
        let entities = drained.withdrawnEntities
        let isWithdrawing = !intents.isEmpty || !identifiers.isEmpty || !entities.isEmpty
        guard isWithdrawing || !drained.donations.isEmpty else { return nil }
        return (
            drained.donations.isEmpty ? nil : drained.donations,
            isWithdrawing
                ? DonationWithdrawals(
                    intents: intents.isEmpty ? nil : intents,
                    identifiers: identifiers.isEmpty ? nil : identifiers,
                    entities: entities.isEmpty ? nil : entities
                ) : nil
        )
    }
}

extension IntentResult {
    /// The value as a parameter accepts it; nil if the result has no value, or the value contains a file.
    fileprivate var reference: IntentValue? {
        var none = OutgoingFiles(directory: nil)
        return value.flatMap { try? Value._intentValueCoding.encode($0, &none).reference }
    }
}
