import IntentLauncherMessages

/// A section that describes intents in an intentd.command(5) file. The file's other sections are described in
/// intentd.app(5).
package enum CommandSection: Hashable, Sendable {
    /// `[App]`, which may also contain intentd.app(5) keys.
    case app
    /// `[Intent NAME]`, which may also contain intentd.app(5) keys, or `[Intent NAME.Parameter NAME]`.
    case intent(String, parameter: String?)

    package init?(_ name: String) {
        if name == "App" {
            self = .app
            return
        }
        guard name.hasPrefix(utf8: Self.intentPrefix) else { return nil }
        let words = Self.intentName(in: name)
        guard let mark = words.firstRange(utf8: ".Parameter ") else {
            self = .intent(words, parameter: nil)
            return
        }
        let (intent, parameter) = (words.utf8[..<mark.lowerBound], words.utf8[mark.upperBound...])
        self = .intent(Substring(intent).withoutBlanks, parameter: Substring(parameter).withoutBlanks)
    }

    /// The start of the name of each section for an intent.
    static let intentPrefix = "Intent "

    /// Returns the part of a section's name after ``intentPrefix``.
    static func intentName(in section: String) -> String {
        section.dropFirst(scalars: intentPrefix.scalarCount).withoutBlanks
    }

    /// Returns true if only intentd-command reads the key in this section.
    package func describesIntent(_ key: String) -> Bool {
        switch self {
        case .app: CommandAppKey(rawValue: key) != nil
        case .intent(_, nil): CommandIntentKey(rawValue: key) != nil
        case .intent(_, _?): true
        }
    }
}
