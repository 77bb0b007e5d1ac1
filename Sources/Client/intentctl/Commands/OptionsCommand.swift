/// Implements `intentctl options [--where CONDITION]… APP/INTENT PARAMETER [TEXT]`.
struct OptionsCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        var words = invocation.words
        guard invocation.has("local") else {
            let selection = Selection(words.removeFirst())
            guard let intent = selection.intent, !intent.isEmpty, !selection.app.isEmpty else {
                throw CommandFailure.usage(
                    "expected APP/INTENT, got '\(invocation.words[0])'",
                    hint: "'intentctl list' lists the intents"
                )
            }
            return try await ask(intent, of: selection.app, words, over: try await invocation.connect())
        }
        let (executable, intent) = (words.removeFirst(), words.removeFirst())
        let rest = words
        return try await LocalDaemon.with(executable, for: .run) { connection, app in
            try await ask(intent, of: app, rest, over: connection)
        }
    }

    private func ask(
        _ intentName: String,
        of appName: String,
        _ words: [String],
        over connection: IntentConnection
    ) async throws -> ExitCode {
        let app = try await connection.app(named: appName)
        let intent = try Selection.find(intentName, in: app)
        guard case (let parameter, false)? = ParameterName.find(words[0], in: intent) else {
            throw CommandFailure(
                .unknownParameter,
                "\(intent.name) has no parameter '\(words[0])'",
                hint: NearestName.hint(for: words[0], among: intent.parameters.map(\.name))
                    ?? "'intentctl describe \(app.name)/\(intent.name)' lists the parameters"
            )
        }
        let search = try SearchArguments.question(of: invocation, about: parameter)
        let text = words.dropFirst().first
        if search != nil, let text {
            throw CommandFailure.usage(
                "'\(text)' cannot be combined with --where, --sort, --any or --limit",
                hint: "remove one of them"
            )
        }
        if case .enumeration(let choices) = parameter.type.element, parameter.hasOptions != true {
            return try show(Self.options(choices, matching: text))
        }
        var request = PerformRequest(
            app: app.name,
            intent: intent.name,
            values: try knownValues(for: intent),
            locale: CallerLocale.identifier,
            query: OptionsQuery(parameter: parameter.name, text: text, search: search)
        )
        // Refuse the questions of the run, because a query for options must not ask the user.
        request.answers = AnswersInAdvance(others: .refuse)
        let run = try await connection.perform(request)
        let result = try await RunDisplay.follow(run.events, of: run.id, .print)
        guard case .done(let value, _) = result.outcome else {
            if let sentence = EndSentence.of(result.end, clocks: nil, intent: intent) { Console.note(sentence) }
            return ExitCode(result.outcome)
        }
        guard case .array(let options)? = value else { return try show([]) }
        return try show(options)
    }

    /// Returns the first values that a parameter offers; none if the app offers none or fails.
    static func suggestions(
        for parameter: ParameterDeclaration,
        of intent: IntentDeclaration,
        in app: AppDescription,
        given inputs: [String: ParameterInput],
        over connection: IntentConnection
    ) async -> [EnumerationCase] {
        var request = PerformRequest(
            app: app.name,
            intent: intent.name,
            values: inputs.mapValues(\.plainValue).filter { $0.value != .null },
            locale: CallerLocale.identifier,
            query: OptionsQuery(parameter: parameter.name)
        )
        request.answers = AnswersInAdvance(others: .refuse)
        guard let result = try? await connection.perform(request).result,
            case .done(.array(let options), _) = result.outcome
        else { return [] }
        return options.prefix(MissingValues.suggestionLimit).compactMap { option in
            guard case .object(let members) = option, case .string(let value)? = members["value"],
                case .string(let title)? = members["title"]
            else { return nil }
            let subtitle = if case .string(let text)? = members["subtitle"] { text } else { String?.none }
            return EnumerationCase(value: value, title: title, subtitle: subtitle)
        }
    }

    /// Returns the values of other parameters on which the options can depend.
    private func knownValues(for intent: IntentDeclaration) throws(CommandFailure) -> [String: IntentValue] {
        guard let text = invocation["json"] else { return [:] }
        guard let json = JSONValue(parsing: Array(text.utf8)) else {
            throw CommandFailure.badJSON("the value of --json is not JSON")
        }
        var values: [String: IntentValue] = [:]
        for (name, input) in try ParameterArguments.parse(json: json, for: intent) { values[name] = input.plainValue }
        return values
    }

    private static func options(_ choices: [EnumerationCase], matching text: String?) -> [IntentValue] {
        let needle = SearchText(text ?? "")
        return choices.filter { SearchText($0.value).contains(needle) || SearchText($0.title).contains(needle) }
            .map { .object(["value": .string($0.value), "title": .string($0.title)]) }
    }

    private func show(_ options: [IntentValue]) throws(CommandFailure) -> ExitCode {
        let rows = options.map { option in
            ["value", "title", "subtitle", "section"].map { name in
                guard case .object(let members) = option, let value = members[name] else { return "" }
                return ValueText.of(value)
            }
        }
        // Omit the columns MORE and SECTION if they are empty.
        let titles = ["VALUE", "TITLE", "MORE", "SECTION"]
        let columns = titles.indices.filter { column in column < 2 || rows.contains { !$0[column].isEmpty } }
        try invocation.output(
            json: .object(["options": .array(options.map { JSONValue(plain: $0) })]),
            text: TextTable.render(columns.map { titles[$0] }, rows.map { row in columns.map { row[$0] } })
        )
        return .done
    }
}
