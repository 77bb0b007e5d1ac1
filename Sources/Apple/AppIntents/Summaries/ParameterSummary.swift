import IntentSharedTypes

/// A description of an intent in a sentence that contains its parameters: `Summary("Order \(\.$soup)")`.
///
/// Source: Apple's ParameterSummary page.
public protocol ParameterSummary: Sendable {
    /// The intent that the summary describes.
    associatedtype Intent: AppIntent
    /// The content of the summary.
    var _content: _ParameterSummaryContent { get }
}

/// The content of a summary.
public indirect enum _ParameterSummaryContent: Sendable {
    /// A sentence with `${name}` in place of each parameter's value, and the names of further parameters.
    case sentence(String?, others: [String])
    /// One of two summaries, depending on a parameter's value.
    case when(_ParameterSummaryCondition, then: _ParameterSummaryContent, otherwise: _ParameterSummaryContent?)
    /// One of several summaries, depending on a parameter's value.
    case choice(of: String, cases: [_ParameterSummaryCase], otherwise: _ParameterSummaryContent?)

    /// The sentence that is used if no condition is true; the first sentence if every sentence has a condition.
    var sentence: String? {
        switch self {
        case .sentence(let text, _): text
        case .when(_, let then, let otherwise): (otherwise ?? then).sentence
        case .choice(_, let cases, let otherwise): (otherwise ?? cases.first?.content)?.sentence
        }
    }
}

extension _ParameterSummaryContent {
    /// Returns all sentences with their conditions, in order. The first sentence that meets all of its conditions is
    /// used.
    func sentences(under conditions: [SummarySentence.Condition] = []) -> [SummarySentence] {
        switch self {
        case .sentence(let text, let others):
            return [SummarySentence(conditions: conditions, text: text, others: others)]
        case .when(let condition, let then, let otherwise):
            return then.sentences(under: conditions + [condition.condition])
                + (otherwise?.sentences(under: conditions) ?? [])
        case .choice(let parameter, let cases, let otherwise):
            let branches = cases.flatMap { branch in
                let tested = SummarySentence.Condition(
                    parameter: parameter,
                    comparison: "oneOf",
                    values: branch.values ?? []
                )
                return branch.content.sentences(under: conditions + [tested])
            }
            return branches + (otherwise?.sentences(under: conditions) ?? [])
        }
    }
}

/// The encoding of the values in a summary. Values that cannot be encoded are omitted.
enum SummaryValues {
    static func wire<Value: _IntentValue>(_ values: [Value]) -> [IntentValue] {
        var files = OutgoingFiles(directory: nil)
        return values.compactMap { try? Value._intentValueCoding.encode($0, &files) }
    }
}

/// A condition on a parameter's value.
public struct _ParameterSummaryCondition: Sendable {
    let condition: SummarySentence.Condition
}

/// A branch that is used for certain values of a parameter.
public struct _ParameterSummaryCase: Sendable {
    /// The values; nil for the branch that is used for all other values.
    let values: [IntentValue]?
    let content: _ParameterSummaryContent
}

/// The summary of an intent that does not declare one.
public struct _NoParameterSummary: ParameterSummary {
    public typealias Intent = Never
    public var _content: _ParameterSummaryContent { .sentence(nil, others: []) }
}

/// A result builder that returns the only summary in a block.
///
/// Source: Apple's ParameterSummaryBuilder page.
@resultBuilder
public enum ParameterSummaryBuilder<Intent: AppIntent> {
    /// Returns the summary unchanged.
    public static func buildExpression<Summary: ParameterSummary>(_ summary: Summary) -> Summary { summary }
    /// Returns the only summary in a block.
    public static func buildBlock<Summary: ParameterSummary>(_ summary: Summary) -> Summary { summary }
}
