/// The shortcuts of an app: intents with fixed parameters and phrases, which the catalogue shows.
///
/// Source: Apple's AppShortcutsProvider page.
@_alwaysEmitConformanceMetadata
public protocol AppShortcutsProvider: Sendable {
    /// The shortcuts.
    @AppShortcutsBuilder static var appShortcuts: [AppShortcut] { get }
    /// The colour of their tiles. Without meaning on Linux.
    static var shortcutTileColor: ShortcutTileColor { get }
    /// What is said and does not mean a shortcut. Without meaning on Linux.
    @NegativeAppShortcutPhrasesBuilder static var negativePhrases: [NegativeAppShortcutPhrase] { get }
}

extension AppShortcutsProvider {
    /// How the parameter of a shortcut is shown.
    public typealias ParameterPresentation = AppShortcutParameterPresentation
    /// The sentence of a parameter of a shortcut.
    public typealias Summary = AppShortcutParameterPresentationSummary
    /// Options of a shortcut's parameter under a title.
    public typealias OptionsCollection = AppShortcutOptionsCollection

    public static var shortcutTileColor: ShortcutTileColor { .blue }
    public static var negativePhrases: [NegativeAppShortcutPhrase] { [] }

    /// Tells the system that the values of parameters have changed. Without meaning on Linux, where they are asked for.
    public static func updateAppShortcutParameters() {}
}

/// An intent with fixed parameters, and the phrases that ask for it.
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

    /// A shortcut with a title, and how its parameter is shown, which has no meaning on Linux.
    public init<Intent: AppIntent>(
        intent: Intent,
        phrases: [AppShortcutPhrase<Intent>],
        shortTitle: LocalizedStringResource,
        systemImageName: String,
        parameterPresentation: AppShortcutParameterPresentation<Intent>?
    ) {
        self.init(intent: intent, phrases: phrases, shortTitle: shortTitle, systemImageName: systemImageName)
    }

    /// A shortcut that is called as its intent unless it has a title.
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

/// A phrase that asks for a shortcut: `"Order \(\.$soup) with \(.applicationName)"`.
///
/// Source: Apple's AppShortcutPhrase page.
public struct AppShortcutPhrase<Intent: AppIntent>: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The phrase with `${applicationName}` and `${parameter}`.
    let text: String

    /// A phrase that nothing is embedded in.
    public init(_ value: String) {
        text = value
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Collects the pieces of the phrase.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Leaves the place of the app's name.
        public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {
            text += "${\(token.name)}"
        }

        /// Leaves a parameter's place.
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {
            text += "${\(IntentInspection.name(of: parameter))}"
        }
    }
}

/// What stands in a phrase for something that the system knows.
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
    public static func buildExpression(_ shortcut: AppShortcut) -> [AppShortcut] { [shortcut] }
    public static func buildExpression(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    public static func buildBlock(_ shortcuts: [AppShortcut]...) -> [AppShortcut] { shortcuts.flatMap(\.self) }
    public static func buildOptional(_ shortcuts: [AppShortcut]?) -> [AppShortcut] { shortcuts ?? [] }
    public static func buildEither(first shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    public static func buildEither(second shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
    public static func buildArray(_ shortcuts: [[AppShortcut]]) -> [AppShortcut] { shortcuts.flatMap(\.self) }
    public static func buildLimitedAvailability(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
}

/// Something that is said and does not mean a shortcut. Without meaning on Linux.
///
/// Source: Apple's NegativeAppShortcutPhrase page.
public struct NegativeAppShortcutPhrase: Sendable, Hashable, ExpressibleByStringInterpolation {
    let text: String

    /// A phrase that nothing is embedded in.
    public init(_ value: String) {
        text = value
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Collects the pieces of the phrase.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Leaves the place of the app's name.
        public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {
            text += "${\(token.name)}"
        }
    }
}

/// Some phrases that do not mean a shortcut.
///
/// Source: Apple's NegativeAppShortcutPhrases page.
public struct NegativeAppShortcutPhrases: Sendable {
    let phrases: [NegativeAppShortcutPhrase]

    public init(phrases: [NegativeAppShortcutPhrase]) {
        self.phrases = phrases
    }
}

/// Collects phrases that do not mean a shortcut.
///
/// Source: Apple's NegativeAppShortcutPhrasesBuilder page.
@resultBuilder
public enum NegativeAppShortcutPhrasesBuilder {
    public static func buildExpression(_ phrase: NegativeAppShortcutPhrase) -> [NegativeAppShortcutPhrase] { [phrase] }
    public static func buildExpression(_ phrases: NegativeAppShortcutPhrases) -> [NegativeAppShortcutPhrase] {
        phrases.phrases
    }
    public static func buildExpression(_ phrases: [NegativeAppShortcutPhrase]) -> [NegativeAppShortcutPhrase] {
        phrases
    }
    public static func buildBlock(_ phrases: [NegativeAppShortcutPhrase]...) -> [NegativeAppShortcutPhrase] {
        phrases.flatMap(\.self)
    }
}

/// The colour of a shortcut's tile. Without meaning on Linux.
///
/// Source: Apple's ShortcutTileColor page.
public enum ShortcutTileColor: Sendable, Hashable {
    case blue
    case grape
    case grayBlue
    case grayBrown
    case grayGreen
    case lightBlue
    case lime
    case navy
    case orange
    case pink
    case purple
    case red
    case tangerine
    case teal
    case yellow
}

/// How the parameter of a shortcut is shown. Without meaning on Linux.
///
/// Source: Apple's AppShortcutParameterPresentation page.
public struct AppShortcutParameterPresentation<Intent: AppIntent>: Sendable {
    /// A parameter, its summary, and where its options come from.
    public init<Value>(
        for parameter: KeyPath<Intent, IntentParameter<Value>>,
        summary: AppShortcutParameterPresentationSummary<Intent>,
        @AppShortcutOptionsCollectionSpecificationBuilder optionsCollections: () -> [AppShortcutOptionsCollection]
    ) {}
}

/// The sentence of a parameter of a shortcut. Without meaning on Linux.
///
/// Source: Apple's AppShortcutParameterPresentationSummary page.
public struct AppShortcutParameterPresentationSummary<Intent: AppIntent>: Sendable {
    /// A sentence.
    public init(_ summary: AppShortcutParameterPresentationSummaryString<Intent>, table: String? = nil) {}
}

/// A sentence in which a parameter stands.
///
/// Source: Apple's AppShortcutParameterPresentationSummaryString page.
public typealias AppShortcutParameterPresentationSummaryString = ParameterSummaryString

/// Options of a shortcut's parameter under a title. Without meaning on Linux.
///
/// Source: Apple's AppShortcutOptionsCollection page.
public struct AppShortcutOptionsCollection: Sendable {
    /// Options of a provider.
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
    public static func buildBlock(_ collections: AppShortcutOptionsCollection...) -> [AppShortcutOptionsCollection] {
        collections
    }
}
