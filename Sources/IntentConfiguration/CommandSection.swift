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
        guard name.utf8.starts(with: "Intent ".utf8) else { return nil }
        let words = name.dropFirst("Intent ".count).trimmed
        let mark = ".Parameter "
        guard let start = words.utf8.indices.first(where: { words.utf8[$0...].starts(with: mark.utf8) }) else {
            self = .intent(words, parameter: nil)
            return
        }
        let rest = words[words.utf8.index(start, offsetBy: mark.utf8.count)...]
        self = .intent(String(words[..<start]).trimmed, parameter: rest.trimmed)
    }

    /// Returns true if only intentd-command reads the key in this section.
    func describesIntent(_ key: String) -> Bool {
        switch self {
        case .app: CommandAppKey(rawValue: key) != nil
        case .intent(_, nil): CommandIntentKey(rawValue: key) != nil
        case .intent(_, _?): true
        }
    }
}
