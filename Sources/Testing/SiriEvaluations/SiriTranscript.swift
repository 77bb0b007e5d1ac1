public import AppIntentsTesting

/// The calls that were recorded while an agent worked, turn by turn. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's SiriTranscript page.
public struct SiriTranscript: Sendable {
    /// The turns, in order.
    public let turns: [Turn]

    /// The record of one turn.
    public struct Turn: Sendable {
        /// The calls of intents, in order.
        public let intentInvocations: [Observation<IntentInvocation>]
    }

    /// A value that was recorded.
    public struct Observation<Value: Sendable>: Sendable {
        /// The value.
        public let value: Value
    }

    /// A call of an intent.
    public struct IntentInvocation: Sendable {
        /// The intent, with the values of the call.
        public let intent: AnyAppIntent
    }

    /// Creates a transcript from recorded calls, such as those of `IntentDefinitions.recordedCalls(in:)`. Specific to
    /// Linux.
    public init(turns: [[AnyAppIntent]]) {
        self.turns = turns.map { calls in
            Turn(intentInvocations: calls.map { Observation(value: IntentInvocation(intent: $0)) })
        }
    }
}
