/// A summary of an intent: a sentence that contains parameters, and optionally further parameters. Intents refer to
/// this type as `Summary`.
///
/// Source: Apple's IntentParameterSummary page.
public struct IntentParameterSummary<Intent: AppIntent>: ParameterSummary {
    public let _content: _ParameterSummaryContent

    /// Creates an empty summary.
    public init() {
        _content = .sentence(nil, others: [])
    }

    /// Creates a summary with a sentence.
    public init(_ summary: ParameterSummaryString<Intent>, table: String? = nil) {
        _content = .sentence(summary.sentence, others: [])
    }

    /// Creates a summary with a sentence and a list of further parameters.
    public init(
        _ summary: ParameterSummaryString<Intent>,
        table: String? = nil,
        @ParameterSummaryKeyPathsBuilder<Intent> otherParameters: () -> [String]
    ) {
        _content = .sentence(summary.sentence, others: otherParameters())
    }

    /// Creates a summary with a list of parameters and no sentence.
    public init(@ParameterSummaryKeyPathsBuilder<Intent> otherParameters: () -> [String]) {
        _content = .sentence(nil, others: otherParameters())
    }
}

/// A sentence that contains parameters: `"Order \(\.$soup)"`.
///
/// Source: Apple's ParameterSummaryString page.
public struct ParameterSummaryString<Intent: AppIntent>: Sendable, ExpressibleByStringInterpolation {
    let sentence: String

    public init(stringLiteral value: String) {
        sentence = value
    }

    public init(stringInterpolation: StringInterpolation) {
        sentence = stringInterpolation.sentence
    }

    /// Collects the parts of a sentence.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var sentence = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            sentence += literal
        }

        /// Appends a placeholder for a parameter.
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {
            sentence += "${\(IntentInspection.name(of: parameter))}"
        }
    }
}

/// A result builder that collects the names of the parameters that are not in the sentence.
///
/// Source: Apple's ParameterSummary page.
@resultBuilder
public enum ParameterSummaryKeyPathsBuilder<Intent: AppIntent> {
    /// Adds a parameter.
    public static func buildExpression<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) -> String {
        IntentInspection.name(of: parameter)
    }

    /// Combines the parameters of a block.
    public static func buildBlock(_ parameters: String...) -> [String] { parameters }
}
