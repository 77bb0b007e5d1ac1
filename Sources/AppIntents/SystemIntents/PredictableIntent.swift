/// An intent that a system may suggest. On Linux nothing suggests: the protocol marks.
///
/// Source: Apple's PredictableIntent page.
@_alwaysEmitConformanceMetadata
public protocol PredictableIntent: AppIntent {
    /// What ``predictionConfiguration`` is; never named by an app.
    associatedtype PredictionConfiguration: IntentPredictionConfiguration
    /// Which parameters matter, and how the suggestion looks.
    @IntentPredictionsBuilder<Self> static var predictionConfiguration: PredictionConfiguration { get }
}

extension PredictableIntent {
    /// One kind of suggestion.
    public typealias Prediction<Parameters> = IntentPrediction<Self, Parameters>
}

/// Which suggestions an intent makes.
///
/// Source: Apple's IntentPredictionConfiguration page.
public protocol IntentPredictionConfiguration {}

/// Collects the kinds of suggestions.
///
/// Source: Apple's IntentPredictionsBuilder page.
@resultBuilder
public enum IntentPredictionsBuilder<Intent: AppIntent> {
    public static func buildExpression<Parameters>(
        _ prediction: IntentPrediction<Intent, Parameters>
    ) -> IntentPrediction<Intent, Parameters> {
        prediction
    }

    public static func buildBlock<each Prediction: IntentPredictionConfiguration>(
        _ predictions: repeat each Prediction
    ) -> IntentPredictions<Intent> {
        IntentPredictions()
    }
}

/// Several kinds of suggestions.
public struct IntentPredictions<Intent: AppIntent>: IntentPredictionConfiguration {}

/// One kind of suggestion: some parameters, and how it looks.
///
/// Source: Apple's IntentPrediction page.
public struct IntentPrediction<Intent: AppIntent, Parameters>: IntentPredictionConfiguration {
    init(_: Parameters.Type) {}

    /// Of the intent as it is.
    public init(displayRepresentation: @escaping () -> DisplayRepresentation) where Parameters == Void {
        self.init(Void.self)
    }

    /// Of one parameter.
    public init<Value0: _IntentValue>(
        parameters: KeyPath<Intent, IntentParameter<Value0>>,
        displayRepresentation: @escaping (Value0) -> DisplayRepresentation
    ) where Parameters == KeyPath<Intent, IntentParameter<Value0>> {
        self.init(Parameters.self)
    }

    /// Of two parameters.
    public init<Value0: _IntentValue, Value1: _IntentValue>(
        parameters: (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>
        ),
        displayRepresentation: @escaping (Value0, Value1) -> DisplayRepresentation
    )
    where
        Parameters == (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>
        )
    {
        self.init(Parameters.self)
    }

    /// Of three parameters.
    public init<Value0: _IntentValue, Value1: _IntentValue, Value2: _IntentValue>(
        parameters: (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>
        ),
        displayRepresentation: @escaping (Value0, Value1, Value2) -> DisplayRepresentation
    )
    where
        Parameters == (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>
        )
    {
        self.init(Parameters.self)
    }

    /// Of four parameters.
    public init<Value0: _IntentValue, Value1: _IntentValue, Value2: _IntentValue, Value3: _IntentValue>(
        parameters: (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>
        ),
        displayRepresentation: @escaping (Value0, Value1, Value2, Value3) -> DisplayRepresentation
    )
    where
        Parameters == (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>
        )
    {
        self.init(Parameters.self)
    }

    /// Of five parameters.
    public init<
        Value0: _IntentValue,
        Value1: _IntentValue,
        Value2: _IntentValue,
        Value3: _IntentValue,
        Value4: _IntentValue
    >(
        parameters: (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>
        ),
        displayRepresentation: @escaping (Value0, Value1, Value2, Value3, Value4) -> DisplayRepresentation
    )
    where
        Parameters == (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>
        )
    {
        self.init(Parameters.self)
    }

    /// Of six parameters.
    public init<
        Value0: _IntentValue,
        Value1: _IntentValue,
        Value2: _IntentValue,
        Value3: _IntentValue,
        Value4: _IntentValue,
        Value5: _IntentValue
    >(
        parameters: (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>,
            KeyPath<Intent, IntentParameter<Value5>>
        ),
        displayRepresentation: @escaping (Value0, Value1, Value2, Value3, Value4, Value5) -> DisplayRepresentation
    )
    where
        Parameters == (
            KeyPath<Intent, IntentParameter<Value0>>,
            KeyPath<Intent, IntentParameter<Value1>>,
            KeyPath<Intent, IntentParameter<Value2>>,
            KeyPath<Intent, IntentParameter<Value3>>,
            KeyPath<Intent, IntentParameter<Value4>>,
            KeyPath<Intent, IntentParameter<Value5>>
        )
    {
        self.init(Parameters.self)
    }
}
