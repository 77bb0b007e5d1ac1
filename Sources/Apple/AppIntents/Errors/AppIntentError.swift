public import Foundation
import IntentVocabulary

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
        case unanswered(OpenQuestion)
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
        /// The app is not permitted to use Bluetooth.
        public static let bluetooth = error("bluetooth", "The app is not permitted to use Bluetooth.")
        /// The app is not permitted to read contacts.
        public static let contacts = error("contacts", "The app is not permitted to read contacts.")
        /// The app is not permitted to read calendars.
        public static let calendar = error("calendar", "The app is not permitted to read calendars.")
        /// The app is not permitted to use the camera.
        public static let camera = error("camera", "The app is not permitted to use the camera.")
        /// The app is not permitted to read the Focus status.
        public static let focus = error("focus", "The app is not permitted to read the Focus status.")
        /// The app is not permitted to read health data.
        public static let health = error("health", "The app is not permitted to read health data.")
        /// The app is not permitted to control devices in the home.
        public static let home = error("home", "The app is not permitted to control devices in the home.")
        /// The app is not permitted to use the local network.
        public static let localNetwork = error("localNetwork", "The app is not permitted to use the local network.")
        /// The app is not permitted to read the location.
        public static let location = error("location", "The app is not permitted to read the location.")
        /// The app is not permitted to read the media library.
        public static let mediaLibrary = error("mediaLibrary", "The app is not permitted to read the media library.")
        /// The app is not permitted to use the microphone.
        public static let microphone = error("microphone", "The app is not permitted to use the microphone.")
        /// The app is not permitted to read motion data.
        public static let motion = error("motion", "The app is not permitted to read motion data.")
        /// The app is not permitted to send notifications.
        public static let notifications = error("notifications", "The app is not permitted to send notifications.")
        /// The app is not permitted to read photos.
        public static let photos = error("photos", "The app is not permitted to read photos.")
        /// The app is not permitted to add photos.
        public static let photosAddOnly = error("photosAddOnly", "The app is not permitted to add photos.")
        /// The app is not permitted to read reminders.
        public static let reminders = error("reminders", "The app is not permitted to read reminders.")
        /// The app is not permitted to use Siri.
        public static let siri = error("siri", "The app is not permitted to use Siri.")
        /// The app is not permitted to recognise speech.
        public static let speechRecognition = error(
            "speechRecognition",
            "The app is not permitted to recognise speech."
        )
        /// The app lacks a permission.
        public static let unknown = error("unknown", "The app lacks a permission.")

        private static func error(_ name: String, _ description: LocalizedStringResource) -> AppIntentError {
            AppIntentError(.failed(Code(text: "permissionRequired.\(name)"), description))
        }
    }

    /// Errors for actions that the person must perform first.
    ///
    /// Source: Apple's AppIntentError.UserActionRequired page.
    public enum UserActionRequired {
        /// An account must be set up first.
        public static let accountSetup = error("accountSetup", "An account must be set up first.")
        /// The action must be confirmed first.
        public static let confirmation = error("confirmation", "The action must be confirmed first.")
        /// The person must sign in first.
        public static let signin = error("signin", "Sign in first.")

        private static func error(_ name: String, _ description: LocalizedStringResource) -> AppIntentError {
            AppIntentError(.failed(Code(text: "userActionRequired.\(name)"), description))
        }
    }

    /// Errors that cannot be resolved by a retry.
    ///
    /// Source: Apple's AppIntentError.Unrecoverable page.
    public enum Unrecoverable {
        /// The entity was not found.
        public static let entityNotFound = error("entityNotFound", "The entity was not found.")
        /// The feature is currently restricted.
        public static let featureCurrentlyRestricted = error(
            "featureCurrentlyRestricted",
            "The feature is currently restricted."
        )
        /// The network request failed.
        public static let networkFailure = error("networkFailure", "The network request failed.")
        /// The action is not allowed.
        public static let notAllowed = error("notAllowed", "The action is not allowed.")
        /// An unknown error occurred.
        public static let unknown = error("unknown", "An unknown error occurred.")

        private static func error(_ name: String, _ description: LocalizedStringResource) -> AppIntentError {
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
