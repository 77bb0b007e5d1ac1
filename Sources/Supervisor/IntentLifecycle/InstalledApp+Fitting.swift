package import IntentLauncherMessages

/// An error in a unit file: rules for an intent that the app does not have, or two sets of rules for one intent.
package struct MisfitRules: Error, Equatable, Sendable {
    /// The description of the error, for operators and callers.
    package let message: String
}

extension InstalledApp {
    /// Returns the app with the rules of each `[Intent NAME]` section stored under the intent's full name.
    ///
    /// `NAME` may omit the suffix `Intent`. A section with an intent's exact name always belongs to that intent.
    ///
    /// - Throws: ``MisfitRules`` when a section or a secret parameter matches nothing, or two sections match one
    ///   intent. Without the error, the operator's rule would silently have no effect.
    package func fitted(to catalog: IntentCatalog) throws(MisfitRules) -> InstalledApp {
        var fitted = self
        fitted.isFitted = true
        fitted.declaresTools = catalog.intents.contains(where: \.isTool)
        guard !intentRules.isEmpty || !secretNames.isEmpty || !concurrency.parameters.isEmpty else {
            return fitted
        }
        var sectionOfIntent: [String: String] = [:]
        fitted.intentRules = [:]
        for (section, rules) in intentRules.sorted(by: { $0.key < $1.key }) {
            let intent = try intent(of: section, in: catalog)
            if let earlier = sectionOfIntent.updateValue(section, forKey: intent.name) {
                throw misfit("[Intent \(earlier)] and [Intent \(section)] both match \(intent.name); remove one")
            }
            fitted.intentRules[intent.name] = rules
            try check(rules.secretNames ?? [], among: [intent], section: "Intent \(section)")
        }
        try check(secretNames, among: catalog.intents, section: "History")
        try fitted.checkConcurrency(among: catalog.intents)
        return fitted
    }

    private func intent(of section: String, in catalog: IntentCatalog) throws(MisfitRules) -> IntentDeclaration {
        switch catalog.intent(named: section) {
        case .intent(let intent): return intent
        case .ambiguous(let names):
            throw misfit(
                "[Intent \(section)] matches more than one intent; write the full name: \(names.joined(separator: " or "))"
            )
        case .unknown:
            let hint = NearestName.hint(for: section, among: catalog.intents.map(\.name)).map { "; \($0)" } ?? ""
            throw misfit("[Intent \(section)]: the app has no such intent\(hint)")
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
        throw misfit("Secret= in [\(section)]: unknown parameter '\(unknown)'\(hint)")
    }

    /// Checks the parameters that `by=` names in the app's `Concurrency=` rules.
    ///
    /// - Throws: ``MisfitRules`` when `by=` names an unknown parameter, a secret parameter or a parameter that accepts
    ///   files.
    private func checkConcurrency(among intents: [IntentDeclaration]) throws(MisfitRules) {
        for parameter in concurrency.parameters { try checkKey(parameter, of: intents, section: "Limits") }
        for intent in intents {
            for parameter in intentRules[intent.name]?.concurrency?.parameters ?? [] {
                try checkKey(parameter, of: [intent], section: "Intent \(intent.name)")
            }
        }
    }

    private func checkKey(
        _ name: String,
        of intents: [IntentDeclaration],
        section: String
    ) throws(MisfitRules) {
        let text = "Concurrency= of [\(section)] has by=\(name)"
        let owners = intents.filter { $0.parameters.contains { $0.name == name } }
        if owners.isEmpty {
            let names = Set(intents.lazy.flatMap(\.parameters).map(\.name)).sorted()
            let list = "the parameters are \(names.joined(separator: ", "))"
            let hint = NearestName.hint(for: name, among: names) ?? list
            throw misfit("\(text), which is not the name of a parameter; \(hint)")
        }
        if owners.contains(where: { secretNames(of: $0).contains(name) }) {
            // Refuse a secret parameter: how long a run waits, and the reason that its caller receives, would reveal
            // the value.
            throw misfit("\(text), but the values of that parameter are secret; name another parameter")
        }
        if owners.lazy.flatMap(\.parameters).contains(where: { $0.name == name && $0.type.isOfFiles }) {
            throw misfit("\(text), but files cannot be compared; name another parameter")
        }
    }

    private func misfit(_ text: String) -> MisfitRules { MisfitRules(message: "\(name).conf: \(text)") }
}

extension ValueType {
    fileprivate var isOfFiles: Bool {
        switch self {
        case .file: true
        case .array(let element): element.isOfFiles
        case .string, .int, .double, .bool, .date, .url, .duration, .enumeration, .entity, .object, .decimal,
            .measurement, .currencyAmount, .dateComponents, .unknown:
            false
        }
    }
}

extension IntentDeclaration {
    /// True if the app declares the intent as a tool (`ToolIntent`).
    var isTool: Bool { details?.protocols?.contains("ToolIntent") == true }
}
