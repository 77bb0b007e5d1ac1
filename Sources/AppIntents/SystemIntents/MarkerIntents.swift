public import Foundation

/// An intent that may go without a `perform()` of its own; never named by an app.
///
/// One protocol for all of them, so that an intent can conform to several.
@_alwaysEmitConformanceMetadata
public protocol _DefaultPerforming: AppIntent {}

extension _DefaultPerforming {
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}

/// An intent that configures a widget. There are no widgets on Linux: `perform()` by default does nothing.
///
/// Source: Apple's WidgetConfigurationIntent page.
@_alwaysEmitConformanceMetadata
public protocol WidgetConfigurationIntent: _DefaultPerforming {}

/// An intent that configures a control. There are no controls on Linux: `perform()` by default does nothing.
///
/// Source: Apple's ControlConfigurationIntent page.
@_alwaysEmitConformanceMetadata
public protocol ControlConfigurationIntent: _DefaultPerforming {}

/// An intent that names what an app shows for it; by default the type's name.
///
/// Source: Apple's TargetContentProvidingIntent page.
@_alwaysEmitConformanceMetadata
public protocol TargetContentProvidingIntent: _DefaultPerforming {
    /// The name of the content.
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

/// An enum whose cases have URLs. Without meaning on Linux.
///
/// Source: Apple's URLRepresentableEnum page.
public protocol URLRepresentableEnum: AppEnum {}

/// An intent that takes the place of one of an earlier framework.
///
/// Source: Apple's CustomIntentMigratedAppIntent page.
@_alwaysEmitConformanceMetadata
public protocol CustomIntentMigratedAppIntent: AppIntent {
    /// The name of the earlier one.
    static var intentClassName: String { get }
}

/// An intent that plays sound.
///
/// Source: Apple's AudioPlaybackIntent page.
@_alwaysEmitConformanceMetadata
public protocol AudioPlaybackIntent: SystemIntent {}

/// An intent that records sound.
///
/// Source: Apple's AudioRecordingIntent page.
@_alwaysEmitConformanceMetadata
public protocol AudioRecordingIntent: SystemIntent {}

/// The earlier name of ``AudioPlaybackIntent``.
///
/// Source: Apple's AudioStartingIntent page.
@_alwaysEmitConformanceMetadata
public protocol AudioStartingIntent: SystemIntent {}

/// An intent that shows a live activity. There are none on Linux.
///
/// Source: Apple's LiveActivityIntent page.
@_alwaysEmitConformanceMetadata
public protocol LiveActivityIntent: SystemIntent {}

/// The earlier name of ``LiveActivityIntent``.
///
/// Source: Apple's LiveActivityStartingIntent page.
@_alwaysEmitConformanceMetadata
public protocol LiveActivityStartingIntent: SystemIntent {}

/// An intent of a walkie-talkie.
///
/// Source: Apple's PushToTalkTransmissionIntent page.
@_alwaysEmitConformanceMetadata
public protocol PushToTalkTransmissionIntent: SystemIntent {}

/// An intent that takes pictures.
///
/// Source: Apple's CameraCaptureIntent page.
@_alwaysEmitConformanceMetadata
public protocol CameraCaptureIntent: SystemIntent {
    /// What the camera keeps between two uses.
    associatedtype AppContext: Sendable = Never
}

/// An intent of a scene of a user interface. There are none on Linux.
///
/// Source: Apple's UISceneAppIntent page.
@_alwaysEmitConformanceMetadata
public protocol UISceneAppIntent: AppIntent {}

/// An intent with a schema of the system's.
///
/// Source: Apple's AssistantIntent page.
@_alwaysEmitConformanceMetadata
public protocol AssistantIntent: AppIntent {}

/// An intent with a schema of the system's.
///
/// Source: Apple's AssistantSchemaIntent page.
@_alwaysEmitConformanceMetadata
public protocol AssistantSchemaIntent: AppIntent {}

/// An intent that plays a video.
///
/// Source: Apple's PlayVideoIntent page.
@_alwaysEmitConformanceMetadata
public protocol PlayVideoIntent: SystemIntent {}

/// An intent that shows what a search in the app finds.
///
/// Source: Apple's ShowInAppSearchResultsIntent page.
@_alwaysEmitConformanceMetadata
public protocol ShowInAppSearchResultsIntent: SystemIntent, _DefaultPerforming {
    /// Where it searches.
    static var searchScopes: [StringSearchScope] { get }
    /// What is searched for.
    var criteria: StringSearchCriteria { get set }
}

extension ShowInAppSearchResultsIntent {
    public static var searchScopes: [StringSearchScope] { [.general] }
}

/// Where a search looks.
///
/// Source: Apple's StringSearchScope page.
public struct StringSearchScope: Sendable, Hashable {
    private let name: String

