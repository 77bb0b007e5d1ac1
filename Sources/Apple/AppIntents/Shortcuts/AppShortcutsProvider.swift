/// A type that provides an app's shortcuts, which are intents with fixed parameters and phrases. The catalogue lists
/// the shortcuts.
///
/// Source: Apple's AppShortcutsProvider page.
@_alwaysEmitConformanceMetadata
public protocol AppShortcutsProvider: Sendable {
    /// The app's shortcuts.
    @AppShortcutsBuilder static var appShortcuts: [AppShortcut] { get }
    /// The colour of the shortcuts' tiles. Ignored on Linux.
    static var shortcutTileColor: ShortcutTileColor { get }
    /// Phrases that must not start a shortcut. Ignored on Linux.
    @NegativeAppShortcutPhrasesBuilder static var negativePhrases: [NegativeAppShortcutPhrase] { get }
}

extension AppShortcutsProvider {
    /// The presentation of a shortcut's parameter. Ignored on Linux.
    public typealias ParameterPresentation = AppShortcutParameterPresentation
    /// The summary of a shortcut's parameter.
    public typealias Summary = AppShortcutParameterPresentationSummary
    /// A titled collection of options for a shortcut's parameter.
    public typealias OptionsCollection = AppShortcutOptionsCollection

    public static var shortcutTileColor: ShortcutTileColor { .blue }
    public static var negativePhrases: [NegativeAppShortcutPhrase] { [] }

    /// Does nothing on Linux, where the values of parameters are read on demand.
    public static func updateAppShortcutParameters() {}
}

/// An intent with fixed parameters, and the phrases that start it.
///
/// Source: Apple's AppShortcut page.
public struct AppShortcut: Sendable {
    let intent: any AppIntent
    let phrases: [String]
    let shortTitle: LocalizedStringResource?

    /// Creates a shortcut with phrases and a title.
    public init<Intent: AppIntent>(
        intent: Intent,
        phrases: [AppShortcutPhrase<Intent>],
        shortTitle: LocalizedStringResource,
        systemImageName: String
    ) {
        self.intent = intent
        self.phrases = phrases.map(\.text)
        self.shortTitle = shortTitle
    }

    /// Creates a shortcut with a title and the presentation of a parameter, which is ignored on Linux.
    public init<Intent: AppIntent>(
        intent: Intent,
        phrases: [AppShortcutPhrase<Intent>],
        shortTitle: LocalizedStringResource,
        systemImageName: String,
        parameterPresentation: AppShortcutParameterPresentation<Intent>?
    ) {
        self.init(intent: intent, phrases: phrases, shortTitle: shortTitle, systemImageName: systemImageName)
    }

    /// Creates a shortcut with phrases. A shortcut without a title has its intent's title.
    public init<Intent: AppIntent>(
        intent: Intent,
        phrases: [AppShortcutPhrase<Intent>],
        shortTitle: LocalizedStringResource? = nil,
        systemImageName: String? = nil
    ) {
        self.intent = intent
        self.phrases = phrases.map(\.text)
        self.shortTitle = shortTitle
    }
}

/// A phrase that starts a shortcut: `"Order \(\.$soup) with \(.applicationName)"`.
///
/// Source: Apple's AppShortcutPhrase page.
public struct AppShortcutPhrase<Intent: AppIntent>: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The phrase. It contains `${applicationName}` instead of the app's name, and `${NAME}` instead of each
    /// parameter's value.
    let text: String

    /// Creates a phrase without placeholders.
    public init(_ value: String) {
        text = value
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Collects the parts of a phrase.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Appends a placeholder for the app's name.
        public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {
            text += "${\(token.name)}"
        }

        /// Appends a placeholder for a parameter.
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {
            text += "${\(IntentInspection.name(of: parameter))}"
        }
    }
}

/// A placeholder that the system replaces in a phrase.
///
/// Source: Apple's AppShortcutPhraseToken page.
public struct AppShortcutPhraseToken: Sendable, Hashable {
    let name: String

    /// The placeholder for the app's name.
    public static let applicationName = AppShortcutPhraseToken(name: "applicationName")
}

