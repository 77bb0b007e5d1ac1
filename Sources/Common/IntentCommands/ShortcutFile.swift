import IntentConfiguration
package import IntentLauncherMessages
import IntentProtocol

/// An intentd.shortcut(5) file, which composes intents.
package struct ShortcutFile: Hashable, Sendable {
    /// The suffix of the file's name.
    package static let suffix = ".shortcut"

    package var name: String
    package var description: String?
    package var summary: TemplateWord?
    package var isDestructive = false
    package var parameters: [CommandParameter] = []
    package var plan: ShortcutPlan

    /// Parses a file.
    ///
    /// - Throws: ``CommandFileProblems`` with every mistake in the sections that describe the shortcut.
    package init(_ bytes: [UInt8], file: String) throws(CommandFileProblems) {
        var reader = ShortcutFileReader(bytes, file: file)
        self = try reader.read()
    }

    /// Parses the text of a user, or of one request, which is no operator's file: it has no settings beside the shortcut.
    ///
    /// - Throws: ``CommandFileProblems`` with every mistake.
    package init(ofUser bytes: [UInt8], file: String) throws(CommandFileProblems) {
        var reader = ShortcutFileReader(bytes, file: file, hasSettings: false)
        self = try reader.read()
    }

    init(name: String) {
        self.name = name
        plan = ShortcutPlan(title: name)
    }

    /// The shortcut as an intent, as clients receive it.
    package var catalog: IntentCatalog {
        var details = IntentDetails()
        if isDestructive { details.effect = .destroys }
        return IntentCatalog(
            intents: [
                IntentDeclaration(
                    name: name,
                    title: plan.title,
                    summary: description,
                    parameters: parameters.map(\.declaration),
                    sentence: summary.map(CommandIntent.sentence),
                    result: plan.result.flatMap(knownType),
                    traits: [.progressReporting, .cancellable],
                    details: details.isEmpty ? nil : details
                )
            ]
        )
    }

    /// Returns the steps on one line each, with values that are known before the shortcut runs, and what applies to all steps.
    package func outline(knowing values: [String: String]) -> [(name: String, text: String)] {
        plan.substituting(values).steps.map { ($0.name, $0.text) } + plan.conditions
    }

    /// Returns the mistakes of the steps that the catalogues show, and what does not keep the shortcut from running.
    package func remarks(_ catalogs: [String: IntentCatalog], file: String) -> [String] {
        let types = ShortcutTypes(of: self, file: file, catalogs: catalogs)
        return types.problems.map(\.description) + types.warnings
    }

    /// Returns the type of a template, if the file alone determines it.
    private func knownType(of template: ShortcutPlan.Template) -> ValueType? {
        guard let reference = template.only else { return .string }
        guard reference.path.isEmpty else { return nil }
        if let parameter = parameters.first(where: { $0.name == reference.name }) { return parameter.declaration.type }
        switch plan.step(reference.name)?.work {
        case .ask(_, let type): return type ?? .bool
        case .choose: return .string
        case .perform, .wait, nil: return nil
        }
    }
}
