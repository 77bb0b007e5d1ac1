package import IntentClient

/// What somebody types as the answer to a question.
package enum AnswerText {
    /// The answer that the text means.
    ///
    /// - Throws: ``CommandFailure`` that says what the question takes.
    package static func read(_ text: String, for question: RunQuestion) throws(CommandFailure) -> RunValue {
        let trimmed = question.isSecret ? text : text.trimmed
        if trimmed.isEmpty {
            if let value = question.defaultValue { return value }
            if question.isOptional { return .null }
            // A wrong key must not set things going.
            if question.kind == .confirmation { return .bool(false) }
            throw unfit("nothing", for: question)
        }
        switch question.kind {
        case .confirmation: return .bool(try confirmation(trimmed, question))
        case .choice: return .string(try choice(trimmed, question))
        case .value: return try value(trimmed, question)
        }
    }

    /// What it takes, as a person would say it.
    package static func words(for question: RunQuestion) -> String {
        switch question.kind {
        case .confirmation: question.isDestructive ? "yes or no, in full" : "yes or no"
        case .choice: "one of the choices, by its number or name"
        case .value: question.type.words + bounds(question.range) + count(question)
        }
    }

    /// On a command line: `yes|no`, `INTEGER`.
    package static func placeholder(for question: RunQuestion) -> String {
        switch question.kind {
        case .confirmation: "yes|no"
        case .choice:
            (question.choices.prefix(4).map { ShellWord.quote($0.value) } + (question.choices.count > 4 ? ["…"] : []))
                .joined(separator: "|")
        case .value: question.type.placeholder
        }
    }

    // MARK: Private

    private static func confirmation(_ text: String, _ question: RunQuestion) throws(CommandFailure) -> Bool {
        let word = text.lowercased()
        if word == "yes" || word == "true" || says(text, question.acceptLabel) { return true }
        if word == "no" || word == "n" || word == "false" || says(text, question.denyLabel) { return false }
        // What cannot be undone takes more than one letter.
        if word == "y", !question.isDestructive { return true }
        throw unfit("'\(text)'", for: question)
    }

    private static func says(_ text: String, _ label: String?) -> Bool { text.lowercased() == label?.lowercased() }

    /// A value wins over a number in the list, and that over a title.
    private static func choice(_ text: String, _ question: RunQuestion) throws(CommandFailure) -> String {
        if let choice = question.choices.first(where: { $0.value == text }) { return choice.value }
        if let number = Int(text), question.choices.indices.contains(number - 1) {
            return question.choices[number - 1].value
        }
        let folded = text.lowercased()
        let meant = question.choices.filter { $0.value.lowercased() == folded || $0.title.lowercased() == folded }
        guard let choice = meant.first, meant.count == 1 else {
            let near = nearestWord(to: text, among: question.choices.map(\.title))
            throw unfit("'\(text)'", for: question, hint: near.map { "did you mean '\($0)'?" })
        }
        return choice.value
    }

    private static func value(_ text: String, _ question: RunQuestion) throws(CommandFailure) -> RunValue {
        guard case .array(let element) = question.type else { return try single(text, question.type, question) }
        if text.hasPrefix("["), case .array(let values)? = JSONValue(parsing: Array(text.utf8)) {
            var read: [RunValue] = []
            for json in values {
                guard case .value(let value)? = ParameterInput.read(json, as: element) else {
                    throw unfit(json.text(), for: question)
                }
                read.append(value)
            }
            return .array(read)
        }
        let parts = text.split(separator: ",").map(String.init)
        return .array(
            try parts.map { (part) throws(CommandFailure) in try single(part.trimmed, element, question) }
        )
    }

    private static func single(
        _ text: String,
        _ type: ParameterType,
        _ question: RunQuestion
    ) throws(CommandFailure) -> RunValue {
        let value: RunValue
        switch ParameterInput.read(text, as: type) {
        case .value(let read)?: value = read
        case .path(let path)?: return try file { () throws(IntentClientError) in try RunFile(path: path) }
        case .standardInput?:
            return try file { () throws(IntentClientError) in try RunFile(duplicating: 0, name: "stdin") }
        case .list?, nil: throw unfit("'\(text)'", for: question)
        }
        if let problem = type.mismatch(of: value, in: question.range) {
            throw failure("it takes \(problem.message)", hint: problem.hint)
        }
        return value
    }

    private static func file(
        _ open: () throws(IntentClientError) -> RunFile
    ) throws(CommandFailure) -> RunValue {
        do throws(IntentClientError) {
            return .file(try open())
        } catch {
            throw failure(error.message, hint: error.hint)
        }
    }

    private static func bounds(_ range: ParameterRange?) -> String {
        range.flatMap(NumberText.of).map { ", \($0)" } ?? ""
    }

    private static func count(_ question: RunQuestion) -> String {
        guard case .array = question.type else { return "" }
        return ", with commas between them"
    }

    private static func unfit(_ found: String, for question: RunQuestion, hint: String? = nil) -> CommandFailure {
        failure("it takes \(words(for: question)), and \(question.isSecret ? "that" : found) is none", hint: hint)
    }

    private static func failure(_ message: String, hint: String?) -> CommandFailure {
        CommandFailure(.usage, code: IntentClientError.Code.badAnswer.rawValue, message, hint: hint)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
