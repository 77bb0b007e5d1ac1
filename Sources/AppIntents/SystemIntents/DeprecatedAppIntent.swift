/// An intent that another one replaces; the catalogue says so.
///
/// Source: Apple's DeprecatedAppIntent page.
@_alwaysEmitConformanceMetadata
public protocol DeprecatedAppIntent: AppIntent {
    /// The intent to use instead.
    associatedtype ReplacementIntent: AppIntent = Never
    /// What to do instead; by default the intent that is named as the replacement, if one is.
    static var deprecation: IntentDeprecation<ReplacementIntent> { get }
}

extension DeprecatedAppIntent {
    public static var deprecation: IntentDeprecation<ReplacementIntent> {
        IntentDeprecation(replacedBy: ReplacementIntent.self)
    }
}

/// Why an intent is not to be used any more, and what to use instead.
///
/// Source: Apple's IntentDeprecation page.
public struct IntentDeprecation<ReplacementIntent: AppIntent>: Sendable {
    let message: LocalizedStringResource?

    /// In words; nothing replaces it.
    public init(message: LocalizedStringResource) where ReplacementIntent == Never {
        self.message = message
    }

    /// In words, with the intent to use instead.
    public init(message: LocalizedStringResource, replacedBy replacement: ReplacementIntent.Type) {
        self.message = message
    }

    /// The intent to use instead.
    public init(replacedBy replacement: ReplacementIntent.Type) {
        message = nil
    }

    /// The name of the intent to use instead; nil when there is none.
    var replacementName: String? {
        ReplacementIntent.self == Never.self ? nil : ReplacementIntent.persistentIdentifier
    }
}

extension DeprecatedAppIntent {
    static var _deprecation: (message: String?, replacement: String?) {
        let deprecation = deprecation
        return (deprecation.message?.text, deprecation.replacementName)
    }
}
