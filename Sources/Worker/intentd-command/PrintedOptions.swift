import IntentCommands
package import IntentLauncherMessages

/// The values that an `OptionsCommand=` program has printed, one per line. A tab separates a value from its title.
package struct PrintedOptions: Equatable, Sendable {
    package struct Option: Equatable, Sendable {
        package var value: String
        package var title: String
    }

    package var options: [Option]

    package init(output: [UInt8]) {
        options = String(foreign: output).lines().map { line in
            let parts = line.split(scalar: "\t", maxSplits: 1).map { String($0) }
            let value = parts.first ?? ""
            return Option(value: value, title: parts.count > 1 ? parts[1] : value)
        }
        .filter { !$0.value.isEmpty }
    }

    /// Returns the list as the result of a run.
    ///
    /// - Parameter text: A string that the value or the title of each returned option contains; nil for all options.
    package func value(matching text: String?) -> IntentValue {
        let needle = SearchText(text ?? "")
        let kept = options.filter {
            SearchText($0.value).contains(needle) || SearchText($0.title).contains(needle)
        }
        return .array(kept.map { .object(["value": .string($0.value), "title": .string($0.title)]) })
    }
}

extension PrintedOptions {
    /// Runs the `OptionsCommand=` program for a query.
    init(
        of query: OptionsQuery,
        _ intent: CommandIntent,
        _ given: [String: IntentValue],
        output: ([String]) throws -> [UInt8]
    ) throws {
        guard let parameter = intent.parameter(query.parameter), let command = parameter.optionsCommand else {
            throw ArgumentError("'\(query.parameter)' of '\(intent.name)' has no options to choose from")
        }
        guard query.search == nil, query.identifier == nil else {
            throw ArgumentError("'\(query.parameter)' of '\(intent.name)' cannot be searched by properties")
        }
        try self.init(command, intent, given, output)
    }

    private init(
        _ command: [TemplateWord],
        _ intent: CommandIntent,
        _ given: [String: IntentValue],
        _ output: ([String]) throws -> [UInt8]
    ) throws {
        // Make all parameters optional, because the options can depend on other values, and some can still be missing.
        var partial = intent
        partial.parameters = intent.parameters.map { parameter in
            var optional = parameter
            optional.declaration.isOptional = true
            return optional
        }
        let values = try CommandValues(given, of: partial) { _ in throw ArgumentError("options cannot depend on a file")
        }
        self.init(output: try output(try values.arguments(command)))
    }

    /// Checks that the given values of a parameter are among its options.
    static func check(
        _ parameter: CommandParameter,
        of intent: CommandIntent,
        _ given: [String: IntentValue],
        output: ([String]) throws -> [UInt8]
    ) throws {
        let value = CommandValues.value(of: parameter, in: given)
        guard let command = parameter.optionsCommand, value != .null else { return }
        let options = try PrintedOptions(command, intent, given, output).options
        let texts = if case .array(let values) = value { values } else { [value] }
        for case .string(let text) in texts where !options.contains(where: { $0.value == text }) {
            let names = options.map(\.value)
            let some = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
            let hint = NearestName.hint(for: text, among: names)
            throw ArgumentError("parameter '\(parameter.name)' must be one of \(some)\(hint.map { "; \($0)" } ?? "")")
        }
    }
}
