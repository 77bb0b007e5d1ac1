import IntentLauncherMessages

extension AppUnit {
    /// The settings of `[Limits]` and `[Sandbox]` that are in effect for the app and for its intents, each with the place
    /// where it is set.
    ///
    /// - Parameter assignments: The valid assignments of the daemon's and the app's files, in the order in which they
    ///   are applied.
    static func settings(in assignments: [UnitFile.Assignment], ofCommands: Bool) -> [SettingInEffect] {
        let limits: [any SettingKey] = LimitKey.allCases + CapacityKey.allCases
        let sections = [("Limits", limits), ("Sandbox", SandboxKey.allCases as [any SettingKey])]
        var settings = sections.flatMap { section, keys in
            keys.map { key in
                let own = assignments.filter { $0.section == section && $0.key == key.name }
                var setting = key.setting(in: section, own) ?? SettingInEffect(section, key.name, value: key.standard)
                if ofCommands, key is SandboxKey, key.name == SandboxKey.programs.rawValue, setting.source == nil {
                    setting.value = "system"
                }
                return setting
            }
        }
        let intents = assignments.filter { $0.section.hasPrefix(utf8: CommandSection.intentPrefix) }
        for section in Set(intents.map(\.section)).sorted() {
            for key in LimitKey.allCases {
                let own = intents.filter { $0.section == section && $0.key == key.rawValue }
                if let setting = key.setting(in: section, own) { settings.append(setting) }
            }
            for key in SandboxKey.allCases where key.isForIntents {
                // An intent has the app's list, and then its own words.
                let all = assignments.filter { $0.section == "Sandbox" && $0.key == key.rawValue }
                let own = intents.filter { $0.section == section && $0.key == key.rawValue }
                guard let last = own.last else { continue }
                let place = "\(last.file):\(last.line)"
                settings.append(
                    key.setting(in: section, all + own)
                        ?? SettingInEffect(section, key.rawValue, value: key.standard, source: place)
                )
            }
        }
        return settings
    }
}

extension SettingKey {
    fileprivate var name: String { rawValue }

    /// The default without the macros of the manual page.
    fileprivate var standard: String {
        manual.standard.split(scalar: "\n").map { line in
            line.hasPrefix(utf8: ".Cm ") ? String(line.dropFirst(scalars: 4)) : String(line)
        }.joined(separator: " ")
    }

    /// Returns the value that the assignments set; nil if the default applies.
    fileprivate func setting(in section: String, _ assignments: [UnitFile.Assignment]) -> SettingInEffect? {
        var setting: SettingInEffect?
        for assignment in assignments {
            if assignment.value.isEmpty {
                setting = nil
            } else {
                var words = assignment.value
                if case .list = manual.form, let earlier = setting?.value { words = "\(earlier) \(words)" }
                setting = SettingInEffect(section, name, value: words, source: "\(assignment.file):\(assignment.line)")
            }
        }
        return setting
    }
}
