/// The modes in which an intent may run: with the app in the foreground, or without the app. Ignored on Linux, where
/// every intent runs in the background.
///
/// Source: Apple's IntentModes page.
public struct IntentModes: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The intent runs without the app.
    public static let background = IntentModes(rawValue: 1 << 0)
    /// The app is in the foreground from the start.
    public static let foreground = IntentModes(rawValue: 1 << 1)

    /// Returns the mode in which the app moves to the foreground at the given moment.
    public static func foreground(_ mode: ForegroundMode) -> IntentModes {
        switch mode.moment {
        case .immediate: foreground
        case .dynamic: IntentModes(rawValue: 1 << 2)
        case .deferred: IntentModes(rawValue: 1 << 3)
        }
    }

    /// The moment at which the app moves to the foreground.
    public struct ForegroundMode: Sendable, Hashable {
        fileprivate enum Moment {
            case immediate
            case dynamic
            case deferred
        }

        fileprivate let moment: Moment

        /// Before the intent runs.
        public static let immediate = ForegroundMode(moment: .immediate)
        /// When the intent requests it.
        public static let dynamic = ForegroundMode(moment: .dynamic)
        /// After the intent has run.
        public static let deferred = ForegroundMode(moment: .deferred)
    }
}

extension IntentModes {
    /// The mode of a run.
    ///
    /// Source: Apple's IntentModes.Current page.
    public struct Current: Sendable, Hashable {
        private let isInForeground: Bool

        /// The run has no app in the foreground.
        public static let background = Current(isInForeground: false)
        /// The run's app is in the foreground.
        public static let foreground = Current(isInForeground: true)

        /// Whether the run can continue in the foreground: on Linux always false.
        public var canContinueInForeground: Bool { false }
    }
}

/// The authentication that an intent requires. On Linux, `intentd` checks it against the caller and `[Access]` of the
/// app's configuration.
///
/// Source: Apple's IntentAuthenticationPolicy page.
public enum IntentAuthenticationPolicy: Sendable {
    /// The person need not be authenticated.
    case alwaysAllowed
    /// The person must be authenticated.
    case requiresAuthentication
    /// The person must be authenticated on the local device.
    case requiresLocalDeviceAuthentication
}
