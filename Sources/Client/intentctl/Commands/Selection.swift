/// An app and optionally an intent, as specified on a command line.
package struct Selection: Equatable, Sendable {
    package var app: String
    package var intent: String?

    /// Parses `APP` or `APP/INTENT`.
    package init(_ word: String) {
        let parts = word.split(scalar: "/", maxSplits: 1, omittingEmptySubsequences: false)
        app = String(parts[0])
        intent = parts.count > 1 ? String(parts[1]) : nil
    }

    /// Returns the app's intent with this name.
    ///
    /// - Throws: ``CommandFailure`` with a hint that names the most similar intent.
    package static func find(_ name: String, in app: AppDescription) throws(CommandFailure) -> IntentDeclaration {
        guard let intents = app.intents else {
            throw CommandFailure(
                .brokenApp,
                "app '\(app.name)' cannot report its intents" + (app.problem.map { ": \($0)" } ?? ""),
                hint: "run '\(app.executable)' in a shell to find the cause"
            )
        }
        if let intent = app.intent(named: name) { return intent }
        // Also compare names without the suffix `Intent`. With the suffix, names differ greatly from a short word.
        let names = intents.flatMap {
            $0.name.hasSuffix(utf8: "Intent") ? [$0.name, String($0.name.dropLast(scalars: 6))] : [$0.name]
        }
        throw CommandFailure(
            .unknownIntent,
            "app '\(app.name)' has no intent '\(WireCoding.excerpt(name))'",
            hint: NearestName.hint(for: name, among: names) ?? "'intentctl list \(app.name)' lists its intents"
        )
    }
}
