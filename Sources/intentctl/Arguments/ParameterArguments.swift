package import IntentClient

/// The intent's own part of a command line: parameters by name.
package enum ParameterArguments {
    /// What `invocation.rest` gives, by the parameters' declared names.
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
                    "'\(argument)' has no name: parameters of an intent go by name",
                    hint: intent.parameters.first.map { "for example: \($0.example)" } ?? "it takes no parameters."
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
                    throw .usage("--\(option) takes no value", hint: "say --\(option) or --\(option.dropFirst(3)).")
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
                throw .usage("--\(option) is given twice, and takes one value", hint: "leave one of them out.")
            }
        }
        return inputs
    }

    /// What `--answer` gives, by the parameters' declared names.
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
                    "\(intent.name) has no parameter '\(name)' that it could ask for",
                    hint: nearHint(name, intent, prefix: "")
                )
            }
            guard case .value(let value) = try ParameterInput(text: text, for: parameter) else {
                throw .usage("--answer gives no files", hint: "give it as the parameter: \(parameter.example)")
            }
            switch (parameter.type, answers[parameter.name]) {
            case (.array, .array(let earlier)?): answers[parameter.name] = .array(earlier + [value])
            case (.array, _): answers[parameter.name] = .array([value])
            case (_, nil): answers[parameter.name] = value
            case (_, _?):
                throw .usage("--answer \(name)= is given twice, and one question takes one", hint: "leave one out.")
            }
        }
        return answers
    }

    /// The parameters that `--writable` names, by their declared names: such as have files, by path.
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
                    "\(intent.name) has no parameter '\(name)' whose file could be writable",
                    hint: nearHint(name, intent, prefix: "")
                )
            }
            guard parameter.type.element == .file else {
                throw .usage(
                    "--writable \(name) is for a file, and that parameter takes \(parameter.type.element.words)",
                    hint: "leave it out."
                )
            }
            guard let input = inputs[parameter.name], !input.takesStandardInput else {
                throw .usage(
                    "--writable \(name) needs a file, by its path, that the run may change",
                    hint: "give it behind the intent: --\(ParameterName.kebab(parameter.name)) PATH"
                )
            }
            writable.insert(parameter.name)
        }
        return writable
    }

    /// What an object of `--json` gives, by the parameters' declared names.
    package static func parse(
        json: JSONValue,
        for intent: IntentDeclaration
    ) throws(CommandFailure) -> [String: ParameterInput] {
        guard case .object(let members) = json else {
            throw CommandFailure(
                .badInput,
                code: "badJSON",
                "--json is not an object",
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

    /// - Throws: when a parameter that must be given is missing, or two want standard input.
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
            throw .usage("standard input can be one file, not two", hint: "name the other file by its path.")
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
                "\(intent.name) has no parameter '\(option)', and intentctl's own --\(option) stands before its name",
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
        if names.isEmpty { return "it takes no parameters." }
        return "it takes \(names.map { prefix + $0 }.joined(separator: ", "))."
    }
}
