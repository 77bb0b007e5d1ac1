package import IntentLauncherMessages

/// The checks that an answer fits its question, and that a question is well formed.
package enum AnswerCheck {
    /// Checks an answer, and converts it to the form that the worker receives.
    ///
    /// - Parameter fileCount: The number of files that were passed with the answer.
    /// - Throws: An ``ErrorReport`` with the values that the question accepts. The question stays open.
    package static func accept(
        _ value: IntentValue,
        for question: Question,
        fileCount: Int = 0
    ) throws(ErrorReport) -> IntentValue {
        guard value != .null else {
            guard question.isOptional == true else { throw bad("expected \(question.type.phrase), got nothing") }
            return value
        }
        let accepted: IntentValue
        do throws(ValueMismatch) {
            accepted = try question.type.accept(plain(value, for: question), in: question.range)
        } catch {
            throw bad(error.message, hint: error.hint)
        }
        for file in accepted.files {
            guard (0..<fileCount).contains(file.index) else {
                throw bad("expected the index of one of the answer's \(fileCount) files, got \(file.index)")
            }
            guard FileName.isPlain(file.name), file.name.utf8.count <= 255 else {
                throw bad(
                    "expected a file name without '/' or control characters",
                    hint: "specify only the last component of the file's path"
                )
            }
        }
        if let size = question.size, case .array(let elements) = accepted, !size.contains(elements.count) {
            throw bad("expected \(size.phrase), got \(elements.count)")
        }
        return accepted
    }

    /// Returns the reason why a question is malformed, or nil if it is well formed.
    ///
    /// - Parameter intent: Nil for an adopted run, because its intent's declaration is unknown.
    static func problem(with question: Question, of intent: IntentDeclaration?) -> String? {
        if let name = question.parameter, let intent, !intent.parameters.contains(where: { $0.name == name }) {
            return "its question is about an unknown parameter '\(name.prefix(scalars: 100))'"
        }
        switch (question.kind, question.type) {
        case (.confirmation, .bool), (.value, _), (nil, _): break
        case (.choice, .enumeration(let cases)):
            if Set(cases.map(\.value)).count < max(1, cases.count) {
                return "its question has duplicate cases or no cases"
            }
        case (.confirmation, _), (.choice, _): return "its question has the wrong type for its kind"
        case (.unknown(let kind), _): return "its question has an unknown kind '\(kind.prefix(scalars: 100))'"
        }
        // Limit the size, because every subscriber receives the question and the history records it.
        let byteCount = WireCoding.encode(question).count
        return byteCount <= Question.byteLimit
            ? nil : "its question has \(byteCount) bytes, more than the limit of \(Question.byteLimit)"
    }

    /// Removes the question's snippet if the question would otherwise exceed its size limit, which is smaller than a
    /// snippet's limit. Users can still answer, because the question's text remains.
    static func withFittingSnippet(_ question: Question) -> Question {
        guard question.snippet != nil, WireCoding.encode(question).count > Question.byteLimit else { return question }
        var question = question
        question.snippet = nil
        return question
    }

    /// Converts a number that answers a choice into a string, because cases are compared as strings.
    private static func plain(_ value: IntentValue, for question: Question) -> IntentValue {
        guard case .enumeration = question.type, case .int(let number) = value else { return value }
        return .string(String(number))
    }

    private static func bad(_ message: String, hint: String? = nil) -> ErrorReport {
        ErrorReport(.badAnswer, "invalid answer: \(message)", hint: hint)
    }
}
