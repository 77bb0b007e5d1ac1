/// An entity that a search index can contain.
///
/// The `CoreSpotlight` product provides the index, which is a file in the app's state folder.
///
/// Source: Apple's IndexedEntity page.
public protocol IndexedEntity: AppEntity {
    /// The attributes in the index. The default is ``defaultAttributeSet``.
    var attributeSet: CSSearchableItemAttributeSet { get }
}

extension IndexedEntity {
    public var attributeSet: CSSearchableItemAttributeSet { defaultAttributeSet }

    /// The attributes provided by the entity's display representation, and by its properties with an `indexingKey` or a
    /// `customIndexingKey`. Each access returns a new set.
    public var defaultAttributeSet: CSSearchableItemAttributeSet {
        let attributes = CSSearchableItemAttributeSet(contentType: .item)
        let shown = displayRepresentation
        attributes.title = shown.title.text
        attributes.displayName = shown.title.text
        attributes.contentDescription = shown.subtitle?.text
        for (_, property) in EntityInspection.properties(of: self) { property.describe(in: attributes) }
        return attributes
    }
}
