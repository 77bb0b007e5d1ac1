/// An intent that the system may suggest. Linux makes no suggestions, so the protocol has no effect.
///
/// Source: Apple's PredictableIntent page.
@_alwaysEmitConformanceMetadata
public protocol PredictableIntent: AppIntent {
    /// The type of ``predictionConfiguration``, inferred by Swift.
    associatedtype Prediction: IntentPredictionConfiguration
    /// The suggestions, each with its parameters and its display representation. Ignored on Linux.
    @IntentPredictionsBuilder<Self> static var predictionConfiguration: Prediction { get }
}

/// The suggestions that an intent declares.
///
/// Source: Apple's IntentPredictionConfiguration page.
public protocol IntentPredictionConfiguration {
    /// The intent that the suggestions perform.
    associatedtype Intent: AppIntent
}

/// A result builder that collects the suggestions for ``PredictableIntent/predictionConfiguration``.
///
/// Source: Apple's IntentPredictionsBuilder page.
@resultBuilder
public enum IntentPredictionsBuilder<Intent: AppIntent> {
    /// Adds a suggestion.
    public static func buildExpression<Parameters>(
        _ prediction: IntentPrediction<Intent, Parameters>
    ) -> IntentPrediction<Intent, Parameters> {
        prediction
    }

    /// Combines the suggestions of a block.
    public static func buildBlock<each Prediction: IntentPredictionConfiguration>(
        _ predictions: repeat each Prediction
    ) -> TupleIntentPrediction<Intent, (repeat each Prediction)> {
        TupleIntentPrediction()
    }
}

/// Several suggestions for one intent.
///
/// Source: Apple's TupleIntentPrediction page.
public struct TupleIntentPrediction<Intent: AppIntent, Predictions>: IntentPredictionConfiguration {}

/// A suggestion to perform an intent, with parameters and a display representation. Ignored on Linux.
///
/// Source: Apple's IntentPrediction page.
public struct IntentPrediction<Intent: AppIntent, Parameters>: IntentPredictionConfiguration {
    /// Creates a suggestion without parameters.
    public init(displayRepresentation: @escaping () -> DisplayRepresentation) where Parameters == Void {}

    /// Creates a suggestion with one parameter.
    public init<Value0: _IntentValue>(
        parameters: KeyPath<Intent, IntentParameter<Value0>>,
        displayRepresentation: @escaping (Value0) -> DisplayRepresentation
    ) where Parameters == KeyPath<Intent, IntentParameter<Value0>> {}

    /// Creates a suggestion with two or more parameters.
    // The first two parameters are not part of the pack. Otherwise, a single key path would match both initialisers.
    public init<First: _IntentValue, Second: _IntentValue, each Other: _IntentValue>(
        parameters: (
            KeyPath<Intent, IntentParameter<First>>,
            KeyPath<Intent, IntentParameter<Second>>,
            repeat KeyPath<Intent, IntentParameter<each Other>>
        ),
        displayRepresentation: @escaping (First, Second, repeat each Other) -> DisplayRepresentation
    )
    where
        Parameters == (
            KeyPath<Intent, IntentParameter<First>>,
            KeyPath<Intent, IntentParameter<Second>>,
            repeat KeyPath<Intent, IntentParameter<each Other>>
        )
    {}
}
