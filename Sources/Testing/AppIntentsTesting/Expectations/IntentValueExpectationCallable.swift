/// A callable that returns an expectation. Each label is the name of a parameter or a property, and each argument an
/// expectation about its value: `expect(title: .contains("NASA"), endDate: .isNil)`. An argument nil expects nothing.
///
/// Source: Apple's IntentValueExpectationCallable page.
@dynamicCallable
public struct IntentValueExpectationCallable<Argument: Sendable, Expectation>: Sendable {
    private let make: @Sendable ([String: Argument]) -> Expectation

    init(_ make: @escaping @Sendable ([String: Argument]) -> Expectation) {
        self.make = make
    }

    /// Returns an expectation. If a label is repeated, its last argument is used.
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Argument?>) -> Expectation {
        let given = arguments.compactMap { name, argument in argument.map { (name, $0) } }
        return make(Dictionary(given) { _, last in last })
    }
}
