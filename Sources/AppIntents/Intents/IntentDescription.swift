/// What an intent or a parameter is for, in a sentence or two.
///
/// Source: Apple's IntentDescription page.
public struct IntentDescription: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The sentence.
    public let descriptionText: LocalizedStringResource
    /// The group that the intent is shown in.
    public let categoryName: LocalizedStringResource?
    /// Further words to find the intent by.
    public let searchKeywords: [LocalizedStringResource]
    /// What the returned value is called.
    public let resultValueName: LocalizedStringResource?

    /// A sentence, with the group and the words to find it by.
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

    /// The same with a name for the returned value.
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

/// What `AppIntent.description` may be: a description, an optional one, or a plain text.
///
/// A property declared as `IntentDescription` cannot witness a requirement of type `IntentDescription?`: it would be
/// passed over in silence for the default. An associated type takes every spelling that is found in Apple's samples.
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
