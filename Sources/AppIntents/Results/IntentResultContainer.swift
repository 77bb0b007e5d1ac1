/// The type that the `result(…)` methods return. Apps rarely name it.
///
/// Source: Apple's IntentResultContainer page.
public struct IntentResultContainer<Value, OpensAppIntent, Snippet, Dialog>: IntentResult
where Value: _IntentValue, OpensAppIntent: AppIntent, Snippet: Sendable, Dialog: Sendable {
    /// The value; nil for a result without a value.
    public let value: Value?
    /// The dialog; nil for a result without a dialog.
    public let dialog: IntentDialog?
    /// The intent to run next, of any type. The caller receives its name and values.
    let following: (any AppIntent)?

    init(value: Value?, dialog: IntentDialog?, opensIntent: (any AppIntent)?) {
        self.value = value
        self.dialog = dialog
        following = opensIntent
    }

    /// The intent to run next; nil for a result without one.
    public var opensIntent: OpensAppIntent? { following as? OpensAppIntent }
}

extension IntentResultContainer: ReturnsValue {}

extension IntentResultContainer: ProvidesDialog where Dialog == IntentDialog {}

extension IntentResultContainer: OpensIntent {}

extension IntentResultContainer: ShowsSnippetIntent where Snippet == _SnippetIntentContainer {}

extension IntentResultContainer: ShowsSnippetView where Snippet == _SnippetViewContainer {}

/// A type-erased ``IntentResultContainer``.
protocol AnyResultContainer {
    var dialog: IntentDialog? { get }
    var following: (any AppIntent)? { get }
}

extension IntentResultContainer: AnyResultContainer {}

extension AnyResultContainer {
    fileprivate static func followUp(of result: some IntentResult) -> FollowUp? {
        (result as? Self).map { FollowUp(dialog: $0.dialog, following: $0.following) }
    }
}

/// The dialog and the next intent of a result.
struct FollowUp {
    var dialog: IntentDialog?
    var following: (any AppIntent)?
}

extension IntentResult {
    /// The result's dialog and next intent; nil for a result type that the app defines.
    ///
    /// Casts the type rather than the value: casting the value would make the runtime create an existential container's
    /// metadata in each run.
    var followUp: FollowUp? { Self.resultContainer?.followUp(of: self) }

    static var resultContainer: (any AnyResultContainer.Type)? { Self.self as? any AnyResultContainer.Type }
}
