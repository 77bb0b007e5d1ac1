public import Foundation

/// An intent that a system knows by its kind.
///
/// Source: Apple's SystemIntent page.
@_alwaysEmitConformanceMetadata
public protocol SystemIntent: AppIntent {}

/// An intent that shows something of the app. On Linux nothing opens: `perform()` by default does nothing.
///
/// Source: Apple's OpenIntent page.
@_alwaysEmitConformanceMetadata
public protocol OpenIntent: SystemIntent, _DefaultPerforming {
    /// What is shown.
    associatedtype Value: _IntentValue
    /// What is shown.
    var target: Value { get set }
}

extension OpenIntent {
    public static var openAppWhenRun: Bool { true }
}

/// An intent that sets a value: a switch, a level.
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
    /// What is deleted.
    associatedtype Entity: AppEntity
    /// What is deleted.
    var entities: [Entity] { get set }
}

/// An intent that can be taken back.
///
/// Source: Apple's UndoableIntent page.
@_alwaysEmitConformanceMetadata
public protocol UndoableIntent: SystemIntent {}

extension UndoableIntent {
    /// Where a run registers how it is taken back; nil here, where a run ends with its process.
    @MainActor public var undoManager: UndoManager? { nil }
}

/// Holds actions that take back what was done.
///
/// Source: Apple's UndoManager page (Foundation; absent on Linux).
@MainActor
public final class UndoManager {
    private var actions: [@MainActor () -> Void] = []
    private var actionName = ""

    /// A manager with nothing to undo.
    public init() {}

    /// True when something was registered.
    public var canUndo: Bool { !actions.isEmpty }
    /// What would be undone, in a word.
    public var undoActionName: String { actionName }

    /// Registers an action that takes back what was done to an object.
    public func registerUndo<Target: AnyObject>(
        withTarget target: Target,
        handler: @escaping @MainActor (Target) -> Void
    ) {
        actions.append { handler(target) }
    }

    /// Says what would be undone.
    public func setActionName(_ actionName: String) {
        self.actionName = actionName
    }

    /// Takes back what was registered last.
    public func undo() {
        actions.popLast()?()
    }

    /// Forgets everything that was registered.
    public func removeAllActions() {
        actions.removeAll()
    }
}

/// Opens a URL. On Linux nothing opens: the URL is the parameter that whoever asked finds in the answer.
///
/// Source: Apple's OpenURLIntent page.
public struct OpenURLIntent: AppIntent {
    public static let title: LocalizedStringResource = "Open a URL"
    public static let isDiscoverable = false

    /// The URL.
    @Parameter(title: "URL") public var url: URL

    public init() {}

    /// Opens that URL.
    public init(_ url: URL) {
        self.init()
        self.url = url
    }

    /// Opens the URL of an entity.
    public init(_ entity: some URLRepresentableEntity) {
        self.init()
        if let url = entity.urlRepresentation { self.url = url }
    }

    public func perform() async throws -> IntentResultContainer<URL, Never, Never, Never> { .result(value: url) }
}
