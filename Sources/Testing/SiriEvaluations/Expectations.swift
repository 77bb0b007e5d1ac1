public import AppIntentsTesting

/// An expectation that the answers to an agent's calls contain entities. Part of a beta of Apple's SDK 27.3.
///
/// Each expectation must be met by an entity; several can be met by one. A property that the answer does not contain has no
/// value.
///
/// Source: Apple's Finds page.
public struct Finds: Sendable, TurnExpectation {
    private let entities: [any AppEntityExpectationProviding]

    /// Creates an expectation about entities.
    public init(@EntityFindExpectationBuilder _ content: () -> [any AppEntityExpectationProviding]) {
        entities = content()
    }

    func mismatches(with turns: [SiriTranscript.Turn]) -> [String] {
        let found = turns.flatMap { $0.foundEntities.map(\.value) }
        let names = found.map(\.identifier).joined(separator: ", ")
        return entities.enumerated().compactMap { index, expectation in
            found.contains { expectation.isSatisfied(by: $0) }
                ? nil : "no entity meets expectation \(index + 1) of Finds, recorded: \(names.isEmpty ? "none" : names)"
        }
    }
}

/// An expectation that an agent reads skills of an app. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's Loads page.
public struct Loads: Sendable, TurnExpectation {
    /// Whether a skill must be read.
    public enum Enforcement: Sendable, Hashable {
        /// A skill that was not read is a mismatch.
        case required
        /// A skill that was not read is no mismatch: an agent can find the app's tools without it.
        case preferred
    }

    private let enforcement: Enforcement
    private let skills: [SkillDefinition]

    /// Creates an expectation about skills.
    public init(_ enforcement: Enforcement, @SkillExpectationBuilder _ content: () -> [SkillDefinition]) {
        self.enforcement = enforcement
        skills = content()
    }

    func mismatches(with turns: [SiriTranscript.Turn]) -> [String] {
        guard enforcement == .required else { return [] }
        let loaded = turns.flatMap { $0.loadedSkills.map(\.value) }
        return skills.filter { !loaded.contains($0) }.map { "the skill '\($0.skillName)' was not read" }
    }
}

/// An expectation about the text of an agent's reply. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's SiriResponse page.
public struct SiriResponse: Sendable, TurnExpectation {
    /// A check of a reply.
    public struct Text: Sendable {
        fileprivate let value: String
        fileprivate let isCaseSensitive: Bool

        /// Returns a check that the reply contains a text, which is no pattern.
        ///
        /// - Parameter caseSensitive: False to compare the lower-case forms.
        public static func contains(_ value: String, caseSensitive: Bool = true) -> Text {
            Text(value: value, isCaseSensitive: caseSensitive)
        }

        fileprivate func holds(for reply: String) -> Bool {
            let (reply, value) = isCaseSensitive ? (reply, value) : (reply.lowercased(), value.lowercased())
            return value.isEmpty || Substring(reply).contains(scalarsOf: value)
        }
    }

    private let checks: [Text]

    /// Creates an expectation that the reply meets each check.
    public init(_ checks: Text...) {
        self.checks = checks
    }

    func mismatches(with turns: [SiriTranscript.Turn]) -> [String] {
        let reply = turns.map(\.response.value).joined(separator: "\n")
        return checks.filter { !$0.holds(for: reply) }.map {
            "the reply does not contain '\($0.value)': \(reply.isEmpty ? "no reply was recorded" : reply)"
        }
    }
}

extension Substring {
    /// Returns true if the text contains the other one, compared by Unicode scalars.
    fileprivate func contains(scalarsOf other: String) -> Bool {
        let (text, part) = (Array(utf8), Array(other.utf8))
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}

/// Refused: a Linux app has no screen. Part of a beta of Apple's SDK 27.3.
@available(*, unavailable, message: "a Linux app has no screen; use Finds for the entities in an agent's answers")
public struct OnScreen: Sendable {}

/// Refused: no model takes part in a test. Part of a beta of Apple's SDK 27.3.
@available(
    *,
    unavailable,
    message: "no model takes part; record an agent's work, and compare it with SiriScenario.mismatches(with:)"
)
public enum SiriService {}
