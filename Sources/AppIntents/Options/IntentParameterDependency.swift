import Synchronization

/// The other parameters of the intent, for a provider of options: `@IntentParameterDependency<OrderSoup>(\.$kind) var order`.
///
/// The value is nil unless the provider is asked for that intent, and each of the parameters has a value.
///
/// Source: Apple's IntentParameterDependency page.
@propertyWrapper
// SAFETY: key paths and closures over them never change, and the intent is behind the lock — this class.
public final class IntentParameterDependency<Intent: AppIntent>: @unchecked Sendable {
    private let parameters: [(Intent) -> any AnyIntentParameter]
    private let intent = Mutex<Intent?>(nil)

    private init(_ parameters: [(Intent) -> any AnyIntentParameter]) {
        self.parameters = parameters
    }

    /// The intent with the values that were given so far.
    public var wrappedValue: IntentProjection<Intent>? {
        intent.withLock { $0 }.map { IntentProjection($0) }
    }

    /// The dependency itself.
    public var projectedValue: IntentParameterDependency<Intent> { self }

    /// Depends on one parameter.
    public convenience init<Value1>(
        _ parameter1: KeyPath<Intent, IntentParameter<Value1>>
    ) {
        self.init([{ $0[keyPath: parameter1] }])
    }

    /// Depends on two parameters.
    public convenience init<Value1, Value2>(
        _ parameter1: KeyPath<Intent, IntentParameter<Value1>>,
        _ parameter2: KeyPath<Intent, IntentParameter<Value2>>
    ) {
        self.init([{ $0[keyPath: parameter1] }, { $0[keyPath: parameter2] }])
    }

    /// Depends on three parameters.
    public convenience init<Value1, Value2, Value3>(
        _ parameter1: KeyPath<Intent, IntentParameter<Value1>>,
        _ parameter2: KeyPath<Intent, IntentParameter<Value2>>,
        _ parameter3: KeyPath<Intent, IntentParameter<Value3>>
    ) {
        self.init([{ $0[keyPath: parameter1] }, { $0[keyPath: parameter2] }, { $0[keyPath: parameter3] }])
    }

    /// Depends on four parameters.
    public convenience init<Value1, Value2, Value3, Value4>(
        _ parameter1: KeyPath<Intent, IntentParameter<Value1>>,
        _ parameter2: KeyPath<Intent, IntentParameter<Value2>>,
        _ parameter3: KeyPath<Intent, IntentParameter<Value3>>,
        _ parameter4: KeyPath<Intent, IntentParameter<Value4>>
    ) {
        self.init([
            { $0[keyPath: parameter1] }, { $0[keyPath: parameter2] }, { $0[keyPath: parameter3] },
            { $0[keyPath: parameter4] },
        ])
    }

    /// Depends on five parameters.
    public convenience init<Value1, Value2, Value3, Value4, Value5>(
        _ parameter1: KeyPath<Intent, IntentParameter<Value1>>,
        _ parameter2: KeyPath<Intent, IntentParameter<Value2>>,
        _ parameter3: KeyPath<Intent, IntentParameter<Value3>>,
        _ parameter4: KeyPath<Intent, IntentParameter<Value4>>,
        _ parameter5: KeyPath<Intent, IntentParameter<Value5>>
    ) {
        self.init([
            { $0[keyPath: parameter1] }, { $0[keyPath: parameter2] }, { $0[keyPath: parameter3] },
            { $0[keyPath: parameter4] }, { $0[keyPath: parameter5] },
        ])
    }

    /// Depends on six parameters.
    public convenience init<Value1, Value2, Value3, Value4, Value5, Value6>(
        _ parameter1: KeyPath<Intent, IntentParameter<Value1>>,
        _ parameter2: KeyPath<Intent, IntentParameter<Value2>>,
        _ parameter3: KeyPath<Intent, IntentParameter<Value3>>,
        _ parameter4: KeyPath<Intent, IntentParameter<Value4>>,
        _ parameter5: KeyPath<Intent, IntentParameter<Value5>>,
        _ parameter6: KeyPath<Intent, IntentParameter<Value6>>
    ) {
        self.init([
            { $0[keyPath: parameter1] }, { $0[keyPath: parameter2] }, { $0[keyPath: parameter3] },
            { $0[keyPath: parameter4] }, { $0[keyPath: parameter5] }, { $0[keyPath: parameter6] },
        ])
    }

    /// Depends on seven parameters.
    public convenience init<Value1, Value2, Value3, Value4, Value5, Value6, Value7>(
        _ parameter1: KeyPath<Intent, IntentParameter<Value1>>,
        _ parameter2: KeyPath<Intent, IntentParameter<Value2>>,
        _ parameter3: KeyPath<Intent, IntentParameter<Value3>>,
        _ parameter4: KeyPath<Intent, IntentParameter<Value4>>,
        _ parameter5: KeyPath<Intent, IntentParameter<Value5>>,
        _ parameter6: KeyPath<Intent, IntentParameter<Value6>>,
        _ parameter7: KeyPath<Intent, IntentParameter<Value7>>
    ) {
        self.init([
            { $0[keyPath: parameter1] }, { $0[keyPath: parameter2] }, { $0[keyPath: parameter3] },
            { $0[keyPath: parameter4] }, { $0[keyPath: parameter5] }, { $0[keyPath: parameter6] },
            { $0[keyPath: parameter7] },
        ])
    }

