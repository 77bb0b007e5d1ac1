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

extension DialogCarrying {
    fileprivate static func whatIsCarried(by result: some IntentResult) -> CarriedDialog? {
        (result as? Self).map { CarriedDialog(dialog: $0.dialog, following: $0.following) }
    }
}

/// What a result has besides its value.
struct CarriedDialog {
    var dialog: IntentDialog?
    var following: (any AppIntent)?
}

extension IntentResult {
    /// Nil for a result of the app's own making. Asked of the type: a value in a box of any type would cost each run a
    /// box that the runtime makes for its type.
    var carried: CarriedDialog? { Self.carrying?.whatIsCarried(by: self) }

    static var carrying: (any DialogCarrying.Type)? { Self.self as? any DialogCarrying.Type }
}
