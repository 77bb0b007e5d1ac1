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
    /// Where a run registers how it is taken back.
    ///
    /// An intent that is registered here is recorded with the run, and `intentctl undo RUN` performs it, once. A closure
    /// ends with the run's process: until then ``UndoManager/undo()`` calls it, and after it nobody can.
    @MainActor public var undoManager: UndoManager? { .ofRun }
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
