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

/// A result after which another intent is to run; the answer names it with its parameters.
///
/// Source: Apple's OpensIntent page.
public protocol OpensIntent: IntentResult {}

/// A result with a view. Views are not on Linux: no `result(…)` makes one.
///
/// Source: Apple's ShowsSnippetView page.
public protocol ShowsSnippetView: IntentResult {}

/// A result with an intent that shows something. On Linux nobody shows it.
///
/// Source: Apple's ShowsSnippetIntent page.
public protocol ShowsSnippetIntent: IntentResult {}

/// Stands where a result has a view; never named by an app.
public struct _SnippetViewContainer: Sendable {}

/// Stands where a result has an intent that shows something; never named by an app.
public struct _SnippetIntentContainer: Sendable {}
