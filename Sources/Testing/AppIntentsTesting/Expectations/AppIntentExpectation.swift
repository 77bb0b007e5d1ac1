/// A description of the intent that a test expects. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's AppIntentExpectationProviding page.
public protocol AppIntentExpectationProviding: Sendable {
    /// The expectation about the intent, its parameters and its result.
    var expectation: AppIntentExpectation { get }
}

extension AppIntentExpectationProviding {
    /// Returns true if an intent meets the expectation. The intent is not performed.
    ///
    /// - Parameter result: The result of the intent. Without it, an expectation about the result is not met.
    public func isSatisfied(by intent: AnyAppIntent, result: ResolvedIntentResult? = nil) -> Bool {
        expectation.mismatches(with: intent, result: result).isEmpty
    }
}

/// An expectation about an intent's parameters and, optionally, its result.
///
/// Source: Apple's AppIntentExpectation page.
public struct AppIntentExpectation: AppIntentExpectationProviding {
    /// The name of the intent.
    public let identifier: String
    private let parameters: [String: any ResolvableIntentValueExpectation]
    private var result: (any IntentValueExpectation)?

    init(
        identifier: String,
        parameters: [String: any ResolvableIntentValueExpectation] = [:],
        result: (any IntentValueExpectation)? = nil
    ) {
        self.identifier = identifier
        self.parameters = parameters
        self.result = result
    }

    public var expectation: AppIntentExpectation { self }

    /// Returns the expectation with another expectation about the result.
    ///
    /// - Parameter resultExpectation: The expectation; ``IntentValueExpectation/isNil`` for no result, and nil to leave
    ///   the result unchecked.
    public func result(_ resultExpectation: (any IntentValueExpectation)?) -> AppIntentExpectation {
        AppIntentExpectation(identifier: identifier, parameters: parameters, result: resultExpectation)
    }

    /// Returns the reasons why an intent does not meet the expectation; empty if it does.
    public func mismatches(with intent: AnyAppIntent, result: ResolvedIntentResult? = nil) -> [String] {
        guard intent.identifier == identifier else {
            return ["expected the intent '\(identifier)', got '\(intent.identifier)'"]
        }
        var reasons = parameters.sorted { $0.key < $1.key }.compactMap { name, expectation -> String? in
            let value: (any Sendable)? = intent[dynamicMember: name]
            guard !expectation.isSatisfied(by: value) else { return nil }
            return "'\(name)' of '\(identifier)' has an unexpected value: \(AnyAppIntent.text(of: value))"
        }
        if let expectation = self.result {
            if result == nil {
                reasons.append("'\(identifier)' has no result, which the expectation checks")
            } else if !expectation.isSatisfied(by: result?.value) {
                reasons.append("'\(identifier)' has an unexpected result: \(result?.value.description ?? "nothing")")
            }
        }
        return reasons
    }
}

extension AppIntentDefinition: AppIntentExpectationProviding {
    public var expectation: AppIntentExpectation { AppIntentExpectation(identifier: identifier) }

    /// A callable that returns an expectation about the intent's parameters. A parameter without an argument is not
    /// checked.
    ///
    /// Source: Apple's AppIntentDefinition.expect page.
    public var expect: IntentValueExpectationCallable<any ResolvableIntentValueExpectation, AppIntentExpectation> {
        IntentValueExpectationCallable { [identifier] in AppIntentExpectation(identifier: identifier, parameters: $0) }
    }

    /// Returns an expectation about the intent's result, but none of its parameters.
    ///
    /// Source: Apple's AppIntentDefinition.result(_:) page.
    public func result(_ resultExpectation: any IntentValueExpectation) -> AppIntentExpectation {
        AppIntentExpectation(identifier: identifier, result: resultExpectation)
    }
}
