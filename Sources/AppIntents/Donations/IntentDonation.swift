import Foundation

/// An opaque identifier of a donation, which stays valid after a restart.
///
/// Source: Apple's IntentDonationIdentifier page.
public struct IntentDonationIdentifier: Hashable, Codable, Sendable {
    let text: String

    init() {
        text = UUID().uuidString
    }
}

/// Records that a person performed the action of an intent. On Linux, the record of the run contains its donations.
///
/// Source: Apple's IntentDonationManager page.
public struct IntentDonationManager: Sendable {
    /// The manager that every intent donates to.
    public static let shared = IntentDonationManager()

    private init() {}

    /// Donates an intent.
    @discardableResult
    public func donate(intent: some AppIntent) async throws -> IntentDonationIdentifier { intent.note(nil) }

    /// Donates an intent. Errors are ignored.
    @discardableResult
    public func donate(intent: some AppIntent) -> IntentDonationIdentifier { intent.note(nil) }

    /// Donates an intent with its result.
    @discardableResult
    public func donate(
        intent: some AppIntent,
        result: some IntentResult
    ) async throws -> IntentDonationIdentifier {
        intent.note(result)
    }

    /// Donates an intent with its result. Errors are ignored.
    @discardableResult
    public func donate(intent: some AppIntent, result: some IntentResult) -> IntentDonationIdentifier {
        intent.note(result)
    }

    /// Withdraws donations of this run and of earlier runs of the same app and user. History no longer reports them
    /// once the run has ended.
    ///
    /// - Throws: An error when the run withdraws more than its result can contain: 32 intents, 512 identifiers.
    public func deleteDonations(matching predicate: IntentDonationMatchingPredicate) async throws {
        try RunSession.now?.donations.withdraw(predicate)
    }
}

/// A condition that selects the donations to withdraw.
///
/// Source: Apple's IntentDonationMatchingPredicate page.
public struct IntentDonationMatchingPredicate: Sendable {
    enum Meaning: Sendable {
        case intent(String)
        case identifiers(Set<String>)
        /// The donations with one of the entities; only those of one intent if `intent` is not nil.
        case entities([EntityIdentifier], intent: String?)
    }

    let meaning: Meaning

    /// Selects the donations of an intent. With an entity, selects only those with the entity as a parameter's value.
    public static func intentType(
        _ intentType: any AppIntent.Type,
        entityIdentifier: EntityIdentifier? = nil
    ) -> IntentDonationMatchingPredicate {
        let name = intentType.persistentIdentifier
        return IntentDonationMatchingPredicate(
            meaning: entityIdentifier.map { .entities([$0], intent: name) } ?? .intent(name)
        )
    }

    /// Selects the donations with the entity as a parameter's value.
    public static func entityIdentifier(_ identifier: EntityIdentifier) -> IntentDonationMatchingPredicate {
        entityIdentifiers([identifier])
    }

    /// Selects the donations with one of the entities as a parameter's value.
    public static func entityIdentifiers(_ identifiers: [EntityIdentifier]) -> IntentDonationMatchingPredicate {
        IntentDonationMatchingPredicate(meaning: .entities(identifiers, intent: nil))
    }

    /// Selects the donation with an identifier.
    public static func donationIdentifier(
        _ identifier: IntentDonationIdentifier
    ) -> IntentDonationMatchingPredicate {
        donationIdentifiers([identifier])
    }

    /// Selects the donations with one of several identifiers.
    public static func donationIdentifiers(
        _ identifiers: [IntentDonationIdentifier]
    ) -> IntentDonationMatchingPredicate {
        IntentDonationMatchingPredicate(meaning: .identifiers(Set(identifiers.map(\.text))))
    }
}

extension AppIntent {
    /// Records that a person performed this intent's action.
    ///
    /// Source: Apple's AppIntent.donate page.
    @discardableResult
    public func donate() async throws -> IntentDonationIdentifier { note(nil) }

    /// Records that a person performed this intent's action. Errors are ignored.
    @discardableResult
    public func donate() -> IntentDonationIdentifier { note(nil) }

    /// Records that a person performed this intent's action, with its result.
    @discardableResult
    public func donate(result: some IntentResult) async throws -> IntentDonationIdentifier { note(result) }

    /// Records that a person performed this intent's action, with its result. Errors are ignored.
    @discardableResult
    public func donate(result: some IntentResult) -> IntentDonationIdentifier { note(result) }

    fileprivate func note(_ result: (any IntentResult)?) -> IntentDonationIdentifier {
        // A donation outside a run has no record that could contain it.
        RunSession.now?.donations.note(self) ?? IntentDonationIdentifier()
    }
}
