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

/// A type-erased result with a dialog and a next intent.
protocol DialogCarrying {
    var dialog: IntentDialog? { get }
    var following: (any AppIntent)? { get }
}

extension IntentResultContainer: DialogCarrying {}

extension DialogCarrying {
    fileprivate static func whatIsCarried(by result: some IntentResult) -> CarriedDialog? {
        (result as? Self).map { CarriedDialog(dialog: $0.dialog, following: $0.following) }
    }
}

/// A result's dialog and next intent.
struct CarriedDialog {
    var dialog: IntentDialog?
    var following: (any AppIntent)?
}

extension IntentResult {
    /// Nil for a result type that the app defines. The cast is on the type: casting the value would make the runtime
    /// create an existential container's metadata in each run.
    var carried: CarriedDialog? { Self.carrying?.whatIsCarried(by: self) }

    static var carrying: (any DialogCarrying.Type)? { Self.self as? any DialogCarrying.Type }
}
