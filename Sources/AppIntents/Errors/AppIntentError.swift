public import Foundation
import IntentWire

/// An error with a meaning that `intentd` knows, or with a text to show to people.
///
/// Source: Apple's AppIntentError page.
public struct AppIntentError: Error, CustomLocalizedStringResourceConvertible {
    /// A stable word by which programs recognise an error.
    struct Code: Sendable, Hashable {
        let text: String

        init(_ text: String) {
            self.text = text
        }

        static let noForeground = Code("noForeground")
    }

    /// The meaning of the error.
    enum Meaning: Sendable {
        /// Without a code, the error is the app's own.
        case failed(Code?, LocalizedStringResource)
        /// The run needs an answer to continue.
        case unanswered(OpenQuestion)
        /// Call `perform()` again.
        case restart
    }

    let meaning: Meaning

    init(_ meaning: Meaning) {
        self.meaning = meaning
    }

    /// An error with the app's own text.
    public init(description: LocalizedStringResource) {
        self.init(.failed(nil, description))
    }

    /// A predefined error with the app's own text.
    ///
    /// If the error is not predefined, only the text is kept. On Apple's systems, the process crashes.
    public init(predefinedError: AppIntentError, description: LocalizedStringResource) {
        self.init(.failed(predefinedError.code, description))
    }

    /// An error with the text of another error.
    // Disfavoured, so that an error that conforms to both protocols is converted to the predefined error it stands for.
    @_disfavoredOverload
    public init(wrapping error: some CustomLocalizedStringResourceConvertible & Error) {
        self.init(.failed(Code(ErrorMessage.typeAndCase(of: error)), error.localizedStringResource))
    }

    /// The predefined error that an app's error stands for.
    public init(wrapping convertible: some CustomAppIntentErrorConvertible) {
        self = convertible.appIntentError
    }

    /// The text to show to people.
    public var localizedStringResource: LocalizedStringResource {
        switch meaning {
        case .failed(_, let description): description
        case .unanswered(let question): LocalizedStringResource(stringLiteral: question.wholeText)
        case .restart: "The intent requests to be performed again."
        }
    }

    var code: Code? {
        switch meaning {
        case .failed(let code, _): code
        case .unanswered(let question): Code("unanswered.\(question.kind.rawValue)")
        case .restart: Code("restartPerform")
        }
    }
}

extension AppIntentError {
    /// Thrown out of `perform()`, it makes the run call `perform()` again with the parameters' current values.
    ///
    /// Nothing is undone. The run's deadline is not extended, so an intent that always throws this error times out.
    ///
    /// Source: Apple's AppIntentError.restartPerform page.
    public static let restartPerform = AppIntentError(.restart)

    var asksForRestart: Bool {
        if case .restart = meaning { true } else { false }
    }
}

extension AppIntentError: LocalizedError {
    public var errorDescription: String? { localizedStringResource.text }
}

