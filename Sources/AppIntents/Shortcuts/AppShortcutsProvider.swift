/// Provides an app's shortcuts: intents with fixed parameters, and phrases. The catalogue lists them.
///
/// Source: Apple's AppShortcutsProvider page.
@_alwaysEmitConformanceMetadata
public protocol AppShortcutsProvider: Sendable {
    /// The shortcuts.
    @AppShortcutsBuilder static var appShortcuts: [AppShortcut] { get }
    /// The colour of the shortcuts' tiles. Ignored on Linux.
    static var shortcutTileColor: ShortcutTileColor { get }
    /// Phrases that do not refer to a shortcut. Ignored on Linux.
    @NegativeAppShortcutPhrasesBuilder static var negativePhrases: [NegativeAppShortcutPhrase] { get }
}

extension AppShortcutsProvider {
    /// The presentation of a shortcut's parameter.
    public typealias ParameterPresentation = AppShortcutParameterPresentation
    /// The summary of a shortcut's parameter.
    public typealias Summary = AppShortcutParameterPresentationSummary
    /// The options of a shortcut's parameter under a title.
    public typealias OptionsCollection = AppShortcutOptionsCollection

    public static var shortcutTileColor: ShortcutTileColor { .blue }
    public static var negativePhrases: [NegativeAppShortcutPhrase] { [] }

    /// Reports that the values of parameters have changed. Ignored on Linux, where the values are read on demand.
    public static func updateAppShortcutParameters() {}
}

/// An intent with fixed parameters, and phrases that request it.
///
/// Source: Apple's AppShortcut page.
public struct AppShortcut: Sendable {
    let intent: any AppIntent
    let phrases: [String]
    let shortTitle: LocalizedStringResource?

    /// A shortcut with a title.
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

    /// A shortcut with a title and a parameter presentation, which is ignored on Linux.
    public init<Intent: AppIntent>(
        intent: Intent,
        phrases: [AppShortcutPhrase<Intent>],
        shortTitle: LocalizedStringResource,
        systemImageName: String,
        parameterPresentation: AppShortcutParameterPresentation<Intent>?
    ) {
        self.init(intent: intent, phrases: phrases, shortTitle: shortTitle, systemImageName: systemImageName)
    }

    /// A shortcut with its intent's title, unless another title is given.
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

/// A phrase that requests a shortcut: `"Order \(\.$soup) with \(.applicationName)"`.
///
/// Source: Apple's AppShortcutPhrase page.
public struct AppShortcutPhrase<Intent: AppIntent>: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The phrase with `${applicationName}` and `${parameter}`.
    let text: String

    /// A phrase without embedded values.
    public init(_ value: String) {
        text = value
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Collects the parts of the phrase.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Appends the app's name.
        public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {
            text += "${\(token.name)}"
        }

        /// Appends a parameter.
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {
            text += "${\(IntentInspection.name(of: parameter))}"
        }
    }
}

/// A part of a phrase that the system inserts.
///
/// Source: Apple's AppShortcutPhraseToken page.
public struct AppShortcutPhraseToken: Sendable, Hashable {
    let name: String

    /// The app's name.
    public static let applicationName = AppShortcutPhraseToken(name: "applicationName")
}

