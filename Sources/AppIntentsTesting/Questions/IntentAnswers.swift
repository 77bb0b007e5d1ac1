/// Who answers the questions of a test's runs.
///
/// A dictionary literal is a table. Its keys are names of parameters, or the texts of questions about no parameter:
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

    /// No client answers, as for a run without a person: the intent fails with the question, or continues without an
    /// answer.
    public static let unavailable = IntentAnswers(source: .unavailable)

    /// A closure answers. When it returns nil, the question stays open for ``IntentTestRun/answer(_:)``. When it throws,
    /// the run is cancelled and ``IntentTestRun/perform(_:)`` throws the error.
    public static func from(
        _ answer: @escaping @Sendable (IntentTestQuestion) throws -> IntentAnswer?
    ) -> IntentAnswers {
        IntentAnswers(source: .closure(answer))
    }

    /// A table answers. A question that is not in the table is a mistake of the test, for which
    /// ``IntentTestRun/perform(_:)`` throws an error.
    public static func table(_ answers: [String: IntentAnswer]) -> IntentAnswers {
        .from { question in
            if let answer = answers[question.parameter ?? question.text] { return answer }
            throw IntentTestError(
                """
                no answer to \(question): the table has \
                \(answers.isEmpty ? "none" : answers.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")). \
                Add '\(question.parameter ?? question.text)'
                """
            )
        }
    }

    /// Creates a table.
    public init(dictionaryLiteral elements: (String, IntentAnswer)...) {
        self = .table(Dictionary(elements) { _, last in last })
    }

    private init(source: Source) {
        self.source = source
    }
}