    private init(_ name: String) {
        self.name = name
    }

    public static let general = StringSearchScope("general")
    public static let movies = StringSearchScope("movies")
    public static let tv = StringSearchScope("tv")
    public static let music = StringSearchScope("music")
    public static let podcasts = StringSearchScope("podcasts")
    public static let books = StringSearchScope("books")
    public static let photos = StringSearchScope("photos")
}

/// What is searched for.
///
/// Source: Apple's StringSearchCriteria page.
public struct StringSearchCriteria: Sendable, Hashable, Codable, _IntentValue {
    /// The text.
    public var term: String

    public init(term: String) {
        self.term = term
    }
}

/// An intent that changes an app while a person concentrates on something. On Linux it runs as any other.
///
/// Source: Apple's SetFocusFilterIntent page.
@_alwaysEmitConformanceMetadata
public protocol SetFocusFilterIntent: SystemIntent, InstanceDisplayRepresentable {
    /// What the app is to do meanwhile.
    var appContext: FocusFilterAppContext { get }
    /// Filters with values that suit, the best first; by default none.
    static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self]
}

extension SetFocusFilterIntent {
    public var appContext: FocusFilterAppContext { FocusFilterAppContext() }

    public static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [Self] { [] }

    /// The filter with the values that hold now: here those of a new one.
    public static var current: Self {
        get async throws { Self() }
    }
}

/// What a person concentrates on, when values for it are suggested. On Linux nobody asks for suggestions.
///
/// Source: Apple's FocusFilterSuggestionContext page.
public struct FocusFilterSuggestionContext: Sendable {}

/// What an app is to do while a person concentrates on something. Without meaning on Linux.
///
/// Source: Apple's FocusFilterAppContext page.
public struct FocusFilterAppContext: Sendable {
    /// Which notifications are let through.
    public var notificationFilterPredicate: NSPredicate? { nil }
    /// How the names of the contents begin that are let through; nil: any.
    public let targetContentIdentifierPrefix: String?

    // The predicate decides which notifications show, and there are none.
    public init(notificationFilterPredicate: NSPredicate? = nil, targetContentIdentifierPrefix: String? = nil) {
        self.targetContentIdentifierPrefix = targetContentIdentifierPrefix
    }
}

/// An intent that begins a workout.
///
/// Source: Apple's StartWorkoutIntent page.
@_alwaysEmitConformanceMetadata
public protocol StartWorkoutIntent: SystemIntent, InstanceDisplayRepresentable {
    /// The kinds of workout.
    associatedtype WorkoutStyle: _IntentValue
    /// The workouts that are offered.
    static var suggestedWorkouts: [Self] { get }
    /// The kind of workout.
    var workoutStyle: WorkoutStyle { get set }
}

extension StartWorkoutIntent {
    public static var suggestedWorkouts: [Self] { [] }
}

/// An intent that interrupts a workout.
///
/// Source: Apple's PauseWorkoutIntent page.
@_alwaysEmitConformanceMetadata
public protocol PauseWorkoutIntent: SystemIntent {}

/// An intent that goes on with a workout.
///
/// Source: Apple's ResumeWorkoutIntent page.
@_alwaysEmitConformanceMetadata
public protocol ResumeWorkoutIntent: SystemIntent {}

/// An intent that begins a dive.
///
/// Source: Apple's StartDiveIntent page.
@_alwaysEmitConformanceMetadata
public protocol StartDiveIntent: SystemIntent {}

/// An intent that a result shows. On Linux nobody shows it; by its name it runs as any other.
///
/// Source: Apple's SnippetIntent page.
@_alwaysEmitConformanceMetadata
public protocol SnippetIntent: AppIntent {}

extension SnippetIntent {
    public static var isDiscoverable: Bool { false }
    /// Shows the snippet anew. Without meaning on Linux.
    public static func reload() {}
}

/// A snippet with nothing in it.
///
/// Source: Apple's EmptySnippetIntent page.
public struct EmptySnippetIntent: SnippetIntent {
    public static let title: LocalizedStringResource = "Nothing"

    public init() {}

    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}