/// Collects shortcuts.
///
/// Source: Apple's AppShortcutsBuilder page.
@resultBuilder
public enum AppShortcutsBuilder {
    /// Accepts a shortcut, a phrase or a list of them.
    public static func buildExpression(_ shortcut: AppShortcut) -> [AppShortcut] { [shortcut] }
    /// Accepts a shortcut, a phrase or a list of them.
    public static func buildExpression(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// Combines the elements of a block.
    public static func buildBlock(_ shortcuts: [AppShortcut]...) -> [AppShortcut] { shortcuts.flatMap(\.self) }
    /// Accepts the elements of an `if` without `else`.
    public static func buildOptional(_ shortcuts: [AppShortcut]?) -> [AppShortcut] { shortcuts ?? [] }
    /// Accepts the elements of an `if`.
    public static func buildEither(first shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// Accepts the elements of an `else`.
    public static func buildEither(second shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    /// Combines the elements of a loop.
    public static func buildArray(_ shortcuts: [[AppShortcut]]) -> [AppShortcut] { shortcuts.flatMap(\.self) }
    /// Accepts the elements of an `if #available`.
    public static func buildLimitedAvailability(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
}

/// A phrase that does not refer to a shortcut. Ignored on Linux.
///
/// Source: Apple's NegativeAppShortcutPhrase page.
public struct NegativeAppShortcutPhrase: Sendable, Hashable, ExpressibleByStringInterpolation {
    let text: String

    /// A phrase without embedded values.
    public init(_ value: String) {
        text = value
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Collects the parts of the phrase.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Appends the app's name.
        public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {
            text += "${\(token.name)}"
        }
    }
}

/// Phrases that do not refer to a shortcut.
///
/// Source: Apple's NegativeAppShortcutPhrases page.
public struct NegativeAppShortcutPhrases: Sendable {
    let phrases: [NegativeAppShortcutPhrase]

    /// Phrases from a builder.
    public init(phrases: [NegativeAppShortcutPhrase]) {
        self.phrases = phrases
    }
}

/// Collects phrases that do not refer to a shortcut.
///
/// Source: Apple's NegativeAppShortcutPhrasesBuilder page.
@resultBuilder
public enum NegativeAppShortcutPhrasesBuilder {
    /// Accepts a shortcut, a phrase or a list of them.
    public static func buildExpression(_ phrase: NegativeAppShortcutPhrase) -> [NegativeAppShortcutPhrase] { [phrase] }
    /// Accepts a shortcut, a phrase or a list of them.
    public static func buildExpression(_ phrases: NegativeAppShortcutPhrases) -> [NegativeAppShortcutPhrase] {
        phrases.phrases
    }
    /// Accepts a shortcut, a phrase or a list of them.
    public static func buildExpression(_ phrases: [NegativeAppShortcutPhrase]) -> [NegativeAppShortcutPhrase] {
        phrases
    }
    /// Combines the elements of a block.
    public static func buildBlock(_ phrases: [NegativeAppShortcutPhrase]...) -> [NegativeAppShortcutPhrase] {
        phrases.flatMap(\.self)
    }
}

/// The colour of a shortcut's tile. Ignored on Linux.
///
/// Source: Apple's ShortcutTileColor page.
public enum ShortcutTileColor: Sendable, Hashable {
    /// The tile is blue.
    case blue
    /// The tile is grape.
    case grape
    /// The tile is gray blue.
    case grayBlue
    /// The tile is gray brown.
    case grayBrown
    /// The tile is gray green.
    case grayGreen
    /// The tile is light blue.
    case lightBlue
    /// The tile is lime.
    case lime
    /// The tile is navy.
    case navy
    /// The tile is orange.
    case orange
    /// The tile is pink.
    case pink
    /// The tile is purple.
    case purple
    /// The tile is red.
    case red
    /// The tile is tangerine.
    case tangerine
    /// The tile is teal.
    case teal
    /// The tile is yellow.
    case yellow
}

/// The presentation of a shortcut's parameter. Ignored on Linux.
///
/// Source: Apple's AppShortcutParameterPresentation page.
public struct AppShortcutParameterPresentation<Intent: AppIntent>: Sendable {
    /// A parameter with its summary and the sources of its options.
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
    /// A summary.
    public init(_ summary: AppShortcutParameterPresentationSummaryString<Intent>, table: String? = nil) {}
}

/// A summary that contains a parameter.
///
/// Source: Apple's AppShortcutParameterPresentationSummaryString page.
public typealias AppShortcutParameterPresentationSummaryString = ParameterSummaryString

/// The options of a shortcut's parameter under a title. Ignored on Linux.
///
/// Source: Apple's AppShortcutOptionsCollection page.
public struct AppShortcutOptionsCollection: Sendable {
    /// The options of a provider.
    public init(
        _ provider: some DynamicOptionsProvider,
        title: LocalizedStringResource,
        systemImageName: String
    ) {}
}

/// Collects the options of a shortcut's parameter.
///
/// Source: Apple's AppShortcutOptionsCollectionSpecificationBuilder page.
@resultBuilder
public enum AppShortcutOptionsCollectionSpecificationBuilder {
    /// Combines the elements of a block.
    public static func buildBlock(_ collections: AppShortcutOptionsCollection...) -> [AppShortcutOptionsCollection] {
        collections
    }
}
