/// Parses an intent's arguments, where each option has the name of a parameter.
package enum ParameterArguments {
    /// Returns the values in `invocation.rest`, keyed by declared parameter name.
    package static func parse(
        _ invocation: Invocation,
        for intent: IntentDeclaration
    ) throws(CommandFailure) -> [String: ParameterInput] {
        do throws(ParameterError) {
            return try ParameterOptions.parse(invocation.rest, for: intent)
        } catch {
            throw misplacedOption(error, invocation, intent) ?? CommandFailure(error)
        }
    }

    /// Returns the values of `--answer`, keyed by declared parameter name. The key of `--answer =TITLE` is empty.
    package static func answers(
        _ options: RunOptions,
        for intent: IntentDeclaration
    ) throws(CommandFailure) -> [String: IntentValue] {
        var answers: [String: IntentValue] = [:]
        for (name, text) in options.answers {
            if name.isEmpty {
                let earlier = if case .array(let texts)? = answers[name] { texts } else { [IntentValue]() }
                answers[name] = .array(earlier + [.string(text)])
                continue
            }
            let parameter = try parameter(name, in: intent, of: "--answer: ")
            let input = try CommandFailure.mapping(try ParameterInput(text: text, for: parameter))
            guard case .value(let value) = input else {
                throw .usage("--answer cannot pass files", hint: "pass the file as a parameter: \(parameter.example)")
            }
            switch (parameter.type, answers[parameter.name]) {
            case (.array, .array(let earlier)?): answers[parameter.name] = .array(earlier + [value])
            case (.array, _): answers[parameter.name] = .array([value])
            case (_, nil): answers[parameter.name] = value
            case (_, _?):
                throw .usage(
                    "--answer \(name)= is given twice, but a question has only one answer",
                    hint: "remove one of them"
                )
            }
        }
        return answers
    }

    /// Returns the declared names of the parameters in `--writable`. Each of these parameters must have a file with a
    /// path.
    package static func writable(
        _ names: [String],
        in inputs: [String: ParameterInput],
        for intent: IntentDeclaration
    ) throws(CommandFailure) -> Set<String> {
        var writable: Set<String> = []
        for name in names {
            let parameter = try parameter(name, in: intent, of: "--writable: ")
            guard parameter.type.element == .file else {
                throw .usage(
                    "--writable \(name): expected a parameter for a file, got one for \(parameter.type.element.words)",
                    hint: "remove --writable \(name)"
                )
            }
            guard let input = inputs[parameter.name], !input.readsStandardInput else {
                throw .usage(
                    "--writable \(name): the parameter has no file, or it is standard input",
                    hint: "specify a file after the intent: --\(ParameterName.kebab(parameter.name)) PATH"
                )
            }
            writable.insert(parameter.name)
        }
        return writable
    }

    /// Returns the values of `--credential`, keyed by declared parameter name.
    package static func credentials(
        _ names: [String],
        for intent: IntentDeclaration,
        read: (String) throws(CommandFailure) -> String
    ) throws(CommandFailure) -> [String: ParameterInput] {
        var inputs: [String: ParameterInput] = [:]
        for name in names {
            let parameter = try parameter(name, in: intent, of: "--credential: ")
            let text = try read(name)
            inputs[parameter.name] = try CommandFailure.mapping(try ParameterInput(text: text, for: parameter))
        }
        return inputs
    }

    /// Returns the members of the `--json` object, keyed by declared parameter name.
    package static func parse(
        json: JSONValue,
        for intent: IntentDeclaration
    ) throws(CommandFailure) -> [String: ParameterInput] {
        guard case .object(let members) = json else {
            throw CommandFailure.badJSON("--json: expected an object")
        }
        var inputs: [String: ParameterInput] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let parameter = try parameter(name, in: intent)
            inputs[parameter.name] = try CommandFailure.mapping(try ParameterInput(json: value, for: parameter))
        }
        return inputs
    }

    /// Returns the parameter with a name.
    ///
    /// - Parameter option: The beginning of the error message for an unknown parameter, such as `--answer: `.
    private static func parameter(
        _ name: String,
        in intent: IntentDeclaration,
        of option: String = ""
    ) throws(CommandFailure) -> ParameterDeclaration {
        if case (let parameter, false)? = ParameterName.find(name, in: intent) { return parameter }
        throw CommandFailure(
            .unknownParameter,
            "\(option)\(intent.name) has no parameter '\(name)'",
            hint: ParameterOptions.nearHint(name, intent, prefix: "")
        )
    }

    /// Returns the error with a corrected command line if the unknown parameter is an intentctl option. Returns nil for
    /// other errors.
    private static func misplacedOption(
        _ error: ParameterError,
        _ invocation: Invocation,
        _ intent: IntentDeclaration
    ) -> CommandFailure? {
        guard let index = error.unknownOption else { return nil }
        let option = String(invocation.rest[index].unicodeScalars.dropFirst(2).prefix { $0 != "=" })
        let ours = CommandSpec.run.options + CommandSpec.globalOptions
        return ours.first { $0.name == option }.map { spec in
            .usage(
                "\(intent.name) has no parameter '\(option)'; write intentctl's own --\(option) before the intent",
                hint: "write: \(invocation.moving(spec, at: index))"
            )
        }
    }
}
