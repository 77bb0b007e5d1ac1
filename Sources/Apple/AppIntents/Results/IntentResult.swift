/// The result of an intent's `perform()`.
///
/// Use the static `result(…)` methods to create a result: `return .result(value: 3)`.
///
/// Source: Apple's IntentResult page.
public protocol IntentResult: Sendable {
    /// The type of the value; `Never` for a result without a value.
    associatedtype Value: _IntentValue = Never
    /// The value that the caller receives; nil for a result without a value.
    var value: Value? { get }
}

/// A result with a value: `some IntentResult & ReturnsValue<Int>`.
///
/// Source: Apple's ReturnsValue page.
public protocol ReturnsValue<Value>: IntentResult {}

/// A result with a dialog.
///
/// Source: Apple's ProvidesDialog page.
public protocol ProvidesDialog: IntentResult {}

/// A result that names an intent to perform next. The caller receives the name and parameters of that intent.
///
/// Source: Apple's OpensIntent page.
public protocol OpensIntent: IntentResult {}

/// A result with a view. The SwiftUI product contains the `result(…)` methods that create it.
///
/// Source: Apple's ShowsSnippetView page.
public protocol ShowsSnippetView: IntentResult {}

/// A result with the view of a snippet intent, which clients perform again to refresh the view.
///
/// Source: Apple's ShowsSnippetIntent page.
public protocol ShowsSnippetIntent: IntentResult {}

/// The type argument that marks a result with a view. Not for direct use by apps.
public struct _SnippetViewContainer: Sendable {}

/// The type argument that marks a result with the view of a snippet intent. Not for direct use by apps.
public struct _SnippetIntentContainer: Sendable {}
