/// The specification of an intentctl option, for the parser, the help texts and the manual pages.
package struct OptionSpec: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case flag
        /// The option has a value. Help shows this name for the value.
        case value(String)
        /// The option has one of the listed values.
        case word([String])
        /// The option has no value, or one of the listed values after an equals sign.
        case flagOrWord([String])
        /// The option has a value and can be repeated. Help shows this name for the value.
        case values(String)
    }

    /// The option's name without hyphens.
    package var name: String
    package var short: Unicode.Scalar?
    package var kind: Kind
    /// The description of the default value, for help.
    package var defaultText: String?
    package var help: String
    /// The name of a global flag that becomes this option if an equals sign and a value follow it.
    package var flagWithValue: String?

    /// Returns the option that selects runs by owner: `--user=NAME` or `--by NAME`. `--user` without a value selects
    /// the user's own intentd.
    package static func ofUser(default text: String) -> OptionSpec {
        var option = OptionSpec(
            "by",
            .value("USER|all"),
            default: text,
            "only runs of this user (also --user=USER), or of NAME@REALM; operators may specify 'all'"
        )
        option.flagWithValue = "user"
        return option
    }

    package init(
        _ name: String,
        short: Unicode.Scalar? = nil,
        _ kind: Kind,
        default defaultText: String? = nil,
        _ help: String
    ) {
        self.name = name
        self.short = short
        self.kind = kind
        self.defaultText = defaultText
        self.help = help
    }

    /// True if the next argument can be the option's value.
    var takesNextArgument: Bool {
        switch kind {
        case .flag, .flagOrWord: false
        case .value, .word, .values: true
        }
    }

    /// The option as shown in help: `-o, --output text|json`.
    package var form: String {
        let long =
            switch kind {
            case .flag: "--\(name)"
            case .value(let word): "--\(name) \(word)"
            case .word(let words): "--\(name) \(words.joined(separator: "|"))"
            case .flagOrWord(let words): "--\(name)[=\(words.joined(separator: "|"))]"
            case .values(let word): "--\(name) \(word)..."
            }
        return short.map { "-\($0), \(long)" } ?? "    \(long)"
    }
}
