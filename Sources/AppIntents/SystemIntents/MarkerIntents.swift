public import Foundation

/// An intent that need not implement `perform()`. Apps never use this protocol directly.
///
/// All such intents share this protocol, so an intent can conform to several of them.
@_alwaysEmitConformanceMetadata
public protocol _DefaultPerforming: AppIntent {}

extension _DefaultPerforming {
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}

/// An intent that configures a widget. Linux has no widgets: by default, `perform()` does nothing.
///
/// Source: Apple's WidgetConfigurationIntent page.
@_alwaysEmitConformanceMetadata
public protocol WidgetConfigurationIntent: _DefaultPerforming {}

/// An intent that configures a control. Linux has no controls: by default, `perform()` does nothing.
///
/// Source: Apple's ControlConfigurationIntent page.
@_alwaysEmitConformanceMetadata
public protocol ControlConfigurationIntent: _DefaultPerforming {}

/// An intent that identifies the content that an app shows for it.
///
/// Source: Apple's TargetContentProvidingIntent page.
@_alwaysEmitConformanceMetadata
public protocol TargetContentProvidingIntent: _DefaultPerforming {
    /// The identifier of the content. By default, the intent's own name.
    var contentIdentifier: String { get }
}

extension TargetContentProvidingIntent {
    public var contentIdentifier: String { Self.persistentIdentifier }
}

/// An intent that has a URL.
///
/// Source: Apple's URLRepresentableIntent page.
@_alwaysEmitConformanceMetadata
public protocol URLRepresentableIntent: _DefaultPerforming {}

/// An enumeration with a URL for each case. Ignored on Linux.
///
/// Source: Apple's URLRepresentableEnum page.
public protocol URLRepresentableEnum: AppEnum {}

/// An intent that replaces a custom intent of SiriKit.
///
/// Source: Apple's CustomIntentMigratedAppIntent page.
@_alwaysEmitConformanceMetadata
public protocol CustomIntentMigratedAppIntent: AppIntent {
    /// The name of the replaced intent's class.
    static var intentClassName: String { get }
}

/// An intent that plays audio.
///
/// Source: Apple's AudioPlaybackIntent page.
@_alwaysEmitConformanceMetadata
public protocol AudioPlaybackIntent: SystemIntent {}

/// An intent that records audio.
///
/// Source: Apple's AudioRecordingIntent page.
@_alwaysEmitConformanceMetadata
public protocol AudioRecordingIntent: SystemIntent {}

/// The earlier name of ``AudioPlaybackIntent``.
///
/// Source: Apple's AudioStartingIntent page.
@_alwaysEmitConformanceMetadata
public protocol AudioStartingIntent: SystemIntent {}

/// An intent that shows a live activity. Linux has no live activities.
///
/// Source: Apple's LiveActivityIntent page.
@_alwaysEmitConformanceMetadata
public protocol LiveActivityIntent: SystemIntent {}

/// The earlier name of ``LiveActivityIntent``.
///
/// Source: Apple's LiveActivityStartingIntent page.
@_alwaysEmitConformanceMetadata
public protocol LiveActivityStartingIntent: SystemIntent {}

/// An intent that transmits speech.
///
/// Source: Apple's PushToTalkTransmissionIntent page.
@_alwaysEmitConformanceMetadata
public protocol PushToTalkTransmissionIntent: SystemIntent {}

/// An intent that takes pictures.
///
/// Source: Apple's CameraCaptureIntent page.
@_alwaysEmitConformanceMetadata
public protocol CameraCaptureIntent: SystemIntent {
    /// The type of data that the camera keeps from one use to the next.
    associatedtype AppContext: Sendable = Never
}

/// An intent for a scene of a user interface. Linux has no scenes.
///
/// Source: Apple's UISceneAppIntent page.
@_alwaysEmitConformanceMetadata
public protocol UISceneAppIntent: AppIntent {}

/// An intent with a system schema.
///
/// Source: Apple's AssistantIntent page.
@_alwaysEmitConformanceMetadata
public protocol AssistantIntent: AppIntent {}

/// An intent with a system schema.
///
/// Source: Apple's AssistantSchemaIntent page.
@_alwaysEmitConformanceMetadata
public protocol AssistantSchemaIntent: AppIntent {}

/// An intent that plays a video.
///
/// Source: Apple's PlayVideoIntent page.
@_alwaysEmitConformanceMetadata
public protocol PlayVideoIntent: SystemIntent {}

/// An intent that shows the results of a search in the app.
///
/// Source: Apple's ShowInAppSearchResultsIntent page.
@_alwaysEmitConformanceMetadata
public protocol ShowInAppSearchResultsIntent: SystemIntent, _DefaultPerforming {
    /// The scopes that the search covers.
    static var searchScopes: [StringSearchScope] { get }
    /// The text that the search looks for.
    var criteria: StringSearchCriteria { get set }
}

