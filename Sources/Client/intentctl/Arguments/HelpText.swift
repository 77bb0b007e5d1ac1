/// Creates help texts from the tables that the parser uses.
package enum HelpText {
    package static let overview: String = {
        let commands = CommandSpec.Name.allCases.map { ($0.rawValue, CommandSpec.named($0).summary) }
        return """
            Usage: intentctl [--host HOST,...] [--socket PATH | --user] [--output text|json] COMMAND

            Perform the intents of installed apps, and follow, answer and cancel their runs.

            Commands:
            \(columns(commands))

            Options:
            \(columns(CommandSpec.globalOptions.map(row)))

            'intentctl help COMMAND' explains a command.
            """
    }()

    package static func of(_ spec: CommandSpec) -> String {
        var usages = ["intentctl \(line(spec, spec.words))"]
        if spec.name == .run {
            usages.append("intentctl run --local [OPTIONS] EXECUTABLE INTENT [--NAME VALUE]...")
        }
        var parts = ["Usage: " + usages.joined(separator: "\n       "), capitalized(spec.summary) + "."]
        if !spec.options.isEmpty { parts.append("Options:\n" + columns(spec.options.map(row))) }
        parts.append("Global options:\n" + columns(CommandSpec.globalOptions.map(row)))
        if !spec.notes.isEmpty { parts.append(spec.notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    /// Returns the hint to run `intentctl help` for the command, or `intentctl --help` if no command is known.
    static func pointer(_ name: CommandSpec.Name?) -> String {
        name.map { "see 'intentctl help \($0.rawValue)'" } ?? "see 'intentctl --help'"
    }

    private static func line(_ spec: CommandSpec, _ words: String) -> String {
        [spec.name.rawValue, "[OPTIONS]", words].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func row(_ option: OptionSpec) -> (String, String) {
        (option.form, option.help + (option.defaultText.map { " (default: \($0))" } ?? ""))
    }

    private static func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.scalarCount).max() ?? 0
        return rows.map { left, right in
            "  " + left + String(repeating: " ", count: width - left.scalarCount + 2) + right
        }.joined(separator: "\n")
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(scalars: 1).uppercased() + String(text.dropFirst(scalars: 1))
    }
}