    /// Depends on eight parameters.
    public convenience init<Value1, Value2, Value3, Value4, Value5, Value6, Value7, Value8>(
        _ parameter1: KeyPath<Intent, IntentParameter<Value1>>,
        _ parameter2: KeyPath<Intent, IntentParameter<Value2>>,
        _ parameter3: KeyPath<Intent, IntentParameter<Value3>>,
        _ parameter4: KeyPath<Intent, IntentParameter<Value4>>,
        _ parameter5: KeyPath<Intent, IntentParameter<Value5>>,
        _ parameter6: KeyPath<Intent, IntentParameter<Value6>>,
        _ parameter7: KeyPath<Intent, IntentParameter<Value7>>,
        _ parameter8: KeyPath<Intent, IntentParameter<Value8>>
    ) {
        self.init([
            { $0[keyPath: parameter1] }, { $0[keyPath: parameter2] }, { $0[keyPath: parameter3] },
            { $0[keyPath: parameter4] }, { $0[keyPath: parameter5] }, { $0[keyPath: parameter6] },
            { $0[keyPath: parameter7] }, { $0[keyPath: parameter8] },
        ])
    }

    /// Depends on nine parameters.
    public convenience init<Value1, Value2, Value3, Value4, Value5, Value6, Value7, Value8, Value9>(
        _ parameter1: KeyPath<Intent, IntentParameter<Value1>>,
        _ parameter2: KeyPath<Intent, IntentParameter<Value2>>,
        _ parameter3: KeyPath<Intent, IntentParameter<Value3>>,
        _ parameter4: KeyPath<Intent, IntentParameter<Value4>>,
        _ parameter5: KeyPath<Intent, IntentParameter<Value5>>,
        _ parameter6: KeyPath<Intent, IntentParameter<Value6>>,
        _ parameter7: KeyPath<Intent, IntentParameter<Value7>>,
        _ parameter8: KeyPath<Intent, IntentParameter<Value8>>,
        _ parameter9: KeyPath<Intent, IntentParameter<Value9>>
    ) {
        self.init([
            { $0[keyPath: parameter1] }, { $0[keyPath: parameter2] }, { $0[keyPath: parameter3] },
            { $0[keyPath: parameter4] }, { $0[keyPath: parameter5] }, { $0[keyPath: parameter6] },
            { $0[keyPath: parameter7] }, { $0[keyPath: parameter8] }, { $0[keyPath: parameter9] },
        ])
    }

    /// Depends on ten parameters.
    public convenience init<Value1, Value2, Value3, Value4, Value5, Value6, Value7, Value8, Value9, Value10>(
        _ parameter1: KeyPath<Intent, IntentParameter<Value1>>,
        _ parameter2: KeyPath<Intent, IntentParameter<Value2>>,
        _ parameter3: KeyPath<Intent, IntentParameter<Value3>>,
        _ parameter4: KeyPath<Intent, IntentParameter<Value4>>,
        _ parameter5: KeyPath<Intent, IntentParameter<Value5>>,
        _ parameter6: KeyPath<Intent, IntentParameter<Value6>>,
        _ parameter7: KeyPath<Intent, IntentParameter<Value7>>,
        _ parameter8: KeyPath<Intent, IntentParameter<Value8>>,
        _ parameter9: KeyPath<Intent, IntentParameter<Value9>>,
        _ parameter10: KeyPath<Intent, IntentParameter<Value10>>
    ) {
        self.init([
            { $0[keyPath: parameter1] }, { $0[keyPath: parameter2] }, { $0[keyPath: parameter3] },
            { $0[keyPath: parameter4] }, { $0[keyPath: parameter5] }, { $0[keyPath: parameter6] },
            { $0[keyPath: parameter7] }, { $0[keyPath: parameter8] }, { $0[keyPath: parameter9] },
            { $0[keyPath: parameter10] },
        ])
    }
}

extension IntentParameterDependency: AnyIntentParameterDependency {
    func bind(to intent: any AppIntent) {
        guard let intent = intent as? Intent, parameters.allSatisfy({ $0(intent).hasGivenValue }) else { return }
        self.intent.withLock { $0 = intent }
    }
}

/// Any dependency of a provider on an intent, as `Mirror` finds it.
protocol AnyIntentParameterDependency: Sendable {
    func bind(to intent: any AppIntent)
}

/// The parameters of an intent by their names, none of them optional: `order.kind`.
///
/// Source: Apple's IntentProjection page.
@dynamicMemberLookup
public final class IntentProjection<Intent: AppIntent>: Sendable {
    private let intent: Intent

    fileprivate init(_ intent: Intent) {
        self.intent = intent
    }

    /// A parameter's value. Reading one that has none, and that the dependency does not name, ends the process.
    public subscript<Value: _IntentValue>(dynamicMember member: KeyPath<Intent, Value>) -> Value.UnwrappedType {
        guard let value = intent[keyPath: member] as? Value.UnwrappedType else {
            preconditionFailure(
                "a parameter of '\(Intent.self)' was read and has no value. Name it in the dependency: @IntentParameterDependency"
            )
        }
        return value
    }
}
