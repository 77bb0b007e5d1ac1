/// A description of an intent or a parameter, in one or two sentences.
///
/// Source: Apple's IntentDescription page.
public struct IntentDescription: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The description of the intent or parameter.
    public let descriptionText: LocalizedStringResource
    /// The category under which the intent is listed.
    public let categoryName: LocalizedStringResource?
    /// Additional keywords by which users can search for the intent.
    public let searchKeywords: [LocalizedStringResource]
    /// The display name of the returned value.
    public let resultValueName: LocalizedStringResource?

    /// Creates a description with a category and search keywords.
    public init(
        _ descriptionText: LocalizedStringResource,
        categoryName: LocalizedStringResource? = nil,
        searchKeywords: [LocalizedStringResource] = []
    ) {
        self.init(
            descriptionText,
            categoryName: categoryName,
            searchKeywords: searchKeywords,
            resultValueName: nil
        )
    }

    /// Creates a description with a category, search keywords and a name for the returned value.
    public init(
        _ descriptionText: LocalizedStringResource,
        categoryName: LocalizedStringResource? = nil,
        searchKeywords: [LocalizedStringResource] = [],
        resultValueName: LocalizedStringResource?
    ) {
        self.descriptionText = descriptionText
        self.categoryName = categoryName
        self.searchKeywords = searchKeywords
        self.resultValueName = resultValueName
    }

    public init(stringLiteral value: String) {
        self.init(LocalizedStringResource(stringLiteral: value))
    }

    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}

/// A type that `AppIntent.description` may have: a description, an optional description, or a plain string.
///
/// If the requirement had the type `IntentDescription?`, a property of type `IntentDescription` would not satisfy it,
/// and Swift would silently use the default. An associated type accepts every form that Apple's samples use.
public protocol _IntentDescriptionValue: Sendable {
    var _intentDescription: IntentDescription? { get }
}

extension IntentDescription: _IntentDescriptionValue {
    public var _intentDescription: IntentDescription? { self }
}

extension LocalizedStringResource: _IntentDescriptionValue {
    public var _intentDescription: IntentDescription? { IntentDescription(self) }
}

extension Optional: _IntentDescriptionValue where Wrapped == IntentDescription {
    public var _intentDescription: IntentDescription? { self }
}
