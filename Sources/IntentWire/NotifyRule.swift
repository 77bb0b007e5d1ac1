package import IntentProtocol

/// The intents that report the ends of runs (`[Notify]` of an app, or keys of `[Intent NAME]`).
package struct NotifyRule: Hashable, Sendable {
    /// An intent of an app, as the operator wrote it: the suffix `Intent` may be missing.
    package struct Target: Hashable, Sendable {
        package let app: AppName
        package let intent: String

        /// Nil for a text that is not of the form `APP/INTENT`.
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
    /// `After=`: the number of failures in a row that is reported.
    package var after = 1

    package init() {}

    /// All intents that the rule names.
    package var targets: [Target] { [onFailure, onRecovery, onSuccess].compactMap(\.self) }
}

extension NotifyRule.Target: CustomStringConvertible {
    package var description: String { "\(app)/\(intent)" }
}
