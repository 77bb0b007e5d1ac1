// Source files that declare intents often import WidgetKit to refresh widgets after a change. Linux has no widgets.
@_exported public import AppIntents
public import IntentViews

/// The app's widgets, of which Linux has none. Its methods do nothing, and `intentctl verify` names those that an app
/// uses.
///
/// Source: Apple's WidgetCenter page.
public final class WidgetCenter: Sendable {
    /// The center of the app's widgets.
    public static let shared = WidgetCenter()

    private init() {}

    /// Does nothing on Linux.
    public func reloadAllTimelines(_ ignored: _IgnoredUse = #_ignoredWidget("widget:reloadAllTimelines")) {}

    /// Does nothing on Linux.
    public func reloadTimelines(ofKind kind: String, _ ignored: _IgnoredUse = #_ignoredWidget("widget:reloadTimelines"))
    {}

    /// Does nothing on Linux.
    public func invalidateConfigurationRecommendations(
        _ ignored: _IgnoredUse = #_ignoredWidget("widget:invalidateConfigurationRecommendations")
    ) {}

    /// Does nothing on Linux.
    public func invalidateRelevance(
        ofKind kind: String,
        _ ignored: _IgnoredUse = #_ignoredWidget("widget:invalidateRelevance")
    ) {}

    /// Returns the widgets that a person has placed, which is always an empty list.
    public func currentConfigurations() async throws -> [WidgetInfo] { [] }

    /// Calls a closure with the widgets that a person has placed, which is always an empty list.
    public func getCurrentConfigurations(_ completion: @escaping (Result<[WidgetInfo], any Error>) -> Void) {
        completion(.success([]))
    }
}

/// A widget that a person has placed.
///
/// Source: Apple's WidgetInfo page.
public struct WidgetInfo: Hashable, Sendable {
    /// The widget's kind.
    public let kind: String
    /// The widget's size.
    public let family: IntentWidgetFamily
}

/// The app's controls, of which Linux has none. Its methods do nothing.
///
/// Source: Apple's ControlCenter page.
public final class ControlCenter: Sendable {
    /// The center of the app's controls.
    public static let shared = ControlCenter()

    private init() {}

    /// Does nothing on Linux.
    public func reloadAllControls(_ ignored: _IgnoredUse = #_ignoredWidget("widget:reloadAllControls")) {}

    /// Does nothing on Linux.
    public func reloadControls(ofKind kind: String, _ ignored: _IgnoredUse = #_ignoredWidget("widget:reloadControls")) {
    }
}

/// Names an ignored method: `"widget:NAME"`. Not for direct use by apps.
///
/// The compiler expands the macro in the app's file, which need not import a module with views.
@freestanding(expression)
public macro _ignoredWidget(_ name: String) -> _IgnoredUse =
    #externalMacro(module: "IntentMacros", type: "IgnoredUseMacro")
