package import IntentProtocol

/// The intents to perform when a run has ended (`[Notify]` of an app, or keys of `[Intent NAME]`).
package struct NotifyRule: Hashable, Sendable {
    /// An intent of an app, as the operator wrote it, with or without the suffix `Intent`.
    package struct Target: Hashable, Sendable {
        package let app: AppName
        package let intent: String

        /// Parses a text of the form `APP/INTENT`; nil for any other text.
        package init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let app = AppName(parts[0]), !parts[1].isEmpty,
                !parts[1].unicodeScalars.contains(where: \.properties.isWhitespace)
            else { return nil }
            self.app = app
            intent = String(parts[1])
        }
    }

    /// `OnFailure=`.
    package var onFailure: Target?
    /// `OnRecovery=`.
    package var onRecovery: Target?
    /// `OnSuccess=`.
    package var onSuccess: Target?
    /// `After=`: the number of consecutive failures after which a failure is reported.
    package var after = 1

    package init() {}

    /// All intents that the rule names.
    package var targets: [Target] { [onFailure, onRecovery, onSuccess].compactMap(\.self) }
}

extension NotifyRule.Target: CustomStringConvertible {
    package var description: String { "\(app)/\(intent)" }
}
