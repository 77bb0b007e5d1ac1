/// Creates help texts from the tables that the parser uses.
package enum HelpText {
    package static let overview: String = {
        let commands = CommandSpec.all.map { ($0.name, $0.summary) }
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
        var usages = ["intentctl \(line(spec, spec.words.text))"]
        if spec.performsIntent {
            usages.append("intentctl \(spec.name) --local [OPTIONS] EXECUTABLE INTENT [--NAME VALUE]...")
        }
        var parts = ["Usage: " + usages.joined(separator: "\n       "), capitalized(spec.summary) + "."]
        if !spec.options.isEmpty { parts.append("Options:\n" + columns(spec.options.map(row))) }
        parts.append("Global options:\n" + columns(CommandSpec.globalOptions.map(row)))
        if !spec.notes.isEmpty { parts.append(spec.notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    /// Implements `intentctl help`.
    static func print(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
        let command = try invocation.words.first.map { (word) throws(CommandFailure) in try CommandSpec.named(word) }
        try Console.output(
            invocation.has("manual")
                ? command.map(ManualPage.of) ?? ManualPage.overview : command.map(HelpText.of) ?? HelpText.overview
        )
        return .done
    }

    /// Implements `intentctl version`.
    static func printVersion() throws(CommandFailure) -> ExitCode {
        try Console.output("intentctl \(IntentConnection.softwareVersion)")
        return .done
    }

    /// Returns the hint to run `intentctl help` for the command, or `intentctl --help` if no command is known.
    static func pointer(_ command: CommandSpec?) -> String {
        command.map { "see 'intentctl help \($0.name)'" } ?? "see 'intentctl --help'"
    }

    private static func line(_ spec: CommandSpec, _ words: String) -> String {
        [spec.name, "[OPTIONS]", words].filter { !$0.isEmpty }.joined(separator: " ")
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
