import IntentLauncherMessages

/// The sections and keys of the configuration files.
///
/// A value that contains another section or key is an error: a line break was lost, and the rule after it would be
/// ignored.
package enum UnitKeys {
    package static let all = Set(
        names(ServiceKey.self) + names(CapacityKey.self) + names(LimitKey.self) + names(HistoryKey.self)
            + names(ConcurrencyKey.self) + names(AppKey.self) + names(AccessKey.self) + names(NotifyKey.self)
            + names(SandboxKey.self) + names(AgentKey.self) + names(FleetKey.self) + names(RetryKey.self)
            + names(WebKey.self)
    )

    /// The keys that reveal a lost line break if a value contains them. The keys of `[Notify]`, `[Agents]`,
    /// `[Fleet]` and `[Web]` are excluded, because they are short: a valid value such as `Environment=DBUser=ada` contains `User=`.
    private static let markers = all.subtracting(names(NotifyKey.self)).subtracting(names(AgentKey.self))
        .subtracting(names(FleetKey.self)).subtracting(names(WebKey.self))
        .union(ServiceKey.allCases.filter { $0.section != "Notify" }.map(\.rawValue))

    /// The keys that prevent an app from running if they are in the wrong section, because the app must not run without
    /// their settings.
    static let protections = Set(
        names(AccessKey.self) + AppKey.allCases.filter(\.isProtection).map(\.rawValue)
            + ConcurrencyKey.allCases.filter(\.isProtection).map(\.rawValue)
    )

    private static func names<Key: SettingKey>(_: Key.Type) -> [String] { Key.allCases.map(\.rawValue) }

    /// Returns the keys that a section of any file can have.
    fileprivate static func keys(of section: String) -> [String] {
        if section.contains(utf8: ".Parameter ") { return names(CommandParameterKey.self) }
        if section.hasPrefix(utf8: "Shortcut ") { return names(ShortcutKey.self) }
        if section.hasPrefix(utf8: "Step ") { return names(ShortcutStepKey.self) }
        let more = section.hasPrefix(utf8: CommandSection.intentPrefix) ? names(CommandIntentKey.self) : []
        return Array(all) + more + names(FleetServiceKey.self)
    }

    private static let sections = [
        "App", "Access", "Limits", "History", "Notify", "Agents", "Fleet", "Web", "Sandbox", "Intent ",
    ]

    /// Returns the first key or section header in a value; nil if the value contains neither.
    static func within(_ value: String) -> String? {
        let bytes = Array(value.utf8)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "[") {
                let rest = bytes[(index + 1)...]
                if let section = sections.first(where: { rest.starts(with: $0.utf8) }) { return "[\(section)" }
            }
            if byte == UInt8(ascii: "=") {
                let word = bytes[..<index].trimmingSuffix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                // Compare every suffix of the word, because the letters before the key may be the end of the previous
                // line.
                let letters = word.suffix { isLetter($0) }
                for start in letters.indices where markers.contains(String(foreign: letters[start...])) {
                    return String(foreign: letters[start...]) + "="
                }
            }
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

extension UnitFile.Assignment {
    /// The error for a key that its section does not have, with the most similar key that it has.
    package var unknownKey: ConfigurationProblem {
        let keys = UnitKeys.keys(of: section)
        // A key that other sections have is written rightly.
        let near = keys.contains(key) ? nil : NearestName.of(key, among: keys)
        let hint = near.map { " (did you mean '\($0)='?)" } ?? ""
        return problem("unknown key in [\(WireCoding.excerpt(section))]\(hint)")
    }
}

extension Collection where Self: BidirectionalCollection {
    fileprivate func trimmingSuffix(_ isRemoved: (Element) -> Bool) -> SubSequence {
        var rest = self[...]
        while let last = rest.last, isRemoved(last) { rest.removeLast() }
        return rest
    }

    fileprivate func suffix(_ isKept: (Element) -> Bool) -> SubSequence {
        var start = endIndex
        while start > startIndex, isKept(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
