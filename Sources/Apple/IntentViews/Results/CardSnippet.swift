public import AppIntents

/// The presentation of an entity as a card with a view. Part of a beta of Apple's SDK 27.3.
///
/// ```swift
/// extension Photo: SnippetRepresentableEntity {
///     static var snippet: some EntitySnippetContent<Self> {
///         CardSnippet(supportedFamilies: [.standard]) { photo, context in Text(photo.title) }
///     }
/// }
/// ```
///
/// Source: Apple's CardSnippet page.
public struct CardSnippet<Entity: AppEntity, Content: View>: EntitySnippetContent {
    private let content: @MainActor (Entity, CardSnippetContext) -> Content

    /// Creates a card.
    ///
    /// - Parameters:
    ///   - supportedFamilies: Ignored on Linux, where every view is shown with the family `standard`.
    ///   - content: Returns the view of an entity.
    public init(
        supportedFamilies: [CardSnippetFamily],
        @ViewBuilder content: @escaping @MainActor (Entity, CardSnippetContext) -> Content
    ) {
        self.content = content
    }

    public func _view(of entity: Entity) -> _ShownView {
        _ShownView { [content] parts in
            try _SnippetCanvas.element(of: content(entity, CardSnippetContext()), with: &parts)
        }
    }
}

extension EntitySnippetContentBuilder {
    /// Adds a card. The type of the entity follows from the entity to which the presentation belongs.
    public static func buildExpression<Content: View>(
        _ card: CardSnippet<Entity, Content>
    ) -> CardSnippet<Entity, Content> {
        card
    }
}

/// The space that a card has. Linux has only one family.
///
/// Source: Apple's CardSnippetFamily page.
public struct CardSnippetFamily: Hashable, Sendable {
    /// A standard amount of space.
    public static let standard = CardSnippetFamily()
}

/// What a card is shown in.
///
/// Source: Apple's CardSnippetContext page.
public struct CardSnippetContext: Sendable {
    /// The space that the card has.
    public var family: CardSnippetFamily { .standard }
}
