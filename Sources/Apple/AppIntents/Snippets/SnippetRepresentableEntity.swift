/// An entity that has a view. The view is the snippet of a result with the entity as its value, unless the result has a
/// view of its own. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's SnippetRepresentableEntity page.
@_alwaysEmitConformanceMetadata
public protocol SnippetRepresentableEntity: AppEntity {
    /// The type of the presentation.
    associatedtype Body: EntitySnippetContent where Body.Entity == Self

    /// The presentation of the entity, such as a `CardSnippet` of the SwiftUI product.
    @EntitySnippetContentBuilder<Self> static var snippet: Body { get }
}

/// The presentation of an entity. Apps use `CardSnippet` instead of a type of their own.
///
/// Source: Apple's EntitySnippetContent page.
public protocol EntitySnippetContent<Entity> {
    /// The type of the entity.
    associatedtype Entity: AppEntity

    /// Returns the view of an entity. Not for direct use by apps.
    func _view(of entity: Entity) -> _ShownView
}

/// A result builder for the presentation of an entity.
///
/// Source: Apple's SnippetRepresentableEntity.snippet page.
@resultBuilder
public enum EntitySnippetContentBuilder<Entity: AppEntity> {
    /// Returns the only presentation of a block.
    public static func buildBlock<Content: EntitySnippetContent<Entity>>(_ content: Content) -> Content { content }
}

extension SnippetRepresentableEntity {
    fileprivate var ownSnippet: ShownSnippet { Self.snippet._view(of: self).shown }
}

extension ShownSnippet {
    /// Creates the snippet of a value that is an entity with a view; nil for another value, and for an entity that the
    /// caller may not access.
    init?(of value: (any Sendable)?) {
        guard let entity = value as? any SnippetRepresentableEntity,
            RunCaller.current.satisfies(type(of: entity).authenticationPolicy)
        else { return nil }
        self = entity.ownSnippet
    }
}