extension ShowInAppSearchResultsIntent {
    public static var searchScopes: [StringSearchScope] { [.general] }
}

/// The scope of a search.
///
/// Source: Apple's StringSearchScope page.
public struct StringSearchScope: Sendable, Hashable {
    private let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// The scope `general`.
    public static let general = StringSearchScope("general")
    /// The scope `movies`.
    public static let movies = StringSearchScope("movies")
    /// The scope `tv`.
    public static let tv = StringSearchScope("tv")
    /// The scope `music`.
    public static let music = StringSearchScope("music")
    /// The scope `podcasts`.
    public static let podcasts = StringSearchScope("podcasts")
    /// The scope `books`.
    public static let books = StringSearchScope("books")
    /// The scope `photos`.
    public static let photos = StringSearchScope("photos")
}

/// The criteria of a search.
///
/// Source: Apple's StringSearchCriteria page.
public struct StringSearchCriteria: Sendable, Hashable, Codable, _IntentValue {
    /// The text to search for.
    public var term: String

    /// Creates criteria with a text to search for.
    public init(term: String) {
        self.term = term
    }
}

/// An intent that changes an app during a Focus. On Linux it runs like any other intent.
///
/// Source: Apple's SetFocusFilterIntent page.
@_alwaysEmitConformanceMetadata
public protocol SetFocusFilterIntent: SystemIntent, InstanceDisplayRepresentable {
    /// The app's behaviour during the Focus.
    var appContext: FocusFilterAppContext { get }
    /// Suggested filters, best first. Empty by default.
    static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self]
}

extension SetFocusFilterIntent {
    public var appContext: FocusFilterAppContext { FocusFilterAppContext() }

    public static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self] { [] }

    /// The current filter. On Linux, it is a new filter with its default values.
    public static var current: Self {
        get async throws { Self() }
    }
}

/// The context in which filters are suggested. Linux requests no suggestions.
///
/// Source: Apple's FocusFilterSuggestionContext page.
public struct FocusFilterSuggestionContext: Sendable {}

/// An app's behaviour during a Focus. Ignored on Linux.
///
/// Source: Apple's FocusFilterAppContext page.
public struct FocusFilterAppContext: Sendable {
    /// The condition that selects the notifications to show; on Linux always nil.
    public var notificationFilterPredicate: NSPredicate? { nil }
    /// The prefix of the identifiers of permitted contents; nil permits all contents.
    public let targetContentIdentifierPrefix: String?

    /// Creates a behaviour with permitted notifications and contents.
    // The predicate is dropped: it selects notifications to show, and Linux has no notifications.
    public init(notificationFilterPredicate: NSPredicate? = nil, targetContentIdentifierPrefix: String? = nil) {
        self.targetContentIdentifierPrefix = targetContentIdentifierPrefix
    }
}

/// An intent that starts a workout.
///
/// Source: Apple's StartWorkoutIntent page.
@_alwaysEmitConformanceMetadata
public protocol StartWorkoutIntent: SystemIntent, InstanceDisplayRepresentable {
    /// The type of the workout's style.
    associatedtype WorkoutStyle: _IntentValue
    /// The suggested workouts. Empty by default.
    static var suggestedWorkouts: [Self] { get }
    /// The style of the workout.
    var workoutStyle: WorkoutStyle { get set }
}

extension StartWorkoutIntent {
    public static var suggestedWorkouts: [Self] { [] }
}

/// An intent that pauses a workout.
///
/// Source: Apple's PauseWorkoutIntent page.
@_alwaysEmitConformanceMetadata
public protocol PauseWorkoutIntent: SystemIntent {}

/// An intent that resumes a workout.
///
/// Source: Apple's ResumeWorkoutIntent page.
@_alwaysEmitConformanceMetadata
public protocol ResumeWorkoutIntent: SystemIntent {}

/// An intent that starts a dive.
///
/// Source: Apple's StartDiveIntent page.
@_alwaysEmitConformanceMetadata
public protocol StartDiveIntent: SystemIntent {}

/// An intent that produces a snippet to show. Linux shows no snippets; the intent can still be run by its name.
///
/// Source: Apple's SnippetIntent page.
@_alwaysEmitConformanceMetadata
public protocol SnippetIntent: AppIntent {}

extension SnippetIntent {
    public static var isDiscoverable: Bool { false }
    /// Reloads the snippet. Ignored on Linux.
    public static func reload() {}
}

/// An empty snippet.
///
/// Source: Apple's EmptySnippetIntent page.
public struct EmptySnippetIntent: SnippetIntent {
    public static let title: LocalizedStringResource = "Nothing"

    public init() {}

    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}
