/// Where an intent may run: beside the app in the foreground, or without it. Without meaning on Linux, where every
/// intent runs in the background.
///
/// Source: Apple's IntentModes page.
public struct IntentModes: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Without the app.
    public static let background = IntentModes(rawValue: 1 << 0)
    /// With the app in the foreground from the beginning.
    public static let foreground = IntentModes(rawValue: 1 << 1)

    /// With the app in the foreground at some moment.
    public static func foreground(_ mode: ForegroundMode) -> IntentModes {
        switch mode.moment {
        case .immediate: foreground
        case .dynamic: IntentModes(rawValue: 1 << 2)
        case .deferred: IntentModes(rawValue: 1 << 3)
        }
    }

    /// When the app comes to the foreground.
    public struct ForegroundMode: Sendable, Hashable {
        fileprivate enum Moment {
            case immediate
            case dynamic
            case deferred
        }

        fileprivate let moment: Moment

        /// Before the intent runs.
        public static let immediate = ForegroundMode(moment: .immediate)
        /// When the intent asks for it.
        public static let dynamic = ForegroundMode(moment: .dynamic)
        /// After the intent ran.
        public static let deferred = ForegroundMode(moment: .deferred)
    }
}

extension IntentModes {
    /// Where a run is.
    ///
    /// Source: Apple's IntentModes.Current page.
    public struct Current: Sendable, Hashable {
        private let isInForeground: Bool

        /// Without the app.
        public static let background = Current(isInForeground: false)
        /// With the app in the foreground.
        public static let foreground = Current(isInForeground: true)

        /// False: on Linux no app has a foreground.
        public var canContinueInForeground: Bool { false }
    }
}

/// Whom an intent runs for. On Linux the socket's permissions and the app's configuration decide.
///
/// Source: Apple's IntentAuthenticationPolicy page.
public enum IntentAuthenticationPolicy: Sendable {
    case alwaysAllowed
    case requiresAuthentication
    case requiresLocalDeviceAuthentication
}
