public import Foundation

extension AppIntent {
    /// The circumstances under which the run was requested.
    ///
    /// Source: Apple's AppIntent.systemContext page.
    public var systemContext: IntentSystemContext { IntentSystemContext() }

    /// Asks the app to continue in the foreground.
    ///
    /// - Throws: An error in every case, because apps have no foreground on Linux. Check
    ///   ``IntentSystemContext/currentMode`` before the call.
    ///
    /// Source: Apple's AppIntent.continueInForeground page.
    public func continueInForeground(_ dialog: IntentDialog? = nil, alwaysConfirm: Bool = true) async throws {
        throw Self.noForeground(dialog)
    }

    /// Returns the error to throw when the intent can continue only in the foreground.
    ///
    /// Source: Apple's AppIntent.needsToContinueInForegroundError page.
    public func needsToContinueInForegroundError(
        _ dialog: IntentDialog? = nil,
        alwaysConfirm: Bool = true
    ) -> AppIntentError {
        Self.noForeground(dialog)
    }

    fileprivate static func noForeground(_ dialog: IntentDialog?) -> AppIntentError {
        let appText = dialog.map { " The app's message: \($0.full.text)" } ?? ""
        return AppIntentError(
            .failed(
                .noForeground,
                LocalizedStringResource(
                    stringLiteral: """
                        cannot continue the intent '\(persistentIdentifier)' in the foreground: apps have no \
                        foreground on Linux.\(appText)
                        """
                )
            )
        )
    }

    /// The kinds of process in which an intent may run. Ignored on Linux, where each run has its own process.
    public typealias ExecutionTargets = IntentExecutionTargets
}

/// An intent that can continue in the foreground. Earlier Apple systems require this conformance.
///
/// Source: Apple's ForegroundContinuableIntent page.
@_alwaysEmitConformanceMetadata
public protocol ForegroundContinuableIntent: AppIntent {}

extension ForegroundContinuableIntent {
    /// Returns the error to throw when the intent can continue only in the foreground.
    ///
    /// - Parameter continuation: The work to perform in the foreground. Linux never calls this closure.
    public func needsToContinueInForegroundError(
        _ dialog: IntentDialog? = nil,
        continuation: (@MainActor () async throws -> Void)? = nil
    ) -> AppIntentError {
        Self.noForeground(dialog)
    }

    /// Asks the app to continue in the foreground.
    ///
    /// - Throws: An error in every case, because apps have no foreground on Linux.
    public func requestToContinueInForeground(_ dialog: IntentDialog? = nil) async throws {
        throw Self.noForeground(dialog)
    }

    /// Asks the app to continue in the foreground, and returns what the continuation returns there.
    ///
    /// - Parameter continuation: The work to perform in the foreground. Linux never calls this closure.
    /// - Throws: An error in every case, because apps have no foreground on Linux.
    @discardableResult
    public func requestToContinueInForeground<Result: Sendable>(
        _ dialog: IntentDialog? = nil,
        continuation: @escaping @MainActor () async throws -> Result
    ) async throws -> Result {
        throw Self.noForeground(dialog)
    }
}

/// The circumstances under which a run was requested.
///
/// Source: Apple's IntentSystemContext page.
public struct IntentSystemContext: Sendable {
    /// The mode in which the run executes. On Linux, it is always the background.
    public var currentMode: IntentModes.Current { .background }
    /// The time at which a person pressed a button of the device. On Linux, it is always nil.
    public var preciseTimestamp: Date? { nil }
    /// True if results are only spoken. On Linux, it is always false.
    public var isVoiceOnly: Bool { false }
}

/// The kinds of process in which an intent may run. Ignored on Linux.
///
/// Source: Apple's IntentExecutionTargets page.
public struct IntentExecutionTargets: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Every kind of process.
    public static let `default`: IntentExecutionTargets = [.main, .appIntentsExtension, .widgetKitExtension]
    /// The app's process.
    public static let main = IntentExecutionTargets(rawValue: 1 << 0)
    /// An extension that contains only intents.
    public static let appIntentsExtension = IntentExecutionTargets(rawValue: 1 << 1)
    /// An extension that contains widgets.
    public static let widgetKitExtension = IntentExecutionTargets(rawValue: 1 << 2)
}
