public import Foundation

/// Tells the system when widgets are relevant. Ignored on Linux, which has no widgets.
///
/// Source: Apple's RelevantIntentManager page.
public struct RelevantIntentManager: Sendable {
    /// The app's instance.
    public static let shared = RelevantIntentManager()

    private init() {}

    /// Replaces the relevant intents.
    public func updateRelevantIntents(_ intents: [RelevantIntent]) async throws {}
}

/// A widget's configuration, and when it is relevant. Ignored on Linux.
///
/// Source: Apple's RelevantIntent page.
public struct RelevantIntent: Sendable {
    /// When the configuration is relevant.
    public let relevance: RelevantContext
    /// The kind of widget.
    public let widgetKind: String

    /// A relevant configuration of a widget.
    public init(_ intent: some WidgetConfigurationIntent, widgetKind: String, relevance: RelevantContext) {
        self.widgetKind = widgetKind
        self.relevance = relevance
    }
}

/// When something is relevant. Ignored on Linux.
///
/// Source: Apple's RelevantContext page.
public struct RelevantContext: Sendable, Hashable {
    private init() {}

    /// Why a date is relevant.
    public struct DateKind: Sendable, Hashable {
        private let name: String

        /// A date without a particular reason.
        public static let `default` = DateKind(name: "default")
        /// A scheduled event.
        public static let scheduled = DateKind(name: "scheduled")
        /// Information.
        public static let informational = DateKind(name: "informational")
    }

    /// A person's activity.
    public enum FitnessCondition: Sendable, Hashable {
        /// The activity rings are incomplete.
        case activityRingsIncomplete
        /// A workout is active.
        case workoutActive
    }

    /// Whether headphones are connected.
    public enum HeadphoneCondition: Sendable, Hashable {
        /// Headphones are connected.
        case connected
    }

    /// A person's location.
    public enum InferredLocation: Sendable, Hashable {
        /// At home.
        case home
        /// At work.
        case work
        /// At school.
        case school
        /// On the way.
        case commute
    }

    /// A person's sleep.
    public enum SleepType: Sendable, Hashable {
        /// At bedtime.
        case bedtime
        /// At wake-up.
        case wakeup
    }

    /// Around a date.
    public static func date(_ date: Date, kind: DateKind = .default) -> RelevantContext { RelevantContext() }

    /// Between two dates.
    public static func date(from start: Date, to end: Date) -> RelevantContext { RelevantContext() }

    /// During an interval.
    public static func date(interval: DateInterval, kind: DateKind = .default) -> RelevantContext { RelevantContext() }

    /// During a range of dates.
    public static func date(range: ClosedRange<Date>, kind: DateKind = .default) -> RelevantContext {
        RelevantContext()
    }

    /// During an activity.
    public static func fitness(_ condition: FitnessCondition) -> RelevantContext { RelevantContext() }

    /// While headphones are connected.
    public static func hardware(headphones condition: HeadphoneCondition) -> RelevantContext { RelevantContext() }

    /// At a location.
    public static func location(inferred location: InferredLocation) -> RelevantContext { RelevantContext() }

    /// During sleep.
    public static func sleep(_ type: SleepType) -> RelevantContext { RelevantContext() }
}
