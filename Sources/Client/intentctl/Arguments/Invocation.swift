/// A parsed command line.
package struct Invocation: Equatable, Sendable {
    package var command: CommandSpec
    /// The values of the options, keyed by option name. The value of a flag is empty. If an option is repeated, its
    /// last value applies.
    package var options: [String: String] = [:]
    /// All values of repeatable options, keyed by option name.
    package var lists: [String: [String]] = [:]
    /// All arguments before the words, including the command's name, for printing a corrected command line.
    package var leading: [String] = []
    /// The arguments that are not options.
    package var words: [String] = []
    /// The arguments after the words of `run`, `retry` and `schedule add`, which belong to the intent, and of `fleet`,
    /// which belong to intentd-fleet.
    package var rest: [String] = []

    package init(_ command: CommandSpec) {
        self.command = command
    }

    package func has(_ option: String) -> Bool { options[option] != nil }

    package subscript(_ option: String) -> String? { options[option] }

    /// Refuses arguments that are not UTF-8. On one host, the arguments of an intent are checked with its parameters, because
    /// the path of a file need not be UTF-8.
    package func checkBytes(of arguments: [String], severalHosts: Bool = false) throws(CommandFailure) {
        let hasFiles = !severalHosts && (command.performsIntent || command == .retry)
        guard let problem = ByteText.problem(in: hasFiles ? arguments.dropLast(rest.count) : arguments) else { return }
        throw .usage(problem, hint: "only the path of a file for a parameter of 'run' can have other bytes")
    }

    package var wantsJSON: Bool { self["output"] == "json" }

    /// The options that select the daemon, for another intentctl.
    var daemonOptions: [String] {
        (self["socket"].map { ["--socket", $0] } ?? []) + ["user", "fleet"].filter(has).map { "--\($0)" }
    }

    /// Returns the time span in an option, or nil without the option.
    func span(_ option: String, examples: [String]) throws(CommandFailure) -> Duration? {
        guard let text = self[option] else { return nil }
        if let span = TimeSpan.parseFinite(text) { return span }
        let example = examples.map { "--\(option) \($0)" }.joined(separator: ", ")
        throw .usage("--\(option): expected a time span, got '\(text)'", hint: "for example: \(example)")
    }

    /// Returns the command line with one misplaced option moved before the words. `argument` is the index of the option
    /// in `rest`.
    package func moving(_ spec: OptionSpec, at argument: Int) -> String {
        var rest = rest
        var moved = [rest.remove(at: argument)]
        if spec.takesNextArgument, !moved[0].contains(utf8: "="), argument < rest.count {
            moved.append(rest.remove(at: argument))
        }
        var leading = leading
        leading.insert(contentsOf: moved, at: leading.last == "--" ? leading.count - 1 : leading.count)
        return (["intentctl"] + leading + words + rest).map(ShellWord.quote).joined(separator: " ")
    }
}
