/// The intents that are performed as notifications, from `[Notify]` or from keys of `[Intent NAME]`.
package struct NotifyRule: Hashable, Sendable {
    /// An intent to perform, in the form `APP/INTENT`. The suffix `Intent` of its name may be omitted.
    package struct Target: Hashable, Sendable {
        package let app: AppName
        package let intent: String

        /// Parses `APP/INTENT`. Returns nil for any other string.
        package init?(_ text: String) {
            let parts = text.split(scalar: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let app = AppName(parts[0]), !parts[1].utf8.isEmpty,
                !parts[1].unicodeScalars.contains(where: \.properties.isWhitespace)
            else { return nil }
            self.app = app
            intent = String(parts[1])
        }
    }

    /// `OnFailure=`: the intent to perform after a failed run.
    package var onFailure: Target?
    /// `OnRecovery=`: the intent to perform after the first successful run that follows a reported failure.
    package var onRecovery: Target?
    /// `OnSuccess=`: the intent to perform after a successful run.
    package var onSuccess: Target?
    /// `OnQuestion=`: the intent to perform when a run waits for an answer, and again before the question expires.
    package var onQuestion: Target?
    /// `ExpectEvery=`: the time within which each schedule must have a success; nil if none is expected.
    package var expectEvery: Duration?
    /// `After=`: the number of consecutive failures before `OnFailure=` is performed.
    package var after = 1

    package init() {}

    /// All intents that the rule names.
    package var targets: [Target] { [onFailure, onRecovery, onSuccess, onQuestion].compactMap(\.self) }
}

extension NotifyRule.Target: CustomStringConvertible {
    package var description: String { "\(app)/\(intent)" }
}

extension NotifyRule.Target: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let target = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected APP/INTENT")
        }
        self = target
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
