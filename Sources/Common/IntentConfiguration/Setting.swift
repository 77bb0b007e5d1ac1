import IntentLauncherMessages

/// Settings with built-in defaults.
protocol DefaultSettings {
    init()
}

/// A key: its description for the manual page, and its parser, which changes one property of the settings.
struct Setting<Settings: DefaultSettings> {
    let manual: SettingManual
    let apply: (UnitFile.Assignment, inout Settings) throws(ConfigurationProblem) -> Void

    /// Describes a key with one value. An empty value resets the property to its default.
    ///
    /// - Parameter current: The value that stays in effect after an error, for the error message.
    init<Value>(
        _ property: WritableKeyPath<Settings, Value>,
        _ form: SettingForm,
        standard: String,
        example: String,
        _ text: String,
        isolation: String? = nil,
        keeping current: ((Settings) -> any CustomStringConvertible)? = nil,
        parse: @escaping (UnitFile.Assignment) throws(ConfigurationProblem) -> Value
    ) {
        manual = SettingManual(form, standard: standard, example: example, text, isolation: isolation)
        apply = { (assignment, settings) throws(ConfigurationProblem) in
            do throws(ConfigurationProblem) {
                settings[keyPath: property] =
                    try assignment.value.isEmpty ? Settings()[keyPath: property] : parse(assignment)
            } catch {
                guard let current else { throw error }
                throw error.keeping("\(current(settings))")
            }
        }
    }

    /// Describes a key with a list, to which each assignment adds words. An empty value clears the list.
    ///
    /// - Parameter word: A valid word, for error messages.
    init<Element: Equatable>(
        _ property: WritableKeyPath<Settings, [Element]>,
        _ form: SettingForm,
        standard: String = "none",
        example: String,
        _ text: String,
        isolation: String? = nil,
        each word: String,
        parse: @escaping (String) -> Element?
    ) {
        manual = SettingManual(form, standard: standard, example: example, text, isolation: isolation)
        apply = { (assignment, settings) throws(ConfigurationProblem) in
            settings[keyPath: property] = try assignment.list(after: settings[keyPath: property], as: word, parse)
        }
    }

    /// Describes a key to which each assignment adds one element. An empty value clears the list.
    ///
    /// - Parameter element: A valid value, for error messages.
    init<Element: Equatable>(
        _ property: WritableKeyPath<Settings, [Element]>,
        _ form: SettingForm,
        example: String,
        _ text: String,
        isolation: String? = nil,
        adding element: String,
        parse: @escaping ([String]) -> Element?
    ) {
        manual = SettingManual(form, standard: "none", example: example, text, isolation: isolation)
        apply = { (assignment, settings) throws(ConfigurationProblem) in
            guard !assignment.value.isEmpty else { return settings[keyPath: property] = [] }
            guard let parsed = parse(try assignment.listWords()) else {
                throw assignment.problem("expected \(element), got '\(assignment.excerpt)'")
            }
            if !settings[keyPath: property].contains(parsed) { settings[keyPath: property].append(parsed) }
        }
    }

    static func flag(
        _ property: WritableKeyPath<Settings, Bool>,
        _ text: String,
        isolation: String? = nil
    ) -> Setting {
        let (standard, example) = Settings()[keyPath: property] ? ("yes", "no") : ("no", "yes")
        return Setting(property, .flag, standard: standard, example: example, text, isolation: isolation) {
            (assignment) throws(ConfigurationProblem) in try assignment.flag()
        }
    }

    static func size(
        _ property: WritableKeyPath<Settings, Int64?>,
        example: String,
        _ text: String,
        isolation: String? = nil
    ) -> Setting {
        let standard = SettingManual.size(Settings()[keyPath: property])
        return Setting(property, .size, standard: standard, example: example, text, isolation: isolation) {
            (assignment) throws(ConfigurationProblem) in try assignment.size()
        }
    }

    static func span(_ property: WritableKeyPath<Settings, Duration?>, example: String, _ text: String) -> Setting {
        let standard = SettingManual.span(Settings()[keyPath: property])
        return Setting(property, .span, standard: standard, example: example, text) {
            (assignment) throws(ConfigurationProblem) in try assignment.span()
        }
    }
    static func span(_ property: WritableKeyPath<Settings, Duration>, example: String, _ text: String) -> Setting {
        let standard = SettingManual.span(Settings()[keyPath: property])
        return Setting(
            property,
            .span,
            standard: standard,
            example: example,
            text,
            keeping: { $0[keyPath: property] },
            parse: { (assignment) throws(ConfigurationProblem) in try assignment.span() }
        )
    }

    static func count(
        _ property: WritableKeyPath<Settings, Int>,
        in range: ClosedRange<Int>,
        example: String,
        _ text: String
    ) -> Setting {
        Setting(
            property,
            .count(range),
            standard: "\(Settings()[keyPath: property])",
            example: example,
            text,
            keeping: { $0[keyPath: property] },
            parse: { (assignment) throws(ConfigurationProblem) in try assignment.count(in: range) }
        )
    }
}

/// An enum of keys, each of which changes one property of the same settings.
protocol TabledKey: SettingKey {
    associatedtype Settings: DefaultSettings

    /// The key's description and parser.
    var setting: Setting<Settings> { get }
}

extension TabledKey {
    var manual: SettingManual { setting.manual }
}

extension DefaultSettings {
    /// Applies an assignment. An invalid value changes nothing.
    ///
    /// - Returns: False if the key is not a case of the enum.
    mutating func apply<Key: TabledKey>(
        _ assignment: UnitFile.Assignment,
        as _: Key.Type
    ) throws(ConfigurationProblem) -> Bool where Key.Settings == Self {
        guard let key = Key(rawValue: assignment.key) else { return false }
        try key.setting.apply(assignment, &self)
        return true
    }
}
