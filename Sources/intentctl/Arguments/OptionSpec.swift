/// One option of ours: parsing and help follow from it.
package struct OptionSpec: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case flag
        /// Takes a value, called so in help.
        case value(String)
        /// Takes one of these words.
        case word([String])
        /// Stands alone, or with one of these words after an equals sign.
        case flagOrWord([String])
        /// Takes a value, called so in help, as often as it is given.
        case values(String)
    }

    /// Without the hyphens.
    package var name: String
    package var short: Character?
    package var kind: Kind
    /// What holds when it is not given, for help.
    package var defaultText: String?
    package var help: String
    /// A flag of all commands that, with a value after an equals sign, says the same as this.
    package var flagWithValue: String?

    /// Whose runs: `--user=NAME`, or `--by NAME`; `--user` alone says which intentd.
    package static func ofUser(default text: String) -> OptionSpec {
        var option = OptionSpec(
            "by",
            .value("USER|all"),
            default: text,
            "also --user=USER: of that user; all: for operators"
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

    /// True when its value may be the argument after it.
    var takesNextArgument: Bool {
        switch kind {
        case .flag, .flagOrWord: false
        case .value, .word, .values: true
        }
    }

    /// How help shows it: `-o, --output text|json`.
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
