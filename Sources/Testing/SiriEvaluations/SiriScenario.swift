public import AppIntentsTesting

/// A conversation with an agent, and what is expected of the agent: calls, entities, skills and replies. Part of a beta of Apple's SDK 27.3.
///
/// ```swift
/// let find = library.intents["FindBook"]
/// let scenario = SiriScenario {
///     UserTurn("Find Momo") {
///         Calls { find.expect(title: .contains("Momo")) }
///     }
/// }
/// let turn = try await library.recordedTurn(in: lines)
/// #expect(scenario.mismatches(with: SiriTranscript(turns: [turn])).isEmpty)
/// ```
///
/// On Linux, no model takes part: a test compares what was recorded while an agent worked.
///
/// Source: Apple's SiriScenario page.
public struct SiriScenario: Sendable {
    /// The turns, in order.
    public let turns: [UserTurn]
    private let expectations: [any TurnExpectation]

    /// Creates a scenario from its turns.
    public init(@SiriScenarioBuilder _ content: () -> [UserTurn]) {
        turns = content()
        expectations = []
    }

    /// Creates a scenario from its turns and expectations about all of them together.
    public init(
        @SiriScenarioBuilder _ content: () -> [UserTurn],
        @SiriScenarioExpectationBuilder expectation: () -> SiriScenarioExpectationBuilder.Component
    ) {
        turns = content()
        expectations = expectation().expectations
    }

    /// Returns the expectations that recorded turns do not meet, as sentences; empty if they meet all. Specific to Linux.
    public func mismatches(with transcript: SiriTranscript) -> [String] {
        var reasons: [String] = []
        for (index, turn) in turns.enumerated() {
            guard index < transcript.turns.count else {
                reasons.append("turn \(index + 1) (\(turn.utterance)): nothing was recorded")
                continue
            }
            for expectation in turn.expectations {
                reasons += expectation.mismatches(with: [transcript.turns[index]]).map {
                    "turn \(index + 1) (\(turn.utterance)): \($0)"
                }
            }
        }
        if transcript.turns.count > turns.count {
            reasons.append("\(transcript.turns.count) turns were recorded, but the scenario has \(turns.count)")
        }
        return reasons + expectations.flatMap { $0.mismatches(with: transcript.turns) }
    }
}

/// What a person says, and what is expected of the agent until its reply.
///
/// Source: Apple's UserTurn page.
public struct UserTurn: Sendable {
    /// The words of the person.
    public let utterance: String
    let expectations: [any TurnExpectation]

    /// Creates a turn without expectations of its own.
    public init(_ utterance: String) {
        self.utterance = utterance
        expectations = []
    }

    /// Creates a turn.
    public init(
        _ utterance: String,
        @SiriTurnExpectationBuilder _ content: () -> SiriTurnExpectationBuilder.Component
    ) {
        self.utterance = utterance
        expectations = content().expectations
    }
}

/// An expectation about recorded turns.
protocol TurnExpectation: Sendable {
    /// Returns what the turns do not meet, as sentences.
    func mismatches(with turns: [SiriTranscript.Turn]) -> [String]
}

/// An expectation that an agent calls intents, or does not call them.
///
/// Source: Apple's Calls page.
public struct Calls: Sendable, TurnExpectation {
    /// Whether calls are expected, and in which order. Other calls are permitted.
    public enum Ordering: Sendable, Hashable {
        /// The calls are expected in the given order.
        case ordered
        /// The calls are expected in any order.
        case unordered
        /// None of the calls is permitted.
        case disallowed
    }

    private let ordering: Ordering
    private let intents: [AppIntentExpectation]

    /// Creates an expectation about calls.
    public init(
        _ ordering: Ordering = .ordered,
        @IntentExpectationBuilder _ content: () -> [any AppIntentExpectationProviding]
    ) {
        self.ordering = ordering
        intents = content().map(\.expectation)
    }

    func mismatches(with turns: [SiriTranscript.Turn]) -> [String] {
        let calls = turns.flatMap { $0.intentInvocations.map(\.value.intent) }
        switch ordering {
        case .ordered:
            var rest = calls[...]
            for expectation in intents {
                guard let index = rest.firstIndex(where: { expectation.isSatisfied(by: $0) }) else {
                    return [Self.missing(expectation, among: rest, after: calls.count - rest.count)]
                }
                rest = rest[(index + 1)...]
            }
            return []
        case .unordered:
            guard !Self.assign(intents[...], to: calls) else { return [] }
            return intents.filter { expectation in !calls.contains { expectation.isSatisfied(by: $0) } }.map {
                Self.missing($0, among: calls[...], after: 0)
            }.nonEmpty ?? ["fewer calls were recorded than expected"]
        case .disallowed:
            return intents.compactMap { expectation in
                calls.contains { expectation.isSatisfied(by: $0) }
                    ? "a call of '\(expectation.identifier)' was recorded, which is not permitted" : nil
            }
        }
    }

    /// Returns true if each expectation has a call of its own.
    private static func assign(_ expectations: ArraySlice<AppIntentExpectation>, to calls: [AnyAppIntent]) -> Bool {
        guard let first = expectations.first else { return true }
        return calls.indices.contains { index in
            guard first.isSatisfied(by: calls[index]) else { return false }
            var rest = calls
            rest.remove(at: index)
            return assign(expectations.dropFirst(), to: rest)
        }
    }

    private static func missing(
        _ expectation: AppIntentExpectation,
        among calls: ArraySlice<AnyAppIntent>,
        after count: Int
    ) -> String {
        // The reason of a call of the same intent says more than a list of calls.
        if let near = calls.first(where: { $0.identifier == expectation.identifier }) {
            return expectation.mismatches(with: near).joined(separator: "; ")
        }
        let names = calls.map(\.identifier).joined(separator: ", ")
        let place = count > 0 ? " after the first \(count)" : ""
        return "expected a call of '\(expectation.identifier)'\(place), recorded: \(names.isEmpty ? "none" : names)"
    }
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
