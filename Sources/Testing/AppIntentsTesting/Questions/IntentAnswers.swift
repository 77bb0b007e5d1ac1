/// The source of answers to the questions that a test's runs ask.
///
/// A dictionary literal is a table. Each key is the name of a parameter, or the text of a question without a parameter:
///
/// ```swift
/// try await withIntentRun(answers: ["quantity": 3, "Delete 3 invoices?": true]) { run in … }
/// ```
public struct IntentAnswers: Sendable, ExpressibleByDictionaryLiteral {
    enum Source: Sendable {
        case test
        case unavailable
        case closure(@Sendable (IntentTestQuestion) throws -> IntentAnswer?)
    }

    let source: Source

    /// Questions stay open until the test answers them with ``IntentTestRun/answer(_:)``.
    public static let fromTest = IntentAnswers(source: .test)

    /// No client answers questions. If a run asks a question, it ends as unanswered, or continues without an answer if
    /// its intent permits that.
    public static let unavailable = IntentAnswers(source: .unavailable)

    /// Returns a source that calls a closure for each question. If the closure returns nil, the question stays open for
    /// ``IntentTestRun/answer(_:)``. If it throws, the run is cancelled, and ``IntentTestRun/perform(_:)`` throws the
    /// error.
    public static func from(
        _ answer: @escaping @Sendable (IntentTestQuestion) throws -> IntentAnswer?
    ) -> IntentAnswers {
        IntentAnswers(source: .closure(answer))
    }

    /// Returns a source that looks answers up in a table. A question without an entry in the table makes
    /// ``IntentTestRun/perform(_:)`` throw an error.
    public static func table(_ answers: [String: IntentAnswer]) -> IntentAnswers {
        .from { question in
            if let answer = answers[question.parameter ?? question.text] { return answer }
            throw IntentTestError(
                """
                no answer to \(question): the table has \
                \(answers.isEmpty ? "no entries" : answers.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")). \
                Add '\(question.parameter ?? question.text)'
                """
            )
        }
    }

    /// Creates a table of answers.
    public init(dictionaryLiteral elements: (String, IntentAnswer)...) {
        self = .table(Dictionary(elements) { _, last in last })
    }

    private init(source: Source) {
        self.source = source
    }
}
