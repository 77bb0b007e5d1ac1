import IntentLauncherMessages

/// A user's share of the slots: one word in the value of `Weight=`.
package struct UserWeight: Equatable, Sendable {
    /// The user's name or uid.
    package var user: String
    package var weight: Int

    /// The weight of a user without an entry in `Weight=`.
    package static let standard = 100
    private static let range = 1...10_000
    static let words = "a weight from \(range.lowerBound) to \(range.upperBound)"
    static let form = "USER:WEIGHT, with \(words)"

    init?(_ text: String) {
        let parts = text.split(scalar: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].utf8.isEmpty, let weight = Int(parts[1]), Self.range.contains(weight) else {
            return nil
        }
        user = String(parts[0])
        self.weight = weight
    }
}
