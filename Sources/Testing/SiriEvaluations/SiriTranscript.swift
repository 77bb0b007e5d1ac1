public import AppIntentsTesting

/// The record of an agent's work, turn by turn. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's SiriTranscript page.
public struct SiriTranscript: Sendable {
    /// The turns, in order.
    public let turns: [Turn]

    /// The record of one turn.
    public struct Turn: Sendable {
        /// The calls of intents, in order.
        public let intentInvocations: [Observation<IntentInvocation>]
        /// The entities in the answers to the calls.
        public let foundEntities: [Observation<AnyAppEntity>]
        /// The skills that the agent has read.
        public let loadedSkills: [Observation<SkillDefinition>]
        /// The agent's reply; empty if none was recorded.
        public let response: Observation<String>
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

    /// Creates a transcript from recorded turns, such as that of `IntentDefinitions.recordedTurn(in:)`. Specific to Linux.
    public init(turns: [RecordedTurn]) {
        self.turns = turns.map { turn in
            Turn(
                intentInvocations: turn.calls.map { Observation(value: IntentInvocation(intent: $0)) },
                foundEntities: turn.foundEntities.map(Observation.init(value:)),
                loadedSkills: turn.loadedSkills.map(Observation.init(value:)),
                response: Observation(value: turn.response)
            )
        }
    }
}
