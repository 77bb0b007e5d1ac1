extension AppIntent {
    /// Where and how the run was asked for.
    ///
    /// Source: Apple's AppIntent.systemContext page.
    public var systemContext: IntentSystemContext { IntentSystemContext() }

    /// Asks for the app to come to the foreground.
    ///
    /// - Throws: Always: on Linux no app has a foreground. ``IntentSystemContext/currentMode`` says so beforehand.
    ///
    /// Source: Apple's AppIntent.continueInForeground page.
    public func continueInForeground(_ dialog: IntentDialog? = nil, alwaysConfirm: Bool = true) async throws {
        throw Self.noForeground(dialog)
    }

    /// The error to throw when the intent goes on only in the foreground.
    ///
    /// Source: Apple's AppIntent.needsToContinueInForegroundError page.
    public func needsToContinueInForegroundError(
        _ dialog: IntentDialog? = nil,
        alwaysConfirm: Bool = true
    ) -> AppIntentError {
        Self.noForeground(dialog)
    }

    fileprivate static func noForeground(_ dialog: IntentDialog?) -> AppIntentError {
        let wish = dialog.map { " It says: \($0.full.text)" } ?? ""
        return AppIntentError(
            .failed(
                .noForeground,
                LocalizedStringResource(
                    stringLiteral: """
                        the intent '\(persistentIdentifier)' asks to go on in the app's foreground, and on Linux no app \
                        has one.\(wish)
                        """
                )
            )
        )
    }

    /// Which process may run the intent; without meaning on Linux, where each run has its own.
    public typealias ExecutionTargets = IntentExecutionTargets
}

/// An intent of earlier systems that may ask for the foreground.
///
/// Source: Apple's ForegroundContinuableIntent page.
@_alwaysEmitConformanceMetadata
public protocol ForegroundContinuableIntent: AppIntent {}

extension ForegroundContinuableIntent {
    /// The error to throw when the intent goes on only in the foreground.
    ///
    /// - Parameter continuation: Would run there; on Linux it does not.
    public func needsToContinueInForegroundError(
        _ dialog: IntentDialog? = nil,
        continuation: (@Sendable @MainActor () -> Void)? = nil
    ) -> AppIntentError {
        Self.noForeground(dialog)
    }

    /// Asks for the app to come to the foreground, and goes on there.
    ///
    /// - Throws: Always: on Linux no app has a foreground.
    public func requestToContinueInForeground(
        _ dialog: IntentDialog? = nil,
        continuation: (@Sendable @MainActor () -> Void)? = nil
    ) async throws {
        throw Self.noForeground(dialog)
    }
}

/// Where and how a run was asked for.
///
/// Source: Apple's IntentSystemContext page.
public struct IntentSystemContext: Sendable {
    /// Always in the background.
    public var currentMode: IntentModes.Current { .background }
    /// False: answers are read.
    public var isVoiceOnly: Bool { false }
}

/// The kinds of process that may run an intent; without meaning on Linux.
///
/// Source: Apple's IntentExecutionTargets page.
public struct IntentExecutionTargets: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The app itself.
    public static let main = IntentExecutionTargets(rawValue: 1 << 0)
    /// A program that holds intents alone.
    public static let appIntentsExtension = IntentExecutionTargets(rawValue: 1 << 1)
    /// A program that holds widgets.
    public static let widgetKitExtension = IntentExecutionTargets(rawValue: 1 << 2)
}
