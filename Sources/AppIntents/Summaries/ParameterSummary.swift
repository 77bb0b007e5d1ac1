import IntentWire

/// A description of an intent as a sentence with its parameters: `Summary("Order \(\.$soup)")`.
///
/// Source: Apple's ParameterSummary page.
public protocol ParameterSummary: Sendable {
    /// The summary as data.
    var _content: _ParameterSummaryContent { get }
}

/// A summary as data.
public indirect enum _ParameterSummaryContent: Sendable {
    /// A sentence with `${name}` in place of each parameter's value, and the names of further parameters.
    case sentence(String?, others: [String])
    /// A choice between two summaries, based on a parameter's value.
    case when(_ParameterSummaryCondition, then: _ParameterSummaryContent, otherwise: _ParameterSummaryContent?)
    /// A choice between several summaries, based on a parameter's value.
    case choice(of: String, cases: [_ParameterSummaryCase], otherwise: _ParameterSummaryContent?)

    /// The sentence to use if no condition holds.
    var sentence: String? {
        switch self {
        case .sentence(let text, _): text
        case .when(_, let then, let otherwise): (otherwise ?? then).sentence
        case .choice(_, let cases, let otherwise): (otherwise ?? cases.first?.content)?.sentence
        }
    }
}

extension _ParameterSummaryContent {
    /// Returns all sentences with their conditions, in order. The first sentence that has no unmet condition
    /// applies.
    func sentences(under conditions: [SummarySentence.Condition] = []) -> [SummarySentence] {
        switch self {
        case .sentence(let text, let others):
            return [SummarySentence(conditions: conditions, text: text, others: others)]
        case .when(let condition, let then, let otherwise):
            let tested = SummarySentence.Condition(
                parameter: condition.parameter,
                comparison: condition.comparison,
                values: condition.values
            )
            return then.sentences(under: conditions + [tested]) + (otherwise?.sentences(under: conditions) ?? [])
        case .choice(let parameter, let cases, let otherwise):
            let branches = cases.flatMap { branch in
                let tested = SummarySentence.Condition(
                    parameter: parameter,
                    comparison: "oneOf",
                    values: branch.values
                )
                return branch.content.sentences(under: conditions + [tested])
            }
            return branches + (otherwise?.sentences(under: conditions) ?? [])
        }
    }
}

/// Encodes the values in a summary, and omits values that cannot be encoded.
enum SummaryValues {
    static func wire<Value: _IntentValue>(_ values: [Value]) -> [IntentWire.IntentValue] {
        var files = OutgoingFiles(directory: nil)
        return values.compactMap { try? Value._intentValueCoding.encode($0, &files) }
    }
}

/// A condition on a parameter's value.
public struct _ParameterSummaryCondition: Sendable {
    let parameter: String
    let comparison: String
    let values: [IntentWire.IntentValue]
}

/// A branch for certain values of a parameter.
public struct _ParameterSummaryCase: Sendable {
    /// The values; empty for the branch that applies to all other values.
    let values: [IntentWire.IntentValue]
    let content: _ParameterSummaryContent
}

/// The summary of an intent that declares none.
public struct _NoParameterSummary: ParameterSummary {
    public var _content: _ParameterSummaryContent { .sentence(nil, others: []) }
}

/// Collects the single summary of a branch.
///
/// Source: Apple's ParameterSummaryBuilder page.
@resultBuilder
public enum ParameterSummaryBuilder<Intent: AppIntent> {
    /// Accepts a summary.
    public static func buildExpression<Summary: ParameterSummary>(_ summary: Summary) -> Summary { summary }
    /// Returns the summary of a block.
    public static func buildBlock<Summary: ParameterSummary>(_ summary: Summary) -> Summary { summary }
}
