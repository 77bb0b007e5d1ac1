package import IntentClient

/// The part of a command line that belongs to the intent: parameters by name.
package enum ParameterArguments {
    /// The values in `invocation.rest`, by the declared names of the parameters.
    package static func parse(
        _ invocation: Invocation,
        for intent: IntentDeclaration
    ) throws(CommandFailure) -> [String: ParameterInput] {
        var inputs: [String: ParameterInput] = [:]
        let arguments = invocation.rest
        var place = 0
        while place < arguments.count {
            let argument = arguments[place]
            let start = place
            place += 1
            if argument == "--", place == arguments.count { break }
            guard argument.hasPrefix("--"), argument.count > 2 else {
                throw .usage(
                    "unexpected argument '\(argument)': an intent's parameters are given by name",
                    hint: intent.parameters.first.map { "for example: \($0.example)" }
                        ?? "\(intent.name) has no parameters."
                )
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = String(parts[0])
            guard let (parameter, isNegated) = ParameterName.find(option, in: intent) else {
                throw unknown(option, at: start, invocation, intent)
            }
            let text: String
            if parts.count > 1 {
                text = String(parts[1])
                guard !isNegated else {
                    throw .usage("--\(option) takes no value", hint: "write --\(option) or --\(option.dropFirst(3)).")
                }
            } else if parameter.type == .bool {
                text = isNegated ? "false" : "true"
            } else {
                guard place < arguments.count, !isOption(arguments[place]) else {
                    throw .usage(
                        "--\(option) needs a value: \(parameter.type.element.words)",
                        hint: "for example: \(parameter.example). A value that starts with hyphens: --\(option)=VALUE"
                    )
                }
                text = arguments[place]
                place += 1
            }
            let input = try ParameterInput(text: text, for: parameter)
            switch (parameter.type, inputs[parameter.name]) {
            case (.array, .list(let earlier)?): inputs[parameter.name] = .list(earlier + [input])
            case (.array, _): inputs[parameter.name] = .list([input])
            case (_, nil): inputs[parameter.name] = input
            case (_, _?):
                throw .usage("--\(option) is given twice but takes one value", hint: "leave out one of them.")
            }
        }
        return inputs
    }

    /// The values of `--answer`, by the declared names of the parameters.
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
            guard case (let parameter, false)? = ParameterName.find(name, in: intent) else {
                throw CommandFailure(
                    .usage,
                    code: ErrorReport.Code.unknownParameter.rawValue,
                    "--answer: \(intent.name) has no parameter '\(name)'",
                    hint: nearHint(name, intent, prefix: "")
                )
            }
            guard case .value(let value) = try ParameterInput(text: text, for: parameter) else {
                throw .usage("--answer cannot pass files", hint: "pass it as the parameter: \(parameter.example)")
            }
            switch (parameter.type, answers[parameter.name]) {
            case (.array, .array(let earlier)?): answers[parameter.name] = .array(earlier + [value])
            case (.array, _): answers[parameter.name] = .array([value])
            case (_, nil): answers[parameter.name] = value
            case (_, _?):
                throw .usage(
                    "--answer \(name)= is given twice but a question takes one answer",
                    hint: "leave out one of them."
                )
            }
        }
        return answers
    }

    /// The declared names of the parameters that `--writable` names. Each must have a file, given by its path.
    package static func writable(
        _ names: [String],
        in inputs: [String: ParameterInput],
        for intent: IntentDeclaration
    ) throws(CommandFailure) -> Set<String> {
        var writable: Set<String> = []
        for name in names {
            guard case (let parameter, false)? = ParameterName.find(name, in: intent) else {
                throw CommandFailure(
                    .usage,
                    code: ErrorReport.Code.unknownParameter.rawValue,
                    "--writable: \(intent.name) has no parameter '\(name)'",
                    hint: nearHint(name, intent, prefix: "")
                )
            }
            guard parameter.type.element == .file else {
                throw .usage(
                    "--writable \(name): expected a parameter for a file, got one for \(parameter.type.element.words)",
                    hint: "leave out --writable \(name)."
                )
            }
            guard let input = inputs[parameter.name], !input.takesStandardInput else {
                throw .usage(
                    "--writable \(name): the parameter has no file, or it is standard input",
                    hint: "give a file after the intent: --\(ParameterName.kebab(parameter.name)) PATH"
                )
            }
            writable.insert(parameter.name)
        }
        return writable
    }

    /// The values in the object of `--json`, by the declared names of the parameters.
    package static func parse(
        json: JSONValue,
        for intent: IntentDeclaration
    ) throws(CommandFailure) -> [String: ParameterInput] {
        guard case .object(let members) = json else {
            throw CommandFailure(
                .badInput,
                code: "badJSON",
                "--json: expected an object",
                hint: "for example: --json '{\"name\": \"value\"}'"
            )
        }
        var inputs: [String: ParameterInput] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard case (let parameter, false)? = ParameterName.find(name, in: intent) else {
                throw CommandFailure(
                    .usage,
                    code: ErrorReport.Code.unknownParameter.rawValue,
                    "\(intent.name) has no parameter '\(name)'",
                    hint: nearHint(name, intent, prefix: "")
                )
            }
            if let input = try ParameterInput(json: value, for: parameter) { inputs[parameter.name] = input }
        }
        return inputs
    }

    /// - Throws: ``CommandFailure`` when a required parameter is missing, or two parameters read standard input.
    package static func check(
        _ inputs: [String: ParameterInput],
        for intent: IntentDeclaration,
        readyLine: String
    ) throws(CommandFailure) {
        let missing = intent.parameters.filter { $0.isRequired && inputs[$0.name] == nil }
        guard missing.isEmpty else {
            let names = missing.map { "--\(ParameterName.kebab($0.name)) (\($0.type.words))" }
            throw CommandFailure(
                .usage,
                code: ErrorReport.Code.missingParameter.rawValue,
                "\(intent.name) needs \(names.joined(separator: ", "))",
                hint: "for example: \(readyLine)"
            )
        }
        guard inputs.values.flatMap(\.leaves).count(where: { $0 == .standardInput }) <= 1 else {
            throw .usage("standard input is given for two parameters", hint: "give one of them a path.")
        }
    }

    private static func isOption(_ argument: String) -> Bool {
        argument.hasPrefix("--") && argument.count > 2
    }

    private static func unknown(
        _ option: String,
        at place: Int,
        _ invocation: Invocation,
        _ intent: IntentDeclaration
    ) -> CommandFailure {
        let ours = CommandSpec.named(.run).options + CommandSpec.globalOptions
        if let spec = ours.first(where: { $0.name == option }) {
            return .usage(
                "\(intent.name) has no parameter '\(option)'; intentctl's own --\(option) goes before its name",
                hint: "write: \(invocation.moving(spec, at: place))"
            )
        }
        return CommandFailure(
            .usage,
            code: ErrorReport.Code.unknownParameter.rawValue,
            "\(intent.name) has no parameter '\(option)'",
            hint: nearHint(option, intent, prefix: "--")
        )
    }

    private static func nearHint(_ name: String, _ intent: IntentDeclaration, prefix: String) -> String {
        let names = intent.parameters.map { prefix.isEmpty ? $0.name : ParameterName.kebab($0.name) }
        if let near = NearestName.of(name, among: names) { return "did you mean '\(prefix)\(near)'?" }
        if names.isEmpty { return "\(intent.name) has no parameters." }
        return "its parameters: \(names.map { prefix + $0 }.joined(separator: ", "))."
    }
}