extension AppIntentError {
    /// A permission that the person has not granted.
    ///
    /// Source: Apple's AppIntentError.PermissionRequired page.
    public enum PermissionRequired {
        /// The app may not use Bluetooth.
        public static let bluetooth = AppIntentError(
            .failed(Code("permissionRequired.bluetooth"), "The app may not use Bluetooth.")
        )
        /// The app may not read contacts.
        public static let contacts = AppIntentError(
            .failed(Code("permissionRequired.contacts"), "The app may not read contacts.")
        )
        /// The app may not read calendars.
        public static let calendar = AppIntentError(
            .failed(Code("permissionRequired.calendar"), "The app may not read calendars.")
        )
        /// The app may not use the camera.
        public static let camera = AppIntentError(
            .failed(Code("permissionRequired.camera"), "The app may not use the camera.")
        )
        /// The app may not read the Focus status.
        public static let focus = AppIntentError(
            .failed(Code("permissionRequired.focus"), "The app may not read the Focus status.")
        )
        /// The app may not read health data.
        public static let health = AppIntentError(
            .failed(Code("permissionRequired.health"), "The app may not read health data.")
        )
        /// The app may not control devices in the home.
        public static let home = AppIntentError(
            .failed(Code("permissionRequired.home"), "The app may not control devices in the home.")
        )
        /// The app may not use the local network.
        public static let localNetwork = AppIntentError(
            .failed(Code("permissionRequired.localNetwork"), "The app may not use the local network.")
        )
        /// The app may not read the location.
        public static let location = AppIntentError(
            .failed(Code("permissionRequired.location"), "The app may not read the location.")
        )
        /// The app may not read the media library.
        public static let mediaLibrary = AppIntentError(
            .failed(Code("permissionRequired.mediaLibrary"), "The app may not read the media library.")
        )
        /// The app may not use the microphone.
        public static let microphone = AppIntentError(
            .failed(Code("permissionRequired.microphone"), "The app may not use the microphone.")
        )
        /// The app may not read motion data.
        public static let motion = AppIntentError(
            .failed(Code("permissionRequired.motion"), "The app may not read motion data.")
        )
        /// The app may not send notifications.
        public static let notifications = AppIntentError(
            .failed(Code("permissionRequired.notifications"), "The app may not send notifications.")
        )
        /// The app may not read photos.
        public static let photos = AppIntentError(
            .failed(Code("permissionRequired.photos"), "The app may not read photos.")
        )
        /// The app may not add photos.
        public static let photosAddOnly = AppIntentError(
            .failed(Code("permissionRequired.photosAddOnly"), "The app may not add photos.")
        )
        /// The app may not read reminders.
        public static let reminders = AppIntentError(
            .failed(Code("permissionRequired.reminders"), "The app may not read reminders.")
        )
        /// The app may not be used with Siri.
        public static let siri = AppIntentError(
            .failed(Code("permissionRequired.siri"), "The app may not be used with Siri.")
        )
        /// The app may not recognise speech.
        public static let speechRecognition = AppIntentError(
            .failed(Code("permissionRequired.speechRecognition"), "The app may not recognise speech.")
        )
        /// The app lacks a permission.
        public static let unknown = AppIntentError(
            .failed(Code("permissionRequired.unknown"), "The app lacks a permission.")
        )
    }

    /// An action that the person must take first.
    ///
    /// Source: Apple's AppIntentError.UserActionRequired page.
    public enum UserActionRequired {
        /// An account must be set up first.
        public static let accountSetup = AppIntentError(
            .failed(Code("userActionRequired.accountSetup"), "An account must be set up first.")
        )
        /// The action must be confirmed first.
        public static let confirmation = AppIntentError(
            .failed(Code("userActionRequired.confirmation"), "This must be confirmed first.")
        )
        /// The person must sign in first.
        public static let signin = AppIntentError(
            .failed(Code("userActionRequired.signin"), "Sign in first.")
        )
    }

    /// An error that a retry does not fix.
    ///
    /// Source: Apple's AppIntentError.Unrecoverable page.
    public enum Unrecoverable {
        /// The entity was not found.
        public static let entityNotFound = AppIntentError(
            .failed(Code("unrecoverable.entityNotFound"), "The entity was not found.")
        )
        /// The feature is restricted at present.
        public static let featureCurrentlyRestricted = AppIntentError(
            .failed(Code("unrecoverable.featureCurrentlyRestricted"), "The feature is restricted at present.")
        )
        /// The network failed.
        public static let networkFailure = AppIntentError(
            .failed(Code("unrecoverable.networkFailure"), "The network failed.")
        )
        /// The action is not allowed.
        public static let notAllowed = AppIntentError(
            .failed(Code("unrecoverable.notAllowed"), "The action is not allowed.")
        )
        /// An unknown error.
        public static let unknown = AppIntentError(.failed(Code("unrecoverable.unknown"), "Something went wrong."))
    }
}

/// An app's error that stands for a predefined one, and replaces its text.
///
/// Source: Apple's CustomAppIntentErrorConvertible page.
public protocol CustomAppIntentErrorConvertible {
    /// The corresponding predefined error.
    var appIntentError: AppIntentError { get }
}
