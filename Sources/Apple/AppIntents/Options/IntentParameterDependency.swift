/// A property wrapper that gives an options provider access to other parameters of the intent:
/// `@IntentParameterDependency<OrderSoup>(\.$kind) var order`.
///
/// The value is nil if another intent uses the provider, or if a listed parameter has no value. It is also nil in a
/// detached task, because the intent is a task-local value.
///
/// Source: Apple's IntentParameterDependency page.
@propertyWrapper
// SAFETY: key paths and the closures that contain them are immutable — ensured by this class.
public final class IntentParameterDependency<Intent: AppIntent>: @unchecked Sendable {
    private let parameters: [(Intent) -> any AnyIntentParameter]

    /// The intent's parameters, with the values that have been set so far.
    public var wrappedValue: IntentProjection<Intent>? {
        guard let intent = OptionsPreparation.intent as? Intent, parameters.allSatisfy({ $0(intent).hasGivenValue })
        else { return nil }
        return IntentProjection(intent)
    }

    /// The property wrapper itself.
    public var projectedValue: IntentParameterDependency<Intent> { self }

    /// Creates a dependency on parameters of the intent: `@IntentParameterDependency<OrderSoup>(\.$kind, \.$size)`.
    public init<each Value: _IntentValue>(_ parameters: repeat KeyPath<Intent, IntentParameter<each Value>>) {
        var all: [(Intent) -> any AnyIntentParameter] = []
        for parameter in repeat each parameters {
            all.append { $0[keyPath: parameter] }
        }
        self.parameters = all
    }
}

extension IntentParameterDependency: AnyIntentParameterDependency {
    func listedParameters(of intent: any AppIntent) -> [any AnyIntentParameter] {
        guard let intent = intent as? Intent else { return [] }
        return parameters.map { $0(intent) }
    }
}

/// A type-erased dependency of a provider on an intent. Values found with `Mirror` are cast to this protocol.
protocol AnyIntentParameterDependency: Sendable {
    /// Returns the parameters that the dependency lists; an empty array if the intent has another type.
    func listedParameters(of intent: any AppIntent) -> [any AnyIntentParameter]
}

/// An intent's parameters by name, with optional values unwrapped: `order.kind`.
///
/// Source: Apple's IntentProjection page.
@dynamicMemberLookup
public final class IntentProjection<Intent: AppIntent>: Sendable {
    private let intent: Intent

    fileprivate init(_ intent: Intent) {
        self.intent = intent
    }

    /// The value of a parameter.
    ///
    /// - Precondition: The dependency lists the parameter, or the parameter has a value.
    public subscript<Value: _IntentValue>(dynamicMember member: KeyPath<Intent, Value>) -> Value.UnwrappedType {
        guard let value = intent[keyPath: member] as? Value.UnwrappedType else {
            preconditionFailure(
                "cannot read a parameter of '\(Intent.self)': it has no value. List it in @IntentParameterDependency"
            )
        }
        return value
    }
}
