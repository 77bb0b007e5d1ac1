// Apple's page counts the parameters up one by one, and so do these: with a pack of parameters, Swift does not find out
// whose `\.$name` is.

extension IntentPrediction {
    /// Of seven parameters.
    public init<
        Value0: _IntentValue,
        Value1: _IntentValue,
        Value2: _IntentValue,
        Value3: _IntentValue,
        Value4: _IntentValue,
        Value5: _IntentValue,
        Value6: _IntentValue
    >(
        parameters: (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>,
            KeyPath<Intent, IntentParameter<Value5>>,
            KeyPath<Intent, IntentParameter<Value6>>
        ),
        displayRepresentation:
            @escaping (Value0, Value1, Value2, Value3, Value4, Value5, Value6) -> DisplayRepresentation
    )
    where
        Parameters == (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>,
            KeyPath<Intent, IntentParameter<Value5>>,
            KeyPath<Intent, IntentParameter<Value6>>
        )
    {
        self.init(Parameters.self)
    }

    /// Of eight parameters.
    public init<
        Value0: _IntentValue,
        Value1: _IntentValue,
        Value2: _IntentValue,
        Value3: _IntentValue,
        Value4: _IntentValue,
        Value5: _IntentValue,
        Value6: _IntentValue,
        Value7: _IntentValue
    >(
        parameters: (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>,
            KeyPath<Intent, IntentParameter<Value5>>,
            KeyPath<Intent, IntentParameter<Value6>>,
            KeyPath<Intent, IntentParameter<Value7>>
        ),
        displayRepresentation:
            @escaping (Value0, Value1, Value2, Value3, Value4, Value5, Value6, Value7) -> DisplayRepresentation
    )
    where
        Parameters == (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>,
            KeyPath<Intent, IntentParameter<Value5>>,
            KeyPath<Intent, IntentParameter<Value6>>,
            KeyPath<Intent, IntentParameter<Value7>>
        )
    {
        self.init(Parameters.self)
    }

    /// Of nine parameters.
    public init<
        Value0: _IntentValue,
        Value1: _IntentValue,
        Value2: _IntentValue,
        Value3: _IntentValue,
        Value4: _IntentValue,
        Value5: _IntentValue,
        Value6: _IntentValue,
        Value7: _IntentValue,
        Value8: _IntentValue
    >(
        parameters: (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>,
            KeyPath<Intent, IntentParameter<Value5>>,
            KeyPath<Intent, IntentParameter<Value6>>,
            KeyPath<Intent, IntentParameter<Value7>>,
            KeyPath<Intent, IntentParameter<Value8>>
        ),
        displayRepresentation:
            @escaping (Value0, Value1, Value2, Value3, Value4, Value5, Value6, Value7, Value8) -> DisplayRepresentation
    )
    where
        Parameters == (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>,
            KeyPath<Intent, IntentParameter<Value5>>,
            KeyPath<Intent, IntentParameter<Value6>>,
            KeyPath<Intent, IntentParameter<Value7>>,
            KeyPath<Intent, IntentParameter<Value8>>
        )
    {
        self.init(Parameters.self)
    }

    /// Of ten parameters.
    public init<
        Value0: _IntentValue,
        Value1: _IntentValue,
        Value2: _IntentValue,
        Value3: _IntentValue,
        Value4: _IntentValue,
        Value5: _IntentValue,
        Value6: _IntentValue,
        Value7: _IntentValue,
        Value8: _IntentValue,
        Value9: _IntentValue
    >(
        parameters: (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>,
            KeyPath<Intent, IntentParameter<Value5>>,
            KeyPath<Intent, IntentParameter<Value6>>,
            KeyPath<Intent, IntentParameter<Value7>>,
            KeyPath<Intent, IntentParameter<Value8>>,
            KeyPath<Intent, IntentParameter<Value9>>
        ),
        displayRepresentation:
            @escaping (Value0, Value1, Value2, Value3, Value4, Value5, Value6, Value7, Value8, Value9) ->
            DisplayRepresentation
    )
    where
        Parameters == (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>,
            KeyPath<Intent, IntentParameter<Value5>>,
            KeyPath<Intent, IntentParameter<Value6>>,
            KeyPath<Intent, IntentParameter<Value7>>,
            KeyPath<Intent, IntentParameter<Value8>>,
            KeyPath<Intent, IntentParameter<Value9>>
        )
    {
        self.init(Parameters.self)
    }
}
