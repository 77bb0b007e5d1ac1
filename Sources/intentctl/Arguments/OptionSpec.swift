/// An option of intentctl. The parser and the help text use it.
package struct OptionSpec: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case flag
        /// Takes a value with this name in help.
        case value(String)
        /// Takes one of these words.
        case word([String])
        /// Takes no value, or one of these words after an equals sign.
        case flagOrWord([String])
        /// Takes a value with this name in help, and can be repeated.
        case values(String)
    }

    /// The name without hyphens.
    package var name: String
    package var short: Character?
    package var kind: Kind
    /// The default, for help.
    package var defaultText: String?
    package var help: String
    /// A flag of all commands that means this option if it has a value after an equals sign.
    package var flagWithValue: String?

    /// The owner of the runs: `--user=NAME` or `--by NAME`. `--user` alone selects the user's own intentd.
    package static func ofUser(default text: String) -> OptionSpec {
        var option = OptionSpec(
            "by",
            .value("USER|all"),
            default: text,
            "runs of this user, also --user=USER; operators: all for every user"
        )
        option.flagWithValue = "user"
        return option
    }

    package init(
        _ name: String,
        short: Character? = nil,
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

    /// True when the next argument can be its value.
    var takesNextArgument: Bool {
        switch kind {
        case .flag, .flagOrWord: false
        case .value, .word, .values: true
        }
    }

    /// The option as help shows it: `-o, --output text|json`.
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
