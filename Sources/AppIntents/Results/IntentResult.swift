/// What an intent's `perform()` returns.
///
/// Made by the static methods `result(…)`: `return .result(value: 3)`.
///
/// Source: Apple's IntentResult page.
public protocol IntentResult: Sendable {
    /// The type of the returned value; `Never` when there is none.
    associatedtype Value: _IntentValue = Never
    /// The returned value.
    var value: Value? { get }
}

/// A result with a value: `some IntentResult & ReturnsValue<Int>`.
///
/// Source: Apple's ReturnsValue page.
public protocol ReturnsValue<Value>: IntentResult {}

/// A result that says something to the person.
///
/// Source: Apple's ProvidesDialog page.
public protocol ProvidesDialog: IntentResult {}
