/// What the `result(…)` methods make; seldom named by an app.
///
/// Source: Apple's IntentResultContainer page.
public struct IntentResultContainer<Value, OpensAppIntent, Snippet, Dialog>: IntentResult
where Value: _IntentValue, OpensAppIntent: AppIntent, Snippet: Sendable, Dialog: Sendable {
    /// The returned value.
    public let value: Value?
    /// What is said to the person.
    public let dialog: IntentDialog?
    /// The intent that is to follow.
    let following: (any AppIntent)?

    init(value: Value?, dialog: IntentDialog?, opensIntent: (any AppIntent)?) {
        self.value = value
        self.dialog = dialog
        following = opensIntent
    }

    /// The intent that is to follow; nil when there is none.
    public var opensIntent: OpensAppIntent? { following as? OpensAppIntent }
}

extension IntentResultContainer: ReturnsValue {}

extension IntentResultContainer: ProvidesDialog where Dialog == IntentDialog {}

extension IntentResultContainer: OpensIntent {}

extension IntentResultContainer: ShowsSnippetIntent where Snippet == _SnippetIntentContainer {}

extension IntentResultContainer: ShowsSnippetView where Snippet == _SnippetViewContainer {}

/// Any result with what it says, whatever its type parameters.
protocol DialogCarrying {
    var dialog: IntentDialog? { get }
    var following: (any AppIntent)? { get }
}

extension IntentResultContainer: DialogCarrying {}
