import Foundation
import IntentWorker

/// An opaque identifier of a donation. The identifier remains valid after `intentd` restarts.
///
/// Source: Apple's IntentDonationIdentifier page.
public struct IntentDonationIdentifier: Hashable, Codable, Sendable {
    let text: String

    init() {
        text = UUID().uuidString
    }
}

/// The manager that records the actions that a person performs. On Linux, donations are part of the run's record.
///
/// Source: Apple's IntentDonationManager page.
public struct IntentDonationManager: Sendable {
    /// The manager that all intents use for donations.
    public static let shared = IntentDonationManager()

    private init() {}

    /// Records that a person performed an intent's action.
    @discardableResult
    public func donate(intent: some AppIntent) async throws -> IntentDonationIdentifier {
        try intent.recordedDonation(nil)
    }

    /// Records that a person performed an intent's action, and ignores errors.
    @discardableResult
    public func donate(intent: some AppIntent) -> IntentDonationIdentifier { intent.recordDonation(nil) }

    /// Records that a person performed an intent's action. The record contains the value of the result.
    @discardableResult
    public func donate(
        intent: some AppIntent,
        result: some IntentResult
    ) async throws -> IntentDonationIdentifier {
        try intent.recordedDonation(result)
    }

    /// Records that a person performed an intent's action, and ignores errors. The record contains the value of the result.
    @discardableResult
    public func donate(intent: some AppIntent, result: some IntentResult) -> IntentDonationIdentifier {
        intent.recordDonation(result)
    }

    /// Withdraws donations of this run, and of earlier runs of the same app and user. History stops reporting them when
    /// the run ends.
    ///
    /// - Throws: An error when the run withdraws more than a result can contain: 32 intents or 512 identifiers.
    public func deleteDonations(matching predicate: IntentDonationMatchingPredicate) async throws {
        try RunSession.now?.donations.withdraw(predicate)
    }
}

/// A condition that selects donations to withdraw.
///
/// Source: Apple's IntentDonationMatchingPredicate page.
public struct IntentDonationMatchingPredicate: Sendable {
    enum Meaning: Sendable {
        case intent(String)
        case identifiers(Set<String>)
        /// Donations with one of the entities as a parameter's value. If `intent` is not nil, only that intent's
        /// donations are selected.
        case entities([EntityIdentifier], intent: String?)
    }

    let meaning: Meaning

    /// Selects the donations of an intent. If an entity is given, selects only the donations with the entity as a
    /// parameter's value.
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

    /// Selects the donation with the given identifier.
    public static func donationIdentifier(
        _ identifier: IntentDonationIdentifier
    ) -> IntentDonationMatchingPredicate {
        donationIdentifiers([identifier])
    }

    /// Selects the donations with one of the given identifiers.
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
    public func donate() async throws -> IntentDonationIdentifier { try recordedDonation(nil) }

    /// Records that a person performed this intent's action, and ignores errors.
    @discardableResult
    public func donate() -> IntentDonationIdentifier { recordDonation(nil) }

    /// Records that a person performed this intent's action. The record contains the value of the result.
    @discardableResult
    public func donate(result: some IntentResult) async throws -> IntentDonationIdentifier {
        try recordedDonation(result)
    }

    /// Records that a person performed this intent's action, and ignores errors. The record contains the value of the result.
    @discardableResult
    public func donate(result: some IntentResult) -> IntentDonationIdentifier { recordDonation(result) }

    /// Records a donation, or writes the reason why it is not recorded to the run's output.
    @discardableResult
    func recordDonation(_ result: (any IntentResult)?) -> IntentDonationIdentifier {
        do {
            return try recordedDonation(result)
        } catch {
            StandardError.print("\(ErrorMessage.of(error)); continuing without the donation")
            return IntentDonationIdentifier()
        }
    }

    /// Records a donation with the run.
    ///
    /// - Throws: ``RunError`` outside a run, which has no record, and beyond the limit of a run.
    fileprivate func recordedDonation(_ result: (any IntentResult)?) throws -> IntentDonationIdentifier {
        guard let session = RunSession.now else {
            throw RunError(
                "cannot donate '\(Self.persistentIdentifier)' outside a run, because a donation is part of a run's record",
                code: "outsideRun"
            )
        }
        return try session.donations.record(self, result)
    }
}
