public import Foundation

/// Tells the system when widgets matter. There are no widgets on Linux, and nobody is told.
///
/// Source: Apple's RelevantIntentManager page.
public struct RelevantIntentManager: Sendable {
    /// The one of the app.
    public static let shared = RelevantIntentManager()

    private init() {}

    /// Takes the place of what was told before.
    public func updateRelevantIntents(_ intents: [RelevantIntent]) async throws {}
}

/// A widget's configuration, and when it matters. Without meaning on Linux.
///
/// Source: Apple's RelevantIntent page.
public struct RelevantIntent: Sendable {
    /// When it matters.
    public let relevance: RelevantContext
    /// The name of the kind of widget.
    public let widgetKind: String

    public init(_ intent: some WidgetConfigurationIntent, widgetKind: String, relevance: RelevantContext) {
        self.widgetKind = widgetKind
        self.relevance = relevance
    }
}

/// When something matters. Without meaning on Linux.
///
/// Source: Apple's RelevantContext page.
public struct RelevantContext: Sendable, Hashable {
    private init() {}

    /// Why a time matters.
    public struct DateKind: Sendable, Hashable {
        private let name: String

        public static let `default` = DateKind(name: "default")
        /// Something is planned.
        public static let scheduled = DateKind(name: "scheduled")
        /// Something is worth knowing.
        public static let informational = DateKind(name: "informational")
    }

    /// What a person does.
    public enum FitnessCondition: Sendable, Hashable {
        case activityRingsIncomplete
        case workoutActive
    }

    /// What is plugged in.
    public enum HeadphoneCondition: Sendable, Hashable {
        case connected
    }

    /// Where a person is.
    public enum InferredLocation: Sendable, Hashable {
        case home
        case work
        case school
        case commute
    }

    /// When a person sleeps.
    public enum SleepType: Sendable, Hashable {
        case bedtime
        case wakeup
    }

    /// About that time.
    public static func date(_ date: Date, kind: DateKind = .default) -> RelevantContext { RelevantContext() }

    /// Between two times.
    public static func date(from start: Date, to end: Date) -> RelevantContext { RelevantContext() }

    /// Between two times.
    public static func date(interval: DateInterval, kind: DateKind = .default) -> RelevantContext { RelevantContext() }

    /// Between two times.
    public static func date(range: ClosedRange<Date>, kind: DateKind = .default) -> RelevantContext {
        RelevantContext()
    }

    /// While a person does that.
    public static func fitness(_ condition: FitnessCondition) -> RelevantContext { RelevantContext() }

    /// While that is plugged in.
    public static func hardware(headphones condition: HeadphoneCondition) -> RelevantContext { RelevantContext() }

    /// While a person is there.
    public static func location(inferred location: InferredLocation) -> RelevantContext { RelevantContext() }

    /// While a person sleeps.
    public static func sleep(_ type: SleepType) -> RelevantContext { RelevantContext() }
}
