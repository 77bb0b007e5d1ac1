import Foundation

/// Which donation: opaque, and the same after a restart.
///
/// Source: Apple's IntentDonationIdentifier page.
public struct IntentDonationIdentifier: Hashable, Codable, Sendable {
    let text: String

    init() {
        text = UUID().uuidString
    }
}

/// Tells the system that a person did what an intent does: here it is kept with the run that said so.
///
/// Source: Apple's IntentDonationManager page.
public struct IntentDonationManager: Sendable {
    /// The one that every intent donates to.
    public static let shared = IntentDonationManager()

    private init() {}

    /// Donates an intent.
    @discardableResult
    public func donate(intent: some AppIntent) async throws -> IntentDonationIdentifier { intent.note(nil) }

    /// Donates an intent.
    @discardableResult
    public func donate(intent: some AppIntent) -> IntentDonationIdentifier { intent.note(nil) }

    /// Donates an intent with what came of it.
    @discardableResult
    public func donate(
        intent: some AppIntent,
        result: some IntentResult
    ) async throws -> IntentDonationIdentifier {
        intent.note(result)
    }

    /// Donates an intent with what came of it.
    @discardableResult
    public func donate(intent: some AppIntent, result: some IntentResult) -> IntentDonationIdentifier {
        intent.note(result)
    }

    /// Takes donations back: of this run, and of earlier ones of the same app and user. The history tells them no more
    /// once the run has ended.
    ///
    /// - Throws: when a run takes back more than its end can tell: 32 intents, 512 identifiers.
    public func deleteDonations(matching predicate: IntentDonationMatchingPredicate) async throws {
        try DonationJournal.withdraw(predicate)
    }
}

/// Which donations.
///
/// Source: Apple's IntentDonationMatchingPredicate page.
public struct IntentDonationMatchingPredicate: Sendable {
    enum Meaning: Sendable {
        case intent(String)
        case identifiers(Set<String>)
        /// Of one intent, or of any.
        case entities([EntityIdentifier], intent: String?)
    }

    let meaning: Meaning

    /// Those of an intent; with an entity: those of them that have it as a parameter's value.
    public static func intentType(
        _ intentType: any AppIntent.Type,
        entityIdentifier: EntityIdentifier? = nil
    ) -> IntentDonationMatchingPredicate {
        let name = intentType.persistentIdentifier
        return IntentDonationMatchingPredicate(
            meaning: entityIdentifier.map { .entities([$0], intent: name) } ?? .intent(name)
        )
    }

    /// Those that have the entity as a parameter's value.
    public static func entityIdentifier(_ identifier: EntityIdentifier) -> IntentDonationMatchingPredicate {
        entityIdentifiers([identifier])
    }

    /// Those that have one of the entities as a parameter's value.
    public static func entityIdentifiers(_ identifiers: [EntityIdentifier]) -> IntentDonationMatchingPredicate {
        IntentDonationMatchingPredicate(meaning: .entities(identifiers, intent: nil))
    }

    /// The one with this identifier.
    public static func donationIdentifier(
        _ identifier: IntentDonationIdentifier
    ) -> IntentDonationMatchingPredicate {
        donationIdentifiers([identifier])
    }

    /// Those with these identifiers.
    public static func donationIdentifiers(
        _ identifiers: [IntentDonationIdentifier]
    ) -> IntentDonationMatchingPredicate {
        IntentDonationMatchingPredicate(meaning: .identifiers(Set(identifiers.map(\.text))))
    }
}

extension AppIntent {
    /// Tells the system that a person did what this intent does.
    ///
    /// Source: Apple's AppIntent.donate page.
    @discardableResult
    public func donate() async throws -> IntentDonationIdentifier { note(nil) }

    /// The same; errors are passed over.
    @discardableResult
    public func donate() -> IntentDonationIdentifier { note(nil) }

    /// The same with what came of it.
    @discardableResult
    public func donate(result: some IntentResult) async throws -> IntentDonationIdentifier { note(result) }

    /// The same with what came of it; errors are passed over.
    @discardableResult
    public func donate(result: some IntentResult) -> IntentDonationIdentifier { note(result) }

    fileprivate func note(_ result: (any IntentResult)?) -> IntentDonationIdentifier {
        DonationJournal.note(self)
    }
}
