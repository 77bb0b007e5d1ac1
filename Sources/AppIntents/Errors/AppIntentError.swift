/// An error whose meaning `intentd` knows, or one with words for people.
///
/// Source: Apple's AppIntentError page.
public struct AppIntentError: Error, CustomLocalizedStringResourceConvertible {
    /// What the error means.
    enum Meaning: Sendable {
        case failed(LocalizedStringResource)
        /// The value of this parameter is missing, and this is the question for it.
        case needsValue(of: any AnyIntentParameter, question: String)
    }

    let meaning: Meaning

    init(_ meaning: Meaning) {
        self.meaning = meaning
    }

    /// An error with words of the app.
    public init(description: LocalizedStringResource) {
        self.init(.failed(description))
    }

    /// One of the errors below with words of the app.
    public init(predefinedError: AppIntentError, description: LocalizedStringResource) {
        self.init(description: description)
    }

    /// The words of another error.
    public init(wrapping error: some CustomLocalizedStringResourceConvertible & Error) {
        self.init(description: error.localizedStringResource)
    }

    /// The error that another one stands for.
    public init(wrapping convertible: some CustomAppIntentErrorConvertible) {
        self = convertible.appIntentError
    }

    /// The error's words.
    public var localizedStringResource: LocalizedStringResource {
        switch meaning {
        case .failed(let description): description
        case .needsValue(_, let question): LocalizedStringResource(stringLiteral: question)
        }
    }
}

extension AppIntentError {
    /// Something that the person has not allowed.
    ///
    /// Source: Apple's AppIntentError.PermissionRequired page.
    public enum PermissionRequired {
        public static let bluetooth = AppIntentError(description: "The app may not use Bluetooth.")
        public static let contacts = AppIntentError(description: "The app may not read contacts.")
        public static let localNetwork = AppIntentError(description: "The app may not use the local network.")
    }

    /// Something that the person has to do first.
    ///
    /// Source: Apple's AppIntentError.UserActionRequired page.
    public enum UserActionRequired {
        public static let accountSetup = AppIntentError(description: "An account has to be set up first.")
        public static let confirmation = AppIntentError(description: "This has to be confirmed first.")
        public static let signin = AppIntentError(description: "Somebody has to sign in first.")
    }

    /// Something that cannot be mended by trying again.
    ///
    /// Source: Apple's AppIntentError.Unrecoverable page.
    public enum Unrecoverable {
        public static let entityNotFound = AppIntentError(description: "It was not found.")
        public static let featureCurrentlyRestricted = AppIntentError(description: "This is restricted at the moment.")
        public static let networkFailure = AppIntentError(description: "The network failed.")
        public static let notAllowed = AppIntentError(description: "This is not allowed.")
    }
}

/// An error of an app that stands for one that `intentd` knows; it wins over the error's own words.
///
/// Source: Apple's CustomAppIntentErrorConvertible page.
public protocol CustomAppIntentErrorConvertible {
    /// The error that it stands for.
    var appIntentError: AppIntentError { get }
}
