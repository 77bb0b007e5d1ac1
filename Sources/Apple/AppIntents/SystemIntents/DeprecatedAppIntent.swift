/// An intent that is deprecated. The catalogue contains the reason and the replacement.
///
/// Source: Apple's DeprecatedAppIntent page.
@_alwaysEmitConformanceMetadata
public protocol DeprecatedAppIntent: AppIntent {
    /// The intent to use instead.
    associatedtype ReplacementIntent: AppIntent = Never
    /// The reason for the deprecation, and the replacement. By default, the deprecation has no reason.
    static var deprecation: IntentDeprecation<ReplacementIntent> { get }
}

extension DeprecatedAppIntent {
    public static var deprecation: IntentDeprecation<ReplacementIntent> {
        IntentDeprecation(replacedBy: ReplacementIntent.self)
    }
}

/// The reason why an intent is deprecated, and its replacement.
///
/// Source: Apple's IntentDeprecation page.
public struct IntentDeprecation<ReplacementIntent: AppIntent>: Sendable {
    let message: LocalizedStringResource?

    /// Creates a deprecation with a message, without a replacement.
    public init(message: LocalizedStringResource) where ReplacementIntent == Never {
        self.message = message
    }

    /// Creates a deprecation with a message and a replacement.
    public init(message: LocalizedStringResource, replacedBy replacement: ReplacementIntent.Type) {
        self.message = message
    }

    /// Creates a deprecation with a replacement.
    public init(replacedBy replacement: ReplacementIntent.Type) {
        message = nil
    }

    /// The replacement's name; nil if there is no replacement.
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
