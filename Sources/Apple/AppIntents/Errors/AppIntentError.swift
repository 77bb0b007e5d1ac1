public import Foundation
import IntentSharedTypes

/// An error with a predefined meaning, or with a message to show to people.
///
/// Source: Apple's AppIntentError page.
public struct AppIntentError: Error, CustomLocalizedStringResourceConvertible {
    /// A stable identifier by which programs recognise the error.
    struct Code: Sendable, Hashable {
        let text: String

        static let noForeground = Code(text: "noForeground")
    }

    /// The meaning of the error.
    enum Meaning: Sendable {
        /// A failure. If the code is nil, the app defined the error.
        case failed(Code?, LocalizedStringResource)
        /// A question that must be answered before the run can continue.
        case unanswered(AskedQuestion)
        /// A request to perform the intent again.
        case restart
    }

    let meaning: Meaning

    init(_ meaning: Meaning) {
        self.meaning = meaning
    }

    /// Creates an error with a message from the app.
    public init(description: LocalizedStringResource) {
        self.init(.failed(nil, description))
    }

    /// Creates a predefined error with a message from the app.
    ///
    /// If `predefinedError` is not one of the predefined errors, only the message is used. On Apple's systems, the
    /// process crashes.
    public init(predefinedError: AppIntentError, description: LocalizedStringResource) {
        self.init(.failed(predefinedError.code, description))
    }

    /// Creates an error with the message of another error.
    // Disfavoured so that an error that conforms to both protocols is converted to its predefined error.
    @_disfavoredOverload
    public init(wrapping error: some CustomLocalizedStringResourceConvertible & Error) {
        self.init(.failed(Code(text: ErrorMessage.typeAndCase(of: error)), error.localizedStringResource))
    }

    /// Creates the predefined error to which an app's error corresponds.
    public init(wrapping convertible: some CustomAppIntentErrorConvertible) {
        self = convertible.appIntentError
    }

    /// The error message to show to people.
    public var localizedStringResource: LocalizedStringResource {
        switch meaning {
        case .failed(_, let description): description
        case .unanswered(let question): LocalizedStringResource(stringLiteral: question.textWithChoices)
        case .restart: "The intent requested that it be performed again."
        }
    }

    var code: Code? {
        switch meaning {
        case .failed(let code, _): code
        case .unanswered(let question): Code(text: "unanswered.\(question.kind.rawValue)")
        case .restart: Code(text: "restartPerform")
        }
    }
}

extension AppIntentError {
    /// An error that `perform()` throws to be called again, with the current values of the parameters.
    ///
    /// The effects of the first call remain. The run's deadline is not extended, so an intent that always throws this
    /// error times out.
    ///
    /// Source: Apple's AppIntentError.restartPerform page.
    public static let restartPerform = AppIntentError(.restart)

    var requestsRestart: Bool {
        if case .restart = meaning { true } else { false }
    }
}

extension AppIntentError: LocalizedError {
    public var errorDescription: String? { localizedStringResource.text }
}

extension AppIntentError {
    /// Errors for permissions that the person has not granted.
    ///
    /// Source: Apple's AppIntentError.PermissionRequired page.
    public enum PermissionRequired {
        static func error(_ name: String, _ description: LocalizedStringResource) -> AppIntentError {
            AppIntentError(.failed(Code(text: "permissionRequired.\(name)"), description))
        }
    }

    /// Errors for actions that the person must perform first.
    ///
    /// Source: Apple's AppIntentError.UserActionRequired page.
    public enum UserActionRequired {
        /// The person must sign in first.
        public static let signin = error("signin", "Sign in first.")

        static func error(_ name: String, _ description: LocalizedStringResource) -> AppIntentError {
            AppIntentError(.failed(Code(text: "userActionRequired.\(name)"), description))
        }
    }

    /// Errors that cannot be resolved by a retry.
    ///
    /// Source: Apple's AppIntentError.Unrecoverable page.
    public enum Unrecoverable {
        static func error(_ name: String, _ description: LocalizedStringResource) -> AppIntentError {
            AppIntentError(.failed(Code(text: "unrecoverable.\(name)"), description))
        }
    }
}

/// An app's error that is reported as a predefined error, with the predefined error's code and message.
///
/// Source: Apple's CustomAppIntentErrorConvertible page.
public protocol CustomAppIntentErrorConvertible {
    /// The predefined error that corresponds to this error.
    var appIntentError: AppIntentError { get }
}
