/// The type that the `result(…)` methods return. Apps seldom name it.
///
/// Source: Apple's IntentResultContainer page.
public struct IntentResultContainer<Value, OpensAppIntent, Snippet, Dialog>: IntentResult
where Value: _IntentValue, OpensAppIntent: AppIntent, Snippet: Sendable, Dialog: Sendable {
    /// The value.
    public let value: Value?
    /// The dialog.
    public let dialog: IntentDialog?
    /// The intent that runs next.
    let following: (any AppIntent)?

    init(value: Value?, dialog: IntentDialog?, opensIntent: (any AppIntent)?) {
        self.value = value
        self.dialog = dialog
        following = opensIntent
    }

    /// The intent that runs next; nil when none does.
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

/// What follows a run: the result's dialog and next intent.
struct FollowUp {
    var dialog: IntentDialog?
    var following: (any AppIntent)?
}

extension IntentResult {
    /// Nil for a result type that the app defines. Casts the type, because casting the value would make the runtime
    /// create an existential container's metadata in each run.
    var followUp: FollowUp? { Self.resultContainer?.followUp(of: self) }

    static var resultContainer: (any AnyResultContainer.Type)? { Self.self as? any AnyResultContainer.Type }
}
