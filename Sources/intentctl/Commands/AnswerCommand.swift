import IntentClient

/// `intentctl answer RUN [VALUE]...`
struct AnswerCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func perform() async throws -> ExitCode {
        let connection = try await invocation.connect()
        let run = invocation.words[0]
        let waiting = try await connection.question(of: run)
        let question = waiting.question
        if invocation.has("prompt") { return try await ask(question, over: connection) }
        guard let text = try text(for: question) else {
            try show(waiting)
            return .done
        }
        // Said in so many words, nothing is a text.
        let isEmptyText = text.isEmpty && question.kind == .value && question.type == .string
        let value = isEmptyText ? RunValue.string("") : try AnswerText.read(text, for: question)
        try await connection.answer(value, to: question.number, of: run)
        if invocation.wantsJSON {
            try Console.output(
                JSONValue.members([
                    "run": .string(run), "question": .int(Int64(clamping: question.number)),
                ]).prettyText()
            )
        } else {
            Console.note("answered: " + SafeText.line(question.text))
        }
        return .done
    }

    /// Nil when none is given. `-` is standard input: a secret is on no command line then.
    private func text(for question: RunQuestion) throws -> String? {
        let words = Array(invocation.words.dropFirst())
        guard let first = words.first else { return nil }
        if words == ["-"], question.type != .file {
            var text = String(decoding: try StandardInput.readAll(), as: UTF8.self)
            if text.last?.isNewline == true { text.removeLast() }
            return text
        }
        guard words.count > 1 else { return first }
        guard case .array = question.type else {
            throw CommandFailure.usage(
                "it takes one answer, and \(words.count) are given",
                hint: "quote one with spaces."
            )
        }
        return words.joined(separator: ",")
    }

    private func show(_ waiting: WaitingRun) throws(CommandFailure) {
        guard !invocation.wantsJSON else { return try Console.output(QuestionText.document(waiting).prettyText()) }
        let title = waiting.title.map { ": " + SafeText.line($0) } ?? ""
        var lines = ["\(SafeText.line(waiting.app))/\(SafeText.line(waiting.intent))\(title)"]
        lines += QuestionText.lines(waiting.question)
        if waiting.question.kind == .value {
            lines.append("  takes \(AnswerText.words(for: waiting.question))")
        }
        lines.append("  " + QuestionText.how(waiting.question))
        try Console.output(lines.joined(separator: "\n"))
    }

    /// Asks the person at the terminal, once more for what is no answer.
    private func ask(_ question: RunQuestion, over connection: IntentConnection) async throws -> ExitCode {
        guard QuestionPrompt.isPossible else {
            throw CommandFailure.usage("--prompt needs a terminal", hint: QuestionText.how(question))
        }
        let prompt = QuestionPrompt()
        defer { prompt.finish() }
        prompt.ask(question)
        for await entry in prompt.entries {
            guard case .line(_, let text) = entry else { return .unanswered }
            do {
                let value = try AnswerText.read(text, for: question)
                try await connection.answer(value, to: question.number, of: question.run)
                return .done
            } catch let failure as CommandFailure {
                prompt.repeatAsking(question, because: failure.message)
            } catch let error as IntentClientError where error.code == .badAnswer {
                prompt.repeatAsking(question, because: error.description)
            }
        }
        return .unanswered
    }
}
