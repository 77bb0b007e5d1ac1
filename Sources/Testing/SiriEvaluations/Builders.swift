public import AppIntentsTesting

/// A result builder for the turns of a scenario.
///
/// Source: Apple's SiriScenarioBuilder page.
@resultBuilder
public enum SiriScenarioBuilder {
    /// Returns the turn of an expression.
    public static func buildExpression(_ turn: UserTurn) -> [UserTurn] { [turn] }

    /// Returns the turns of a block.
    public static func buildBlock(_ parts: [UserTurn]...) -> [UserTurn] { parts.flatMap { $0 } }

    /// Returns the turns of a loop.
    public static func buildArray(_ parts: [[UserTurn]]) -> [UserTurn] { parts.flatMap { $0 } }

    /// Returns the turns of the first branch.
    public static func buildEither(first part: [UserTurn]) -> [UserTurn] { part }

    /// Returns the turns of the second branch.
    public static func buildEither(second part: [UserTurn]) -> [UserTurn] { part }

    /// Returns the turns of a branch without another one.
    public static func buildOptional(_ part: [UserTurn]?) -> [UserTurn] { part ?? [] }
}

/// A result builder for the expectations about one turn.
///
/// Source: Apple's SiriTurnExpectationBuilder page.
@resultBuilder
public enum SiriTurnExpectationBuilder {
    /// What a block of expectations builds.
    public struct Component: Sendable {
        let expectations: [any TurnExpectation]
    }

    /// Returns an expectation about calls.
    public static func buildExpression(_ calls: Calls) -> Component { Component(expectations: [calls]) }

    /// Returns an expectation about entities.
    public static func buildExpression(_ entities: Finds) -> Component { Component(expectations: [entities]) }

    /// Returns an expectation about skills.
    public static func buildExpression(_ skills: Loads) -> Component { Component(expectations: [skills]) }

    /// Returns an expectation about the reply.
    public static func buildExpression(_ response: SiriResponse) -> Component { Component(expectations: [response]) }

    /// Returns the expectations of a block.
    public static func buildBlock(_ parts: Component...) -> Component { buildArray(parts) }

    /// Returns the expectations of a loop.
    public static func buildArray(_ parts: [Component]) -> Component {
        Component(expectations: parts.flatMap(\.expectations))
    }

    /// Returns the expectations of the first branch.
    public static func buildEither(first part: Component) -> Component { part }

    /// Returns the expectations of the second branch.
    public static func buildEither(second part: Component) -> Component { part }

    /// Returns the expectations of a branch without another one.
    public static func buildOptional(_ part: Component?) -> Component { part ?? Component(expectations: []) }
}

/// A result builder for the expectations about all turns of a scenario together. They cannot be about a reply, which belongs to
/// one turn.
///
/// Source: Apple's SiriScenarioExpectationBuilder page.
@resultBuilder
public enum SiriScenarioExpectationBuilder {
    /// What a block of expectations builds.
    public struct Component: Sendable {
        let expectations: [any TurnExpectation]
    }

    /// Returns an expectation about calls.
    public static func buildExpression(_ calls: Calls) -> Component { Component(expectations: [calls]) }

    /// Returns an expectation about entities.
    public static func buildExpression(_ entities: Finds) -> Component { Component(expectations: [entities]) }

    /// Returns an expectation about skills.
    public static func buildExpression(_ skills: Loads) -> Component { Component(expectations: [skills]) }

    /// Returns the expectations of a block.
    public static func buildBlock(_ parts: Component...) -> Component { buildArray(parts) }

    /// Returns the expectations of a loop.
    public static func buildArray(_ parts: [Component]) -> Component {
        Component(expectations: parts.flatMap(\.expectations))
    }

    /// Returns the expectations of the first branch.
    public static func buildEither(first part: Component) -> Component { part }

    /// Returns the expectations of the second branch.
    public static func buildEither(second part: Component) -> Component { part }

    /// Returns the expectations of a branch without another one.
    public static func buildOptional(_ part: Component?) -> Component { part ?? Component(expectations: []) }
}

/// A result builder for expectations about intents.
///
/// Source: Apple's IntentExpectationBuilder page.
@resultBuilder
public enum IntentExpectationBuilder {
    /// Returns the expectations of a block.
    public static func buildBlock(
        _ expectations: any AppIntentExpectationProviding...
    ) -> [any AppIntentExpectationProviding] {
        expectations
    }
}

/// A result builder for expectations about entities.
///
/// Source: Apple's EntityFindExpectationBuilder page.
@resultBuilder
public enum EntityFindExpectationBuilder {
    /// Returns the expectation of an expression.
    public static func buildExpression(
        _ expectation: any AppEntityExpectationProviding
    ) -> [any AppEntityExpectationProviding] {
        [expectation]
    }

    /// Returns the expectations of a block.
    public static func buildBlock(
        _ parts: [any AppEntityExpectationProviding]...
    ) -> [any AppEntityExpectationProviding] {
        parts.flatMap { $0 }
    }

    /// Returns the expectations of a loop.
    public static func buildArray(
        _ parts: [[any AppEntityExpectationProviding]]
    ) -> [any AppEntityExpectationProviding] {
        parts.flatMap { $0 }
    }
}

/// A result builder for the names of skills.
///
/// Source: Apple's SkillExpectationBuilder page.
@resultBuilder
public enum SkillExpectationBuilder {
    /// Returns the skill of an expression.
    public static func buildExpression(_ skill: SkillDefinition) -> [SkillDefinition] { [skill] }

    /// Returns the skills of a block.
    public static func buildBlock(_ parts: [SkillDefinition]...) -> [SkillDefinition] { parts.flatMap { $0 } }

    /// Returns the skills of a loop.
    public static func buildArray(_ parts: [[SkillDefinition]]) -> [SkillDefinition] { parts.flatMap { $0 } }
}
