public import Foundation

/// The manager of the contexts in which widgets are relevant. Ignored on Linux, which has no widgets.
///
/// Source: Apple's RelevantIntentManager page.
public struct RelevantIntentManager: Sendable {
    /// The instance that apps use.
    public static let shared = RelevantIntentManager()

    private init() {}

    /// Replaces the relevant intents.
    public func updateRelevantIntents(_ intents: [RelevantIntent]) async throws {}
}

/// The configuration of a widget, and the context in which it is relevant. Ignored on Linux.
///
/// Source: Apple's RelevantIntent page.
public struct RelevantIntent: Sendable {
    /// The context in which the configuration is relevant.
    public let relevance: RelevantContext
    /// The kind of widget.
    public let widgetKind: String

    /// Creates a relevant widget configuration.
    public init(_ intent: some WidgetConfigurationIntent, widgetKind: String, relevance: RelevantContext) {
        self.widgetKind = widgetKind
        self.relevance = relevance
    }
}

/// A context in which a widget is relevant. Ignored on Linux.
///
/// Source: Apple's RelevantContext page.
public struct RelevantContext: Sendable, Hashable {
    private enum Condition: Sendable, Hashable {
        case date(Date, DateKind)
        case dates(from: Date, to: Date, DateKind)
        case fitness(FitnessCondition)
        case headphones(HeadphoneCondition)
        case inferredLocation(InferredLocation)
        case circle(latitude: Double, longitude: Double, radius: Double)
        case sleep(SleepType)
    }

    private let condition: Condition

    /// Returns the context around a date.
    public static func date(_ date: Date, kind: DateKind = .default) -> RelevantContext {
        RelevantContext(condition: .date(date, kind))
    }

    /// Returns the context between two dates.
    public static func date(from start: Date, to end: Date) -> RelevantContext {
        RelevantContext(condition: .dates(from: start, to: end, .default))
    }

    /// Returns the context during a time interval.
    public static func date(interval: DateInterval, kind: DateKind = .default) -> RelevantContext {
        RelevantContext(condition: .dates(from: interval.start, to: interval.end, kind))
    }

    /// Returns the context during a range of dates.
    public static func date(range: ClosedRange<Date>, kind: DateKind = .default) -> RelevantContext {
        RelevantContext(condition: .dates(from: range.lowerBound, to: range.upperBound, kind))
    }

    /// Returns the context during an activity.
    public static func fitness(_ condition: FitnessCondition) -> RelevantContext {
        RelevantContext(condition: .fitness(condition))
    }

    /// Returns the context while headphones are connected.
    public static func hardware(headphones condition: HeadphoneCondition) -> RelevantContext {
        RelevantContext(condition: .headphones(condition))
    }

    /// Returns the context at a location.
    public static func location(inferred location: InferredLocation) -> RelevantContext {
        RelevantContext(condition: .inferredLocation(location))
    }

    /// Returns the context in a circle around a coordinate, with a radius in metres. Not for direct use by apps: the
    /// `CoreLocation` product calls it for a region.
    public static func _location(latitude: Double, longitude: Double, radius: Double) -> RelevantContext {
        RelevantContext(condition: .circle(latitude: latitude, longitude: longitude, radius: radius))
    }

    /// Returns the context at a time in the sleep schedule.
    public static func sleep(_ type: SleepType) -> RelevantContext { RelevantContext(condition: .sleep(type)) }
}