/// A result builder that collects shortcuts.
///
/// Source: Apple's AppShortcutsBuilder page.
@resultBuilder
public enum AppShortcutsBuilder {
    /// Adds a shortcut.
    public static func buildExpression(_ shortcut: AppShortcut) -> [AppShortcut] { [shortcut] }
    /// Adds a list of shortcuts.
    public static func buildExpression(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// Combines the shortcuts of a block.
    public static func buildBlock(_ shortcuts: [AppShortcut]...) -> [AppShortcut] { shortcuts.flatMap(\.self) }
    /// Adds the shortcuts of an `if` without `else`.
    public static func buildOptional(_ shortcuts: [AppShortcut]?) -> [AppShortcut] { shortcuts ?? [] }
    /// Adds the shortcuts of an `if` that has an `else`.
    public static func buildEither(first shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// Adds the shortcuts of an `else`.
    public static func buildEither(second shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// Combines the shortcuts of a loop.
    public static func buildArray(_ shortcuts: [[AppShortcut]]) -> [AppShortcut] { shortcuts.flatMap(\.self) }
    /// Adds the shortcuts of an `if #available`.
    public static func buildLimitedAvailability(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
}

/// A phrase that must not start a shortcut. Ignored on Linux.
///
/// Source: Apple's NegativeAppShortcutPhrase page.
public struct NegativeAppShortcutPhrase: Sendable, Hashable, ExpressibleByStringInterpolation {
    let text: String

    /// Creates a phrase without placeholders.
    public init(_ value: String) {
        text = value
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Collects the parts of a phrase.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Appends a placeholder for the app's name.
        public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {
            text += "${\(token.name)}"
        }
    }
}

/// A list of phrases that must not start a shortcut.
///
/// Source: Apple's NegativeAppShortcutPhrases page.
public struct NegativeAppShortcutPhrases: Sendable {
    let phrases: [NegativeAppShortcutPhrase]

    /// Creates a list of phrases.
    public init(phrases: [NegativeAppShortcutPhrase]) {
        self.phrases = phrases
    }
}

/// A result builder that collects phrases that must not start a shortcut.
///
/// Source: Apple's NegativeAppShortcutPhrasesBuilder page.
@resultBuilder
public enum NegativeAppShortcutPhrasesBuilder {
    /// Adds a phrase.
    public static func buildExpression(_ phrase: NegativeAppShortcutPhrase) -> [NegativeAppShortcutPhrase] { [phrase] }
    /// Adds a list of phrases.
    public static func buildExpression(_ phrases: NegativeAppShortcutPhrases) -> [NegativeAppShortcutPhrase] {
        phrases.phrases
    }
    /// Adds an array of phrases.
    public static func buildExpression(_ phrases: [NegativeAppShortcutPhrase]) -> [NegativeAppShortcutPhrase] {
        phrases
    }
    /// Combines the phrases of a block.
    public static func buildBlock(_ phrases: [NegativeAppShortcutPhrase]...) -> [NegativeAppShortcutPhrase] {
        phrases.flatMap(\.self)
    }
}

/// The presentation of a shortcut's parameter. Ignored on Linux.
///
/// Source: Apple's AppShortcutParameterPresentation page.
public struct AppShortcutParameterPresentation<Intent: AppIntent>: Sendable {
    /// Creates a presentation from a parameter's summary and its collections of options.
    public init<Value>(
        for parameter: KeyPath<Intent, IntentParameter<Value>>,
        summary: AppShortcutParameterPresentationSummary<Intent>,
        @AppShortcutOptionsCollectionSpecificationBuilder optionsCollections: () -> [AppShortcutOptionsCollection]
    ) {}
}

/// The summary of a shortcut's parameter. Ignored on Linux.
///
/// Source: Apple's AppShortcutParameterPresentationSummary page.
public struct AppShortcutParameterPresentationSummary<Intent: AppIntent>: Sendable {
    /// Creates a summary that contains a parameter.
    public init(_ summary: AppShortcutParameterPresentationSummaryString<Intent>, table: String? = nil) {}
}

/// A summary that contains a parameter.
///
/// Source: Apple's AppShortcutParameterPresentationSummaryString page.
public typealias AppShortcutParameterPresentationSummaryString = ParameterSummaryString

/// A titled collection of options for a shortcut's parameter. Ignored on Linux.
///
/// Source: Apple's AppShortcutOptionsCollection page.
public struct AppShortcutOptionsCollection: Sendable {
    /// Creates a collection from the options that a provider lists.
    public init(
        _ provider: some DynamicOptionsProvider,
        title: LocalizedStringResource,
        systemImageName: String
    ) {}
}

/// A result builder that collects the option collections of a shortcut's parameter.
///
/// Source: Apple's AppShortcutOptionsCollectionSpecificationBuilder page.
@resultBuilder
public enum AppShortcutOptionsCollectionSpecificationBuilder {
    /// Combines the collections of a block.
    public static func buildBlock(_ collections: AppShortcutOptionsCollection...) -> [AppShortcutOptionsCollection] {
        collections
    }
}
