import IntentLauncherMessages

/// A section that describes a shortcut in an intentd.shortcut(5) file. The file's other sections are described in
/// intentd.app(5).
package enum ShortcutSection: Hashable, Sendable {
    /// `[Shortcut NAME]`.
    case shortcut(String)
    /// `[Shortcut NAME.Parameter NAME]`.
    case parameter(String, of: String)
    /// `[Step NAME]`.
    case step(String)

    package init?(_ name: String) {
        if name.hasPrefix(utf8: Self.stepPrefix) {
            self = .step(name.dropFirst(scalars: Self.stepPrefix.scalarCount).withoutBlanks)
            return
        }
        guard name.hasPrefix(utf8: Self.shortcutPrefix) else { return nil }
        let words = name.dropFirst(scalars: Self.shortcutPrefix.scalarCount).withoutBlanks
        guard let mark = words.firstRange(utf8: ".Parameter ") else {
            self = .shortcut(words)
            return
        }
        let (shortcut, parameter) = (words.utf8[..<mark.lowerBound], words.utf8[mark.upperBound...])
        self = .parameter(Substring(parameter).withoutBlanks, of: Substring(shortcut).withoutBlanks)
    }

    /// Returns true for a key of `[Limits]` that has an effect on a shortcut.
    package static func permitsLimit(_ key: String) -> Bool { key == LimitKey.questionTimeout.rawValue }

    private static let shortcutPrefix = "Shortcut "
    private static let stepPrefix = "Step "
}
