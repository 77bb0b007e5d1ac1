extension AppIntent {
    /// The circumstances in which the run was requested.
    ///
    /// Source: Apple's AppIntent.systemContext page.
    public var systemContext: IntentSystemContext { IntentSystemContext() }

    /// Requests that the app continue in the foreground.
    ///
    /// - Throws: Always throws an error, because Linux apps have no foreground. Check
    ///   ``IntentSystemContext/currentMode`` first.
    ///
    /// Source: Apple's AppIntent.continueInForeground page.
    public func continueInForeground(_ dialog: IntentDialog? = nil, alwaysConfirm: Bool = true) async throws {
        throw Self.noForeground(dialog)
    }

    /// Returns the error to throw if the intent can continue only in the foreground.
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
                        cannot continue the intent '\(persistentIdentifier)' in the foreground: Linux apps have \
                        none.\(appText)
                        """
                )
            )
        )
    }

    /// The kinds of process that may run an intent. Ignored on Linux, where each run has its own process.
    public typealias ExecutionTargets = IntentExecutionTargets
}

/// An intent that can continue in the foreground. Apple's earlier systems need this declaration.
///
/// Source: Apple's ForegroundContinuableIntent page.
@_alwaysEmitConformanceMetadata
public protocol ForegroundContinuableIntent: AppIntent {}

extension ForegroundContinuableIntent {
    /// Returns the error to throw if the intent can continue only in the foreground.
    ///
    /// - Parameter continuation: The work to do in the foreground. Never called on Linux.
    public func needsToContinueInForegroundError(
        _ dialog: IntentDialog? = nil,
        continuation: (@Sendable @MainActor () -> Void)? = nil
    ) -> AppIntentError {
        Self.noForeground(dialog)
    }

    /// Requests that the app continue in the foreground.
    ///
    /// - Throws: Always throws an error, because Linux apps have no foreground.
    public func requestToContinueInForeground(
        _ dialog: IntentDialog? = nil,
        continuation: (@Sendable @MainActor () -> Void)? = nil
    ) async throws {
        throw Self.noForeground(dialog)
    }
}

/// The circumstances in which a run was requested.
///
/// Source: Apple's IntentSystemContext page.
public struct IntentSystemContext: Sendable {
    /// The mode of the run. On Linux it is always the background.
    public var currentMode: IntentModes.Current { .background }
    /// Whether results are only spoken. On Linux it is always false.
    public var isVoiceOnly: Bool { false }
}

/// The kinds of process that may run an intent. Ignored on Linux.
///
/// Source: Apple's IntentExecutionTargets page.
public struct IntentExecutionTargets: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The app.
    public static let main = IntentExecutionTargets(rawValue: 1 << 0)
    /// An extension that contains only intents.
    public static let appIntentsExtension = IntentExecutionTargets(rawValue: 1 << 1)
    /// An extension that contains widgets.
    public static let widgetKitExtension = IntentExecutionTargets(rawValue: 1 << 2)
}
