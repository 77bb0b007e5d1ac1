/// An entity that other people can see or change.
///
/// Before the worker calls `perform()`, it asks the person to confirm the entities among the parameter values,
/// including entities in lists, optionals, collections and unions. An entity with an empty
/// ``OwnershipProvidingEntity/ownership`` needs no confirmation. An ``OpenIntent`` and a ``SnippetIntent`` need none
/// either, because they only show an entity.
///
/// Source: Apple's OwnershipProvidingEntity page.
@_alwaysEmitConformanceMetadata
public protocol OwnershipProvidingEntity: AppEntity {
    /// The people with access to the entity.
    var ownership: EntityOwnership { get }
}

/// The people with access to an entity. If the set is empty, only the owner has access.
///
/// Source: Apple's EntityOwnership page.
public struct EntityOwnership: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Everyone can access the entity.
    public static let `public` = EntityOwnership(rawValue: 1)
    /// The owner shares the entity with certain people.
    public static let shared = EntityOwnership(rawValue: 2)

    /// The predicate of a sentence about an entity, such as `is public`; nil for the empty set.
    var phrase: String? {
        switch (contains(.shared), contains(.public)) {
        case (true, true): "is shared with other people and public"
        case (true, false): "is shared with other people"
        case (false, true): "is public"
        // The app may set a bit that this library does not define.
        case (false, false): isEmpty ? nil : "can be accessed by other people"
        }
    }
}
