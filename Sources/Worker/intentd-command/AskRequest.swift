import IntentCommandLine
package import IntentLauncherMessages

/// A question that intent-ask(1) sends to its worker. It consists of the kind, the default, the question's text and the
/// choices, each followed by a NUL.
package struct AskRequest: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case text
        case integer
        case number
        case date
        case choice
        case confirm
    }

    package var kind: Kind
    package var text: String
    package var defaultValue: String?
    package var choices: [String]

    /// The maximum size of a request in bytes. Even escaped as JSON, a request of this size fits into a question
    /// (``Question/byteLimit``).
    package static let byteLimit = 4 << 10
    private static let choiceLimit = 100

    /// Parses a request. Returns nil for bytes that intent-ask never sends.
    package init?(_ bytes: [UInt8]) {
        guard bytes.last == 0, bytes.count <= Self.byteLimit else { return nil }
        let fields = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
            .map { String(foreign: $0) }
        guard fields.count >= 3, let kind = Kind(rawValue: fields[0]), !fields[2].isEmpty else { return nil }
        self.kind = kind
        defaultValue = fields[1].isEmpty ? nil : fields[1]
        text = fields[2]
        choices = Array(fields[3...])
        guard choices.count <= Self.choiceLimit, Set(choices).count == choices.count,
            (kind == .choice) == !choices.isEmpty
        else { return nil }
    }

    /// The question. Its number is 0 until ``CommandRun`` assigns one.
    package var question: Question {
        var question = Question(number: 0, text: text, type: type, kind: questionKind)
        if let defaultValue { question.defaultValue = ParameterInput.read(defaultValue, as: type)?.plainValue }
        return question
    }

    private var type: ValueType {
        switch kind {
        case .text: .string
        case .integer: .int
        case .number: .double
        case .date: .date
        case .choice: .enumeration(choices.map { EnumerationCase(value: $0, title: $0) })
        case .confirm: .bool
        }
    }

    private var questionKind: Question.Kind {
        switch kind {
        case .text, .integer, .number, .date: .value
        case .choice: .choice
        case .confirm: .confirmation
        }
    }
}

/// The reply to intent-ask(1): a status byte, followed by the answer as a string.
package enum AskReply: Equatable, Sendable {
    case answer(String)
    /// The user declined, or answered no to a confirmation.
    case declined
    /// No answer follows, because the run is being cancelled, or because intentd refused the question.
    case unanswered
    /// The request is invalid. The string is the reason.
    case refused(String)

    package var bytes: [UInt8] {
        switch self {
        case .answer(let text): [UInt8(ascii: "A")] + Array(text.utf8)
        case .declined: [UInt8(ascii: "D")]
        case .unanswered: [UInt8(ascii: "U")]
        case .refused(let reason): [UInt8(ascii: "R")] + Array(reason.utf8)
        }
    }

    /// Converts the answer to a question into a string.
    init(_ value: IntentValue, to question: Question) {
        if question.isDeclined(by: value) {
            self = .declined
            return
        }
        switch value {
        case .string(let text): self = .answer(text)
        case .bool(let flag): self = .answer(flag ? "yes" : "no")
        case .int(let number): self = .answer(String(number))
        case .double(let number): self = .answer(NumberText.short(number))
        case .null, .array, .file, .object: self = .unanswered
        }
    }
}
