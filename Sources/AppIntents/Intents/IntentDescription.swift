/// A description of an intent or a parameter, in one or two sentences.
///
/// Source: Apple's IntentDescription page.
public struct IntentDescription: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The description.
    public let descriptionText: LocalizedStringResource
    /// The group in which the intent is listed.
    public let categoryName: LocalizedStringResource?
    /// Words besides the title by which a search finds the intent.
    public let searchKeywords: [LocalizedStringResource]
    /// The name of the returned value.
    public let resultValueName: LocalizedStringResource?

    /// Creates a description with a group and search words.
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

    /// Creates a description with a group, search words and a name for the returned value.
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

/// A permitted type of `AppIntent.description`: a description, an optional description, or plain text.
///
/// A property of type `IntentDescription` cannot satisfy a requirement of type `IntentDescription?`: Swift would
/// silently use the default instead. An associated type accepts every form that Apple's samples use.
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
