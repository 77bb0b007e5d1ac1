/// Parses answers that users type.
package enum AnswerText {
    /// An answer, and the files to which its value refers by index.
    package struct Answer: Hashable, Sendable {
        package var value: IntentValue
        package var files: [RunFile] = []
    }

    /// Parses an answer. An empty string selects the question's default, null for an optional value, and no for a
    /// confirmation.
    ///
    /// - Parameter language: The code of the language in which the user may write yes and no, beside English.
    /// - Throws: ``CommandFailure`` with the expected form of the answer.
    package static func read(
        _ text: String,
        for question: Question,
        language: String? = CallerLocale.language
    ) throws(CommandFailure) -> Answer {
        let trimmed = question.isSecret == true ? text : String(text.trimmed)
        if trimmed.isEmpty {
            if let value = question.defaultValue { return Answer(value: value) }
            if question.isOptional == true { return Answer(value: .null) }
            // Treat an empty answer to a confirmation as no, because a user may press Return by mistake.
            if question.kind == .confirmation { return Answer(value: .bool(false)) }
            throw invalid("nothing", for: question)
        }
        switch question.kind {
        case .confirmation: return Answer(value: .bool(try confirmation(trimmed, question, language)))
        case .value where question.type == .bool && matches(trimmed, question.acceptLabel):
            return Answer(value: .bool(true))
        case .value where question.type == .bool && matches(trimmed, question.denyLabel):
            return Answer(value: .bool(false))
        case .choice: return Answer(value: .string(try choice(trimmed, question)))
        case .value, .unknown, nil: return try value(trimmed, question)
        }
    }

    /// Returns the form of the expected answer in words, such as `yes or no`, for messages and prompts.
    package static func words(for question: Question) -> String {
        switch question.kind {
        case .confirmation: question.isDestructive == true ? "yes or no, in full" : "yes or no"
        case .choice: "one of the choices, by its number or name"
        case .value, .unknown, nil: question.type.words + bounds(question.range) + count(question)
        }
    }

    /// Returns the placeholder for the answer on a command line, such as `yes|no` or `INTEGER`.
    package static func placeholder(for question: Question) -> String {
        switch question.kind {
        case .confirmation: "yes|no"
        case .choice:
            (question.choices.prefix(4).map { ShellWord.quote($0.value) } + (question.choices.count > 4 ? ["…"] : []))
                .joined(separator: "|")
        case .value, .unknown, nil: question.type.placeholder
        }
    }

    // MARK: Private

    private static func confirmation(
        _ text: String,
        _ question: Question,
        _ language: String?
    ) throws(CommandFailure) -> Bool {
        let word = text.lowercased()
        let own = language.flatMap { words[$0] }
        let (yes, no) = (["yes", "true"] + (own?.yes ?? []), ["no", "n", "false"] + (own?.no ?? []))
        if yes.contains(word) || matches(text, question.acceptLabel) { return true }
        if no.contains(word) || matches(text, question.denyLabel) { return false }
        // Do not accept a letter for an action that cannot be undone.
        let letters = ["y"] + (own?.yes ?? []).map { String($0.prefix(scalars: 1)) }
        if question.isDestructive != true, letters.contains(word) { return true }
        throw invalid("'\(text)'", for: question)
    }

    /// The words for yes and no, by the code of their language.
    private static let words: [String: (yes: [String], no: [String])] = [
        "cs": (["ano"], ["ne"]), "da": (["ja"], ["nej"]), "de": (["ja"], ["nein"]), "es": (["sí", "si"], []),
        "fi": (["kyllä"], ["ei"]), "fr": (["oui"], ["non"]), "it": (["sì", "si"], []), "nb": (["ja"], ["nei"]),
        "nl": (["ja"], ["nee"]), "pl": (["tak"], ["nie"]), "pt": (["sim"], ["não", "nao"]), "sv": (["ja"], ["nej"]),
    ]

    private static func matches(_ text: String, _ label: String?) -> Bool { text.lowercased() == label?.lowercased() }

    /// Returns the value of the choice that the text identifies: by its exact value, by its number in the list, or,
    /// ignoring case, by its value or title.
    private static func choice(_ text: String, _ question: Question) throws(CommandFailure) -> String {
        if let choice = question.choices.first(where: { $0.value == text }) { return choice.value }
        if let number = Int(text), question.choices.indices.contains(number - 1) {
            return question.choices[number - 1].value
        }
        let folded = text.lowercased()
        let meant = question.choices.filter { $0.value.lowercased() == folded || $0.title.lowercased() == folded }
        guard let choice = meant.first, meant.count == 1 else {
            let hint = NearestName.hint(for: text, among: question.choices.map(\.title))
            throw invalid("'\(text)'", for: question, hint: hint)
        }
        return choice.value
    }

    private static func value(_ text: String, _ question: Question) throws(CommandFailure) -> Answer {
        var answer = Answer(value: .null)
        guard case .array(let element) = question.type else {
            answer.value = try single(text, question.type, question, &answer.files)
            return answer
        }
        var values: [IntentValue] = []
        if text.hasPrefix(utf8: "["), case .array(let elements)? = JSONValue(parsing: Array(text.utf8)) {
            for json in elements {
                guard case .value(let value)? = ParameterInput.read(json, as: element) else {
                    throw invalid(json.text(), for: question)
                }
                values.append(value)
            }
        } else {
            for part in text.split(scalar: ",") {
                values.append(try single(String(part.trimmed), element, question, &answer.files))
            }
        }
        answer.value = .array(values)
        return answer
    }

    private static func single(
        _ text: String,
        _ type: ValueType,
        _ question: Question,
        _ files: inout [RunFile]
    ) throws(CommandFailure) -> IntentValue {
        switch ParameterInput.read(text, as: type) {
        case .value(let value)?:
            do throws(ValueMismatch) {
                _ = try type.accept(value, in: question.range)
            } catch {
                throw failure("invalid answer: \(error.message)", hint: error.hint)
            }
            return value
        case .path(let path)?: files.append(try file(try RunFile(path: path)))
        case .standardInput?: files.append(try file(try RunFile(duplicating: 0, name: "stdin")))
        case .list?, nil: throw invalid("'\(text)'", for: question)
        }
        return files[files.count - 1].value(at: files.count - 1)
    }

    private static func file(
        _ open: @autoclosure () throws(IntentClientError) -> RunFile
    ) throws(CommandFailure) -> RunFile {
        do throws(IntentClientError) {
            return try open()
        } catch {
            throw failure(error.message, hint: error.hint)
        }
    }

    private static func bounds(_ range: NumberRange?) -> String {
        range.flatMap(NumberText.of).map { ", \($0)" } ?? ""
    }

    private static func count(_ question: Question) -> String {
        guard case .array = question.type else { return "" }
        return (question.size.map { ", \($0.phrase)" } ?? "") + ", separated by commas"
    }

    private static func invalid(_ found: String, for question: Question, hint: String? = nil) -> CommandFailure {
        failure(
            "invalid answer: expected \(words(for: question))"
                + (question.isSecret == true ? "" : ", got \(found)"),
            hint: hint
        )
    }

    private static func failure(_ message: String, hint: String?) -> CommandFailure {
        CommandFailure(.badAnswer, message, hint: hint)
    }
}
