public import Foundation

/// An intent of a kind that the App Intents framework defines.
///
/// Source: Apple's SystemIntent page.
@_alwaysEmitConformanceMetadata
public protocol SystemIntent: AppIntent {}

/// An intent that shows a value in its app. On Linux, no app is opened, and `perform()` does nothing by default.
///
/// Source: Apple's OpenIntent page.
@_alwaysEmitConformanceMetadata
public protocol OpenIntent: SystemIntent, _DefaultPerforming {
    /// The type of the value to show.
    associatedtype Value: _IntentValue
    /// The value to show.
    var target: Value { get set }
}

extension OpenIntent {
    public static var openAppWhenRun: Bool { true }
}

/// An intent that sets a value, such as the position of a switch or a level.
///
/// Source: Apple's SetValueIntent page.
@_alwaysEmitConformanceMetadata
public protocol SetValueIntent: SystemIntent {
    /// The type of the value.
    associatedtype ValueType: _IntentValue
    /// The value to set.
    var value: ValueType { get set }
}

/// An intent that deletes entities.
///
/// Source: Apple's DeleteIntent page.
@_alwaysEmitConformanceMetadata
public protocol DeleteIntent: SystemIntent {
    /// The type of the entities.
    associatedtype Entity: AppEntity
    /// The entities to delete.
    var entities: [Entity] { get set }
}

/// An intent that can be undone.
///
/// Source: Apple's UndoableIntent page.
@_alwaysEmitConformanceMetadata
public protocol UndoableIntent: SystemIntent {}

extension UndoableIntent {
    /// The run's undo manager, which stores the actions that undo the run.
    ///
    /// A registered intent is recorded with the run, and `intentctl undo RUN` performs it once. A registered closure
    /// exists only in the run's process, where ``UndoManager/undo()`` calls it.
    @MainActor public var undoManager: UndoManager? { RunSession.now?.undoManager ?? UndoManager() }
}

/// An intent that opens a URL. On Linux, nothing is opened: the caller receives the URL as the result's value.
///
/// Source: Apple's OpenURLIntent page.
public struct OpenURLIntent: AppIntent {
    public static let title: LocalizedStringResource = "Open a URL"
    public static let isDiscoverable = false

    /// The URL to open.
    @Parameter(title: "URL") public var url: URL

    public init() {}

    /// Creates an intent that opens a URL.
    public init(_ url: URL) {
        self.init()
        self.url = url
    }

    /// Creates an intent that opens the URL of an entity.
    public init(_ entity: some URLRepresentableEntity) {
        self.init()
        if let url = entity.urlRepresentation { self.url = url }
    }

    public func perform() async throws -> IntentResultContainer<URL, Never, Never, Never> { .result(value: url) }
}
