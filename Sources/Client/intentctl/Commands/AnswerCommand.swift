import IntentLinux

/// Implements `intentctl answer RUN [VALUE]...`, which answers or shows a run's open question.
struct AnswerCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let connection = try await invocation.connect()
        let run = try invocation.run()
        let waiting = try await connection.question(of: run)
        let question = waiting.question.question
        if invocation.has("prompt") {
            for line in await values(of: run, over: connection) + QuestionText.scope(waiting.question) {
                Console.note(line)
            }
            return try await ask(waiting, over: connection)
        }
        guard let text = try text(for: question) else {
            try show(waiting, values: await values(of: run, over: connection))
            return .done
        }
        // Treat an empty argument as an empty string, not as a missing answer.
        let isEmptyText = text.isEmpty && question.kind ?? .value == .value && question.type == .string
        let answer = isEmptyText ? AnswerText.Answer(value: .string("")) : try AnswerText.read(text, for: question)
        let scope = try invocation.span("for", examples: ["1h"])
        try await connection.answer(answer.value, files: answer.files, to: question.number, of: run, for: scope)
        if invocation.wantsJSON {
            try Console.output(
                .members(["run": .string(run.text), "question": .int(Int64(clamping: question.number))])
            )
        } else {
            Console.note("answered: " + SafeText.line(question.text))
        }
        return .done
    }

    /// Returns the answer on the command line, or nil if the command line contains no answer. For `-`, reads the answer
    /// from standard input, so that secrets do not have to appear on the command line.
    private func text(for question: Question) throws -> String? {
        let words = Array(invocation.words.dropFirst())
        guard let first = words.first else { return nil }
        if words == ["-"], question.type != .file {
            var bytes = try StandardInput.readAll()
            for end in [UInt8(ascii: "\n"), UInt8(ascii: "\r")] where bytes.last == end { bytes.removeLast() }
            return String(foreign: bytes)
        }
        guard words.count > 1 else { return first }
        guard case .array = question.type else {
            throw CommandFailure.usage(
                "expected one answer, got \(words.count)",
                hint: "enclose an answer with spaces in quotation marks"
            )
        }
        return words.joined(separator: ",")
    }

    /// Returns the whole values of the run, which the title and the question may abbreviate. Without the right to read
    /// them, returns no line.
    private func values(of run: RunID, over connection: IntentConnection) async -> [String] {
        guard let story = try? await connection.story(of: run) else { return [] }
        let lines =
            story.values.sorted { $0.key < $1.key }.map { "  \(SafeText.line($0)) = \($1.quoted)" }
            + story.secretNames.sorted().map { "  \(SafeText.line($0)) (secret)" }
        return lines.isEmpty ? [] : ["Values:"] + lines
    }

    private func show(_ waiting: AskingRun, values: [String]) throws(CommandFailure) {
        guard !invocation.wantsJSON else { return try Console.output(JSONValue(waiting)) }
        let title = waiting.title.map { ": " + SafeText.line($0) } ?? ""
        var lines = ["\(SafeText.line(waiting.app))/\(SafeText.line(waiting.intent))\(title)"] + values
        let question = waiting.question.question
        if let snippet = question.snippet {
            lines += SnippetText.lines(snippet, columns: SnippetText.columnLimit, .none)
            if let instruction = SnippetDisplay.instruction(snippet, of: waiting.run, at: .ofCommand) {
                lines.append("  " + instruction)
            }
        }
        lines += QuestionText.lines(question)
        lines += QuestionText.expectation(question) + QuestionText.scope(waiting.question)
        lines.append("  " + QuestionText.instruction(waiting.question, of: waiting.run))
        try Console.output(lines.joined(separator: "\n"))
    }

    /// Asks the question on the terminal, and repeats it after an invalid answer.
    private func ask(_ waiting: AskingRun, over connection: IntentConnection) async throws -> ExitCode {
        guard QuestionPrompt.isPossible else {
            throw CommandFailure.usage(
                "--prompt needs a terminal",
                hint: QuestionText.instruction(waiting.question, of: waiting.run)
            )
        }
        let prompt = QuestionPrompt()
        defer { prompt.finish() }
        prompt.ask(waiting.question)
        for await entry in prompt.entries {
            guard case .line(_, let text) = entry else { return .unanswered }
            do {
                let answer = try AnswerText.read(text, for: waiting.question.question)
                let number = waiting.question.question.number
                let scope = try invocation.span("for", examples: ["1h"])
                try await connection.answer(answer.value, files: answer.files, to: number, of: waiting.run, for: scope)
                return .done
            } catch let failure as CommandFailure {
                prompt.repeatAsking(waiting.question, because: failure.message)
            } catch let error as IntentClientError where error.code == .badAnswer {
                prompt.repeatAsking(waiting.question, because: error.description)
            }
        }
        return .unanswered
    }
}
