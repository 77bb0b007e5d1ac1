import IntentLinux

/// Asks on the terminal for required values that the command line does not contain.
enum MissingValues {
    /// Asks for each missing value. If the user presses Ctrl-D, the remaining values stay missing.
    static func ask(
        _ inputs: inout [String: ParameterInput],
        for intent: IntentDeclaration
    ) throws(CommandFailure) {
        for parameter in intent.parameters where parameter.isRequired && inputs[parameter.name] == nil {
            guard let input = try ask(for: parameter) else { return }
            inputs[parameter.name] = input
        }
    }

    /// - Returns: The value, or nil at the end of the input.
    static func ask(for parameter: ParameterDeclaration) throws(CommandFailure) -> ParameterInput? {
        let question = Question(parameter)
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
                return .value(try AnswerText.read(text, for: question).value)
            } catch {
                // Throw the error if the user repeats the answer. A program that controls the terminal could repeat an
                // invalid answer forever.
                guard text != last else { throw error }
                last = text
                Console.note(SafeText.line(error.message))
            }
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
