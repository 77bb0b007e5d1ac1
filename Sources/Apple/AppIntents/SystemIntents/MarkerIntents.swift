public import Foundation

/// An intent that does not have to implement `perform()`. Not for direct use by apps.
///
/// All protocols with a default `perform()` refine this protocol, so an intent can conform to several of them without
/// ambiguity.
@_alwaysEmitConformanceMetadata
public protocol _DefaultPerforming: AppIntent {}

extension _DefaultPerforming {
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}

/// An intent that identifies the content that its app shows.
///
/// Source: Apple's TargetContentProvidingIntent page.
@_alwaysEmitConformanceMetadata
public protocol TargetContentProvidingIntent: _DefaultPerforming {
    /// The identifier of the content. By default, it is the intent's name.
    var contentIdentifier: String { get }
}

extension TargetContentProvidingIntent {
    public var contentIdentifier: String { Self.persistentIdentifier }
}

/// An enumeration with cases that can be represented by URLs. Ignored on Linux.
///
/// Source: Apple's URLRepresentableEnum page.
public protocol URLRepresentableEnum: AppEnum {}

/// An intent that replaces a custom SiriKit intent.
///
/// Source: Apple's CustomIntentMigratedAppIntent page.
@_alwaysEmitConformanceMetadata
public protocol CustomIntentMigratedAppIntent: AppIntent {
    /// The class name of the intent that this intent replaces.
    static var intentClassName: String { get }
}

/// An intent that takes pictures.
///
/// Source: Apple's CameraCaptureIntent page.
@_alwaysEmitConformanceMetadata
public protocol CameraCaptureIntent: SystemIntent {
    /// The type of the data that the camera app keeps between uses.
    associatedtype AppContext: Sendable = Never
}

/// An intent that shows search results in the app.
///
/// Source: Apple's ShowInAppSearchResultsIntent page.
@_alwaysEmitConformanceMetadata
public protocol ShowInAppSearchResultsIntent: SystemIntent, _DefaultPerforming {
    /// The scopes that the search covers.
    static var searchScopes: [StringSearchScope] { get }
    /// The criteria of the search.
    var criteria: StringSearchCriteria { get set }
}

extension ShowInAppSearchResultsIntent {
    public static var searchScopes: [StringSearchScope] { [.general] }
}

/// The criteria for a search.
///
/// Source: Apple's StringSearchCriteria page.
public struct StringSearchCriteria: Sendable, Hashable, Codable, _IntentValue {
    /// The string to search for.
    public var term: String

    /// Creates criteria from a search string.
    public init(term: String) {
        self.term = term
    }
}

/// An intent that changes an app's behaviour during a Focus. On Linux, it runs like any other intent.
///
/// Source: Apple's SetFocusFilterIntent page.
@_alwaysEmitConformanceMetadata
public protocol SetFocusFilterIntent: SystemIntent, InstanceDisplayRepresentable {
    /// The app's behaviour during the Focus.
    var appContext: FocusFilterAppContext { get }
    /// Returns suggested filters, starting with the best filter. By default, returns an empty list.
    static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self]
}

extension SetFocusFilterIntent {
    public var appContext: FocusFilterAppContext { FocusFilterAppContext() }

    public static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self] { [] }

    /// The current filter. On Linux, it is a new filter with default values.
    public static var current: Self {
        get async throws { Self() }
    }
}

/// The context for which filters are suggested. Linux does not request suggestions.
///
/// Source: Apple's FocusFilterSuggestionContext page.
public struct FocusFilterSuggestionContext: Sendable {}

/// An app's behaviour during a Focus. Ignored on Linux.
///
/// Source: Apple's FocusFilterAppContext page.
public struct FocusFilterAppContext: Sendable {
    /// A predicate that selects the notifications to show. On Linux, it is always nil.
    public var notificationFilterPredicate: NSPredicate? { nil }
    /// The identifier prefix of permitted content; nil if all content is permitted.
    public let targetContentIdentifierPrefix: String?

    /// Creates a behaviour from a notification predicate and a content prefix.
    // The predicate is discarded, because Linux has no notifications to select.
    public init(notificationFilterPredicate: NSPredicate? = nil, targetContentIdentifierPrefix: String? = nil) {
        self.targetContentIdentifierPrefix = targetContentIdentifierPrefix
    }
}

/// An intent that starts a workout.
///
/// Source: Apple's StartWorkoutIntent page.
@_alwaysEmitConformanceMetadata
public protocol StartWorkoutIntent: SystemIntent, InstanceDisplayRepresentable {
    /// The type of a workout style.
    associatedtype WorkoutStyle: _IntentValue
    /// The suggested workouts. The default is an empty list.
    static var suggestedWorkouts: [Self] { get }
    /// The style of the workout.
    var workoutStyle: WorkoutStyle { get set }
}

extension StartWorkoutIntent {
    public static var suggestedWorkouts: [Self] { [] }
}

/// An intent that returns a view. A result or a question with the intent (`snippetIntent:`) shows the view, and a client
/// performs the intent again after a person has used one of the view's buttons or switches.
///
/// Source: Apple's SnippetIntent page.
@_alwaysEmitConformanceMetadata
public protocol SnippetIntent: AppIntent where PerformResult: ShowsSnippetView {}

extension SnippetIntent {
    public static var isDiscoverable: Bool { false }
    /// Does nothing on Linux, where clients refresh the snippet each time a person uses one of its buttons or switches.
    public static func reload() {}
}

/// A snippet without content.
///
/// Source: Apple's EmptySnippetIntent page.
public struct EmptySnippetIntent: SnippetIntent {
    public static let title: LocalizedStringResource = "Nothing"

    public init() {}

    public func perform() async throws -> IntentResultContainer<Never, Never, _SnippetViewContainer, Never> {
        IntentResultContainer(value: nil, dialog: nil, opensIntent: nil)
    }
}
