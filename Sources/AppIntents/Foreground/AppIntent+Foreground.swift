extension AppIntent {
    /// How the run was requested.
    ///
    /// Source: Apple's AppIntent.systemContext page.
    public var systemContext: IntentSystemContext { IntentSystemContext() }

    /// Requests to bring the app to the foreground.
    ///
    /// - Throws: An error, always: Linux apps have no foreground. Check ``IntentSystemContext/currentMode``
    ///   first.
    ///
    /// Source: Apple's AppIntent.continueInForeground page.
    public func continueInForeground(_ dialog: IntentDialog? = nil, alwaysConfirm: Bool = true) async throws {
        throw Self.noForeground(dialog)
    }

    /// The error to throw when the intent can continue only in the foreground.
    ///
    /// Source: Apple's AppIntent.needsToContinueInForegroundError page.
    public func needsToContinueInForegroundError(
        _ dialog: IntentDialog? = nil,
        alwaysConfirm: Bool = true
    ) -> AppIntentError {
        Self.noForeground(dialog)
    }

    fileprivate static func noForeground(_ dialog: IntentDialog?) -> AppIntentError {
        let appText = dialog.map { " The app says: \($0.full.text)" } ?? ""
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

    /// The process that may run the intent. Ignored on Linux, where each run has its own process.
    public typealias ExecutionTargets = IntentExecutionTargets
}

/// An intent that may request the foreground, as declared on earlier systems.
///
/// Source: Apple's ForegroundContinuableIntent page.
@_alwaysEmitConformanceMetadata
public protocol ForegroundContinuableIntent: AppIntent {}

extension ForegroundContinuableIntent {
    /// The error to throw when the intent can continue only in the foreground.
    ///
    /// - Parameter continuation: The work for the foreground, which Linux never calls.
    public func needsToContinueInForegroundError(
        _ dialog: IntentDialog? = nil,
        continuation: (@Sendable @MainActor () -> Void)? = nil
    ) -> AppIntentError {
        Self.noForeground(dialog)
    }

    /// Requests to bring the app to the foreground, and continues there.
    ///
    /// - Throws: An error, always: Linux apps have no foreground.
    public func requestToContinueInForeground(
        _ dialog: IntentDialog? = nil,
        continuation: (@Sendable @MainActor () -> Void)? = nil
    ) async throws {
        throw Self.noForeground(dialog)
    }
}

/// How a run was requested.
///
/// Source: Apple's IntentSystemContext page.
public struct IntentSystemContext: Sendable {
    /// The mode of the run: on Linux always the background.
    public var currentMode: IntentModes.Current { .background }
    /// Whether results are only spoken: on Linux always false.
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
    /// An extension that holds only intents.
    public static let appIntentsExtension = IntentExecutionTargets(rawValue: 1 << 1)
    /// An extension that holds widgets.
    public static let widgetKitExtension = IntentExecutionTargets(rawValue: 1 << 2)
}
