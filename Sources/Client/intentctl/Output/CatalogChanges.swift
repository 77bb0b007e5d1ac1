import IntentLinux

/// The differences between two catalogues of an app, as lines for a person who reviews them.
package struct CatalogChanges: Equatable, Sendable {
    package enum Kind: String, Sendable { case added, removed, changed }

    package struct Change: Equatable, Sendable {
        package var kind: Kind
        package var intent: String
        /// What changed, each as a sentence; empty for an intent that was added or removed.
        package var details: [String]
    }

    package private(set) var changes: [Change] = []

    package init(from old: [IntentDeclaration], to new: [IntentDeclaration]) {
        let earlier = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
        let later = Dictionary(new.map { ($0.name, $0) }) { first, _ in first }
        for name in Set(earlier.keys).union(later.keys).sorted() {
            switch (earlier[name], later[name]) {
            case (nil, let intent?):
                let summary = [intent.summary].compactMap(\.self).map { SafeText.quoted($0) }
                changes.append(Change(kind: .added, intent: name, details: summary))
            case (_?, nil): changes.append(Change(kind: .removed, intent: name, details: []))
            case (let old?, let new?):
                let details = Self.details(old, new)
                if !details.isEmpty { changes.append(Change(kind: .changed, intent: name, details: details)) }
            case (nil, nil): continue
            }
        }
    }

    private static func details(_ old: IntentDeclaration, _ new: IntentDeclaration) -> [String] {
        var details: [String] = []
        func compare(_ what: String, _ old: String?, _ new: String?) {
            guard old != new else { return }
            let words = [old, new].map { $0.map { SafeText.quoted($0) } ?? "none" }
            details.append("\(what): \(words[0]) → \(words[1])")
        }
        compare("title", old.title, new.title)
        compare("description", old.summary, new.summary)
        compare("result", old.result.map(\.words), new.result.map(\.words))
        let (earlier, later) = (old.parameters.map(\.name), new.parameters.map(\.name))
        details += later.filter { !earlier.contains($0) }.map { "parameter added: \(SafeText.quoted($0))" }
        details += earlier.filter { !later.contains($0) }.map { "parameter removed: \(SafeText.quoted($0))" }
        for parameter in new.parameters {
            guard let before = old.parameters.first(where: { $0.name == parameter.name }), before != parameter else {
                continue
            }
            let text = { (parameter: ParameterDeclaration) in JSONValue(parameter).text() }
            details.append("parameter \(SafeText.quoted(parameter.name)): \(text(before)) → \(text(parameter))")
        }
        if details.isEmpty, old.details?.version != new.details?.version {
            details.append("its declaration in the server: parts that no type of intentd shows")
        }
        return details
    }

    package var text: String {
        changes.map { change in
            let sign =
                switch change.kind {
                case .added: "+"
                case .removed: "-"
                case .changed: "~"
                }
            return (["\(sign) \(change.intent)"] + change.details.map { "    \($0)" }).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    package var document: JSONValue {
        .array(
            changes.map { change in
                [
                    "change": .string(change.kind.rawValue), "intent": .string(change.intent),
                    "details": .array(change.details.map { .string($0) }),
                ]
            }
        )
    }
}
