/// The type that the `result(…)` methods return. Apps rarely need to name it.
///
/// Source: Apple's IntentResultContainer page.
public struct IntentResultContainer<Value, OpensAppIntent, Snippet, Dialog>: IntentResult
where Value: _IntentValue, OpensAppIntent: AppIntent, Snippet: Sendable, Dialog: Sendable {
    /// The value; nil for a result without a value.
    public let value: Value?
    /// The dialog; nil for a result without a dialog.
    public let dialog: IntentDialog?
    /// The intent to perform next, of any type. The caller receives its name and parameter values.
    let following: (any AppIntent)?

    init(value: Value?, dialog: IntentDialog?, opensIntent: (any AppIntent)?) {
        self.value = value
        self.dialog = dialog
        following = opensIntent
    }

    /// The intent to perform next; nil for a result without such an intent.
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
    /// The dialog and the next intent of this result; nil if the app defines the result type.
    ///
    /// The type is cast, not the value. Casting the value would make the runtime create the metadata of an existential
    /// container in every run.
    var followUp: FollowUp? { Self.resultContainer?.followUp(of: self) }

    static var resultContainer: (any AnyResultContainer.Type)? { Self.self as? any AnyResultContainer.Type }
}
