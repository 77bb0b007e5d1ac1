/// What the `result(…)` methods make; seldom named by an app.
///
/// Source: Apple's IntentResultContainer page.
public struct IntentResultContainer<Value, OpensAppIntent, Snippet, Dialog>: IntentResult
where Value: _IntentValue, OpensAppIntent: AppIntent, Snippet: Sendable, Dialog: Sendable {
    /// The returned value.
    public let value: Value?
    /// What is said to the person.
    public let dialog: IntentDialog?

    init(value: Value?, dialog: IntentDialog?) {
        self.value = value
        self.dialog = dialog
    }
}

extension IntentResultContainer: ReturnsValue {}

extension IntentResultContainer: ProvidesDialog where Dialog == IntentDialog {}

/// Any result with what it says, whatever its type parameters.
protocol DialogCarrying {
    var dialog: IntentDialog? { get }
}

extension IntentResultContainer: DialogCarrying {}
