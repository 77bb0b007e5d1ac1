import IntentLinux

/// Asks on the terminal for required values that the command line does not contain.
enum MissingValues {
    /// The maximum number of suggestions that a question lists.
    static let suggestionLimit = 20

    /// Asks for each missing value. If the user presses Ctrl-D, the remaining values stay missing.
    ///
    /// - Parameter suggestions: Returns the values that the app suggests for a parameter, which may depend on the values
    ///   of others.
    static func ask(
        _ inputs: inout [String: ParameterInput],
        for intent: IntentDeclaration,
        suggestions: (ParameterDeclaration, [String: ParameterInput]) async -> [EnumerationCase]
    ) async throws {
        for parameter in intent.parameters where parameter.isRequired && inputs[parameter.name] == nil {
            let found = parameter.hasOptions == true ? await suggestions(parameter, inputs) : []
            guard let input = try ask(for: parameter, suggesting: found) else { return }
            inputs[parameter.name] = input
        }
    }

    /// - Parameter suggestions: The values to list. The user may also type another value.
    /// - Returns: The value, or nil at the end of the input.
    static func ask(
        for parameter: ParameterDeclaration,
        suggesting suggestions: [EnumerationCase] = []
    ) throws(CommandFailure) -> ParameterInput? {
        var question = Question(parameter)
        let plain = question
        if !suggestions.isEmpty, parameter.type.element == parameter.type {
            question.type = .enumeration(suggestions)
            question.kind = .choice
        }
        Console.note(QuestionText.lines(question).joined(separator: "\n"))
        var last: String?
        while true {
            guard let text = line(after: QuestionText.prompt(question), isSecret: parameter.isSecret == true) else {
                Console.draw("\n")
                return nil
            }
            do throws(CommandFailure) {
                // Keep the path: `OpenInputs` opens the file later, together with the other files.
                if parameter.type.element == .file {
                    return try CommandFailure.mapping(try ParameterInput(text: text, for: parameter))
                }
                return .value(try answer(text, question, or: plain))
            } catch {
                // Throw the error if the user repeats the answer. A program that controls the terminal could repeat an
                // invalid answer forever.
                guard text != last else { throw error }
                last = text
                Console.note(SafeText.line(error.message))
            }
        }
    }

    /// Reads an answer as one of the suggestions, or else as any value.
    private static func answer(
        _ text: String,
        _ question: Question,
        or plain: Question
    ) throws(CommandFailure) -> IntentValue {
        guard question != plain else { return try AnswerText.read(text, for: plain).value }
        do throws(CommandFailure) {
            return try AnswerText.read(text, for: question).value
        } catch {
            // The answer can be an id that the app did not suggest.
            return try AnswerText.read(text, for: plain).value
        }
    }

    private static func line(after prompt: String, isSecret: Bool) -> String? {
        Echo.ask(prompt, hidesInput: isSecret)
        defer {
            Echo.restore()
            // Print the line break that the terminal does not echo for hidden input.
            if isSecret { Console.draw("\n") }
        }
        return Console.line()
    }

}

extension Question {
    /// Creates the question that asks for a value that the command line does not contain.
    fileprivate init(_ parameter: ParameterDeclaration) {
        var kind: Kind?
        if case .enumeration = parameter.type { kind = .choice }
        self.init(
            number: 1,
            text: parameter.question ?? parameter.title,
            parameter: parameter.name,
            type: parameter.type,
            kind: kind,
            title: parameter.title
        )
        range = parameter.range
        isSecret = parameter.isSecret
        acceptLabel = parameter.boolNames?.true
        denyLabel = parameter.boolNames?.false
    }
}
