/// The modes in which an intent may run: with its app in the foreground, or in the background. Ignored on Linux, where
/// all intents run in the background.
///
/// Source: Apple's IntentModes page.
public struct IntentModes: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The intent runs without its app in the foreground.
    public static let background = IntentModes(rawValue: 1 << 0)
    /// The app is moved to the foreground before the intent runs.
    public static let foreground = IntentModes(rawValue: 1 << 1)

    /// Returns the mode in which the app is moved to the foreground at the given time.
    public static func foreground(_ mode: ForegroundMode) -> IntentModes {
        switch mode.moment {
        case .immediate: foreground
        case .dynamic: IntentModes(rawValue: 1 << 2)
        case .deferred: IntentModes(rawValue: 1 << 3)
        }
    }

    /// The time at which the app is moved to the foreground.
    public struct ForegroundMode: Sendable, Hashable {
        fileprivate enum Moment {
            case immediate
            case dynamic
            case deferred
        }

        fileprivate let moment: Moment

        /// The app is moved to the foreground before the intent runs.
        public static let immediate = ForegroundMode(moment: .immediate)
        /// The app is moved to the foreground when the intent requests it.
        public static let dynamic = ForegroundMode(moment: .dynamic)
        /// The app is moved to the foreground after the intent has run.
        public static let deferred = ForegroundMode(moment: .deferred)
    }
}

extension IntentModes {
    /// The mode in which a run executes.
    ///
    /// Source: Apple's IntentModes.Current page.
    public struct Current: Sendable, Hashable {
        private let isInForeground: Bool

        /// The run executes without an app in the foreground.
        public static let background = Current(isInForeground: false)
        /// The run executes with its app in the foreground.
        public static let foreground = Current(isInForeground: true)

        /// True if the run can continue in the foreground. On Linux, it is always false.
        public var canContinueInForeground: Bool { false }
    }
}

/// The authentication that an intent requires. On Linux, `intentd` checks whether `[Access]` in the app's configuration
/// names the caller or one of the caller's groups and, if the policy requires it, whether the caller has an active
/// local session.
///
/// Source: Apple's IntentAuthenticationPolicy page.
public enum IntentAuthenticationPolicy: Sendable {
    /// The person does not have to be authenticated.
    case alwaysAllowed
    /// The person must be authenticated.
    case requiresAuthentication
    /// The person must be authenticated on the local device.
    case requiresLocalDeviceAuthentication
}
