public import Foundation
import IntentWire

/// An error whose meaning `intentd` knows, or one with words for people.
///
/// Source: Apple's AppIntentError page.
public struct AppIntentError: Error, CustomLocalizedStringResourceConvertible {
    /// What programs know an error by: a word that stays.
    struct Code: Sendable, Hashable {
        let text: String

        init(_ text: String) {
            self.text = text
        }

        static let noForeground = Code("noForeground")
    }

    /// What the error means.
    enum Meaning: Sendable {
        /// Without a code it is one of the app's own.
        case failed(Code?, LocalizedStringResource)
        /// The run would have to know this to go on.
        case unanswered(OpenQuestion)
        /// `perform()` is to begin again.
        case restart
    }

    let meaning: Meaning

    init(_ meaning: Meaning) {
        self.meaning = meaning
    }

    /// An error with words of the app.
    public init(description: LocalizedStringResource) {
        self.init(.failed(nil, description))
    }

    /// One of the errors below with words of the app.
    ///
    /// Of another error the words alone are kept; Apple's own ends the process.
    public init(predefinedError: AppIntentError, description: LocalizedStringResource) {
        self.init(.failed(predefinedError.code, description))
    }

    /// The words of another error.
    // Disfavoured: an error that is both says itself which one it stands for.
    @_disfavoredOverload
    public init(wrapping error: some CustomLocalizedStringResourceConvertible & Error) {
        self.init(.failed(Code(ErrorMessage.typeAndCase(of: error)), error.localizedStringResource))
    }

    /// The error that another one stands for.
    public init(wrapping convertible: some CustomAppIntentErrorConvertible) {
        self = convertible.appIntentError
    }

    /// The error's words.
    public var localizedStringResource: LocalizedStringResource {
        switch meaning {
        case .failed(_, let description): description
        case .unanswered(let question): LocalizedStringResource(stringLiteral: question.wholeText)
        case .restart: "The intent asks to be performed again."
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
    /// Thrown out of `perform()` it has the run begin again with `perform()`, with the values that its parameters have then.
    ///
    /// Nothing of what was done is undone. The run's time is not begun again, and ends an intent that asks for ever.
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
    /// Something that the person has not allowed.
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
        /// The app may not know what the person concentrates on.
        public static let focus = AppIntentError(
            .failed(Code("permissionRequired.focus"), "The app may not know what the person concentrates on.")
        )
        /// The app may not read health data.
        public static let health = AppIntentError(
            .failed(Code("permissionRequired.health"), "The app may not read health data.")
        )
        /// The app may not use the home's devices.
        public static let home = AppIntentError(
            .failed(Code("permissionRequired.home"), "The app may not use the home's devices.")
        )
        /// The app may not use the local network.
        public static let localNetwork = AppIntentError(
            .failed(Code("permissionRequired.localNetwork"), "The app may not use the local network.")
        )
        /// The app may not know the place.
        public static let location = AppIntentError(
            .failed(Code("permissionRequired.location"), "The app may not know the place.")
        )
        /// The app may not read the media library.
        public static let mediaLibrary = AppIntentError(
            .failed(Code("permissionRequired.mediaLibrary"), "The app may not read the media library.")
        )
        /// The app may not use the microphone.
        public static let microphone = AppIntentError(
            .failed(Code("permissionRequired.microphone"), "The app may not use the microphone.")
        )
        /// The app may not know movements.
        public static let motion = AppIntentError(
            .failed(Code("permissionRequired.motion"), "The app may not know movements.")
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
        /// The app may not be asked by voice.
        public static let siri = AppIntentError(
            .failed(Code("permissionRequired.siri"), "The app may not be asked by voice.")
        )
        /// The app may not understand speech.
        public static let speechRecognition = AppIntentError(
            .failed(Code("permissionRequired.speechRecognition"), "The app may not understand speech.")
        )
        /// The app lacks a permission.
        public static let unknown = AppIntentError(
            .failed(Code("permissionRequired.unknown"), "The app lacks a permission.")
        )
    }

    /// Something that the person has to do first.
    ///
    /// Source: Apple's AppIntentError.UserActionRequired page.
    public enum UserActionRequired {
        /// An account has to be set up first.
        public static let accountSetup = AppIntentError(
            .failed(Code("userActionRequired.accountSetup"), "An account has to be set up first.")
        )
        /// This has to be confirmed first.
        public static let confirmation = AppIntentError(
            .failed(Code("userActionRequired.confirmation"), "This has to be confirmed first.")
        )
        /// Somebody has to sign in first.
        public static let signin = AppIntentError(
            .failed(Code("userActionRequired.signin"), "Somebody has to sign in first.")
        )
    }

    /// Something that cannot be mended by trying again.
    ///
    /// Source: Apple's AppIntentError.Unrecoverable page.
    public enum Unrecoverable {
        /// It was not found.
        public static let entityNotFound = AppIntentError(
            .failed(Code("unrecoverable.entityNotFound"), "It was not found.")
        )
        /// This is restricted at the moment.
        public static let featureCurrentlyRestricted = AppIntentError(
            .failed(Code("unrecoverable.featureCurrentlyRestricted"), "This is restricted at the moment.")
        )
        /// The network failed.
        public static let networkFailure = AppIntentError(
            .failed(Code("unrecoverable.networkFailure"), "The network failed.")
        )
        /// This is not allowed.
        public static let notAllowed = AppIntentError(.failed(Code("unrecoverable.notAllowed"), "This is not allowed."))
        /// Something went wrong.
        public static let unknown = AppIntentError(.failed(Code("unrecoverable.unknown"), "Something went wrong."))
    }
}

/// An error of an app that stands for one that `intentd` knows; it wins over the error's own words.
///
/// Source: Apple's CustomAppIntentErrorConvertible page.
public protocol CustomAppIntentErrorConvertible {
    /// The error that it stands for.
    var appIntentError: AppIntentError { get }
}
