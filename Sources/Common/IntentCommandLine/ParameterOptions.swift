package import IntentSharedTypes

/// Parses the options that set an intent's parameters: `--soup tomato --guests=3 --no-salt`.
package enum ParameterOptions {
    /// Returns the values in `arguments`, keyed by declared parameter name.
    package static func parse(
        _ arguments: [String],
        for intent: IntentDeclaration
    ) throws(ParameterError) -> [String: ParameterInput] {
        var inputs: [String: ParameterInput] = [:]
        var next = 0
        /// The option of the word before, if it can be repeated.
        var list: String?
        while next < arguments.count {
            let argument = arguments[next]
            let start = next
            next += 1
            if argument == "--", next == arguments.count { break }
            guard isOption(argument) else {
                throw ParameterError(
                    "unexpected argument '\(argument)': an intent's parameters are options",
                    hint: list.map { "repeat the option for each element: --\($0) \(argument)" }
                        ?? intent.parameters.first.map { "for example: \($0.example)" }
                        ?? "\(intent.name) has no parameters"
                )
            }
            let parts = argument.dropFirst(scalars: 2)
                .split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = String(parts[0])
            guard let (parameter, isNegated) = ParameterName.find(option, in: intent) else {
                throw ParameterError(
                    .unknownParameter,
                    "\(intent.name) has no parameter '\(option)'",
                    hint: nearHint(option, intent, prefix: "--"),
                    unknownOption: start
                )
            }
            // No positional argument can follow an option, so a word after a flag is the flag's value.
            let hasWord = next < arguments.count && !isOption(arguments[next]) && arguments[next] != "--"
            guard !isNegated || (parts.count == 1 && !hasWord) else {
                throw ParameterError(
                    "--\(option) takes no value",
                    hint: "write --\(option) or --\(option.dropFirst(scalars: 3))"
                )
            }
            let text: String
            if parts.count > 1 {
                text = String(parts[1])
            } else if parameter.type == .bool, isNegated || !hasWord {
                text = isNegated ? "false" : "true"
            } else {
                guard next < arguments.count, !isOption(arguments[next]) else {
                    throw ParameterError(
                        "--\(option) needs a value: \(parameter.words)",
                        hint: "for example: \(parameter.example); a value that starts with hyphens: --\(option)=VALUE"
                    )
                }
                text = arguments[next]
                next += 1
            }
            let input = try ParameterInput(text: text, for: parameter)
            list = parameter.type.isList ? option : nil
            switch (parameter.type, inputs[parameter.name]) {
            case (.array, .list(let earlier)?): inputs[parameter.name] = .list(earlier + [input])
            case (.array, _): inputs[parameter.name] = .list([input])
            case (_, nil): inputs[parameter.name] = input
            case (_, _?):
                throw ParameterError("--\(option) is given twice but takes one value", hint: "remove one of them")
            }
        }
        return inputs
    }

    /// Checks that every required parameter has a value, and that at most one parameter reads standard input.
    ///
    /// - Parameter readyLine: A command line that performs the intent.
    /// - Throws: ``ParameterError`` when a required parameter is missing, or two parameters read standard input.
    package static func check(
        _ inputs: [String: ParameterInput],
        for intent: IntentDeclaration,
        readyLine: String
    ) throws(ParameterError) {
        let missing = intent.parameters.filter { $0.isRequired && inputs[$0.name] == nil }
        guard missing.isEmpty else {
            let names = missing.map { parameter in
                let form = parameter.type.isList ? "a list in which each element is " : ""
                return "--\(ParameterName.kebab(parameter.name)) (\(form)\(parameter.words))"
            }
            throw ParameterError(
                .missingParameter,
                "\(intent.name) needs \(names.joined(separator: ", "))",
                hint: missing.contains { $0.isSecret == true }
                    ? "other users can see arguments: type a secret at the prompt of a terminal, or pass all values as JSON "
                        + "on standard input, with --json -"
                    : "for example: \(readyLine)"
            )
        }
        guard inputs.values.flatMap(\.leaves).count(where: { $0 == .standardInput }) <= 1 else {
            throw ParameterError("two parameters read standard input", hint: "pass a path for one of the parameters")
        }
    }

    /// Returns a hint with the most similar parameter, or with all parameters if none is similar.
    package static func nearHint(_ name: String, _ intent: IntentDeclaration, prefix: String) -> String {
        let names = intent.parameters.map { prefix.isEmpty ? $0.name : ParameterName.kebab($0.name) }
        if let near = NearestName.of(name, among: names) { return "did you mean '\(prefix)\(near)'?" }
        if names.isEmpty { return "\(intent.name) has no parameters" }
        return "\(intent.name) has the parameters \(names.map { prefix + $0 }.joined(separator: ", "))"
    }

    private static func isOption(_ argument: String) -> Bool {
        argument.hasPrefix(utf8: "--") && argument.utf8.count > 2
    }
}
