/// A sentence with parameters in it, and the parameters beside it; `Summary` inside an intent.
///
/// Source: Apple's IntentParameterSummary page.
public struct IntentParameterSummary<Intent: AppIntent>: ParameterSummary {
    public let _content: _ParameterSummaryContent

    /// No sentence, and no parameters.
    public init() {
        _content = .sentence(nil, others: [])
    }

    /// A sentence.
    public init(_ summary: ParameterSummaryString<Intent>, table: String? = nil) {
        _content = .sentence(summary.sentence, others: [])
    }

    /// A sentence, and parameters beside it.
    public init(
        _ summary: ParameterSummaryString<Intent>,
        table: String? = nil,
        @ParameterSummaryKeyPathsBuilder<Intent> otherParameters: () -> [String]
    ) {
        _content = .sentence(summary.sentence, others: otherParameters())
    }

    /// Parameters without a sentence.
    public init(@ParameterSummaryKeyPathsBuilder<Intent> otherParameters: () -> [String]) {
        _content = .sentence(nil, others: otherParameters())
    }
}

/// A sentence in which parameters stand: `"Order \(\.$soup)"`.
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

    /// Collects the pieces of the sentence.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var sentence = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            sentence += literal
        }

        /// Leaves a parameter's place.
        public mutating func appendInterpolation<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) {
            sentence += "${\(IntentInspection.name(of: parameter))}"
        }
    }
}

/// Collects the parameters beside a sentence, by their names.
///
/// Source: Apple's ParameterSummary page.
@resultBuilder
public enum ParameterSummaryKeyPathsBuilder<Intent: AppIntent> {
    public static func buildExpression<Value>(_ parameter: KeyPath<Intent, IntentParameter<Value>>) -> String {
        IntentInspection.name(of: parameter)
    }

    public static func buildBlock(_ parameters: String...) -> [String] { parameters }
}
