package import IntentWire

/// Rules that the operator wrote for intents that the app does not have, or wrote twice for one intent.
package struct MisfitRules: Error, Equatable, Sendable {
    /// The mistake.
    package let message: String
}

extension InstalledApp {
    /// The app with the rules of each `[Intent NAME]` under the intent's full name.
    ///
    /// `NAME` may omit the suffix `Intent`. A section with an intent's exact name always belongs to that intent.
    ///
    /// - Throws: ``MisfitRules`` when a section or a secret parameter matches nothing, or two sections match one
    ///   intent: the operator meant a rule that would not be applied.
    package func fitted(to catalog: IntentCatalog) throws(MisfitRules) -> InstalledApp {
        let sections = Set(intentLimits.keys).union(intentAccess.keys).union(intentConfirm.keys)
            .union(intentSecretNames.keys)
        var fitted = self
        fitted.isFitted = true
        guard !sections.isEmpty || !secretNames.isEmpty else { return fitted }
        var sectionOfIntent: [String: String] = [:]
        (fitted.intentLimits, fitted.intentAccess) = ([:], [:])
        (fitted.intentConfirm, fitted.intentSecretNames) = ([:], [:])
        for section in sections.sorted() {
            let intent = try intent(of: section, in: catalog)
            if let earlier = sectionOfIntent.updateValue(section, forKey: intent.name) {
                throw misfit("[Intent \(earlier)] and [Intent \(section)] are both for \(intent.name); keep one")
            }
            fitted.intentLimits[intent.name] = intentLimits[section]
            fitted.intentAccess[intent.name] = intentAccess[section]
            fitted.intentConfirm[intent.name] = intentConfirm[section]
            fitted.intentSecretNames[intent.name] = intentSecretNames[section]
            try check(intentSecretNames[section] ?? [], among: [intent], section: "Intent \(section)")
        }
        try check(secretNames, among: catalog.intents, section: "History")
        return fitted
    }

    private func intent(of section: String, in catalog: IntentCatalog) throws(MisfitRules) -> IntentDeclaration {
        switch catalog.intent(named: section) {
        case .intent(let intent): return intent
        case .ambiguous(let names):
            throw misfit(
                "[Intent \(section)] is short for more than one intent; write \(names.joined(separator: " or ")) in full"
            )
        case .unknown:
            let hint = NearestName.hint(for: section, among: catalog.intents.map(\.name)).map { "; \($0)" } ?? ""
            throw misfit("[Intent \(section)] is for an intent that the app does not have\(hint)")
        }
    }

    private func check(
        _ secrets: Set<String>,
        among intents: [IntentDeclaration],
        section: String
    ) throws(MisfitRules) {
        guard !secrets.isEmpty else { return }
        let parameters = Set(intents.lazy.flatMap(\.parameters).map(\.name))
        guard let unknown = secrets.subtracting(parameters).min() else { return }
        let hint = NearestName.hint(for: unknown, among: parameters.sorted()).map { "; \($0)" } ?? ""
        throw misfit("Secret= of [\(section)] has '\(unknown)', which is not the name of a parameter\(hint)")
    }

    private func misfit(_ text: String) -> MisfitRules { MisfitRules(message: "\(name).conf: \(text)") }
}
