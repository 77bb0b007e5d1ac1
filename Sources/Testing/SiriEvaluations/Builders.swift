public import AppIntentsTesting

/// A result builder for the turns of a scenario.
///
/// Source: Apple's SiriScenarioBuilder page.
@resultBuilder
public enum SiriScenarioBuilder {
    /// Returns the turns of a block.
    public static func buildBlock(_ turns: UserTurn...) -> [UserTurn] { turns }
}

/// A result builder for expectations about calls.
///
/// Source: Apple's SiriScenarioExpectationBuilder page.
@resultBuilder
public enum SiriScenarioExpectationBuilder {
    /// Returns the expectations of a block.
    public static func buildBlock(_ expectations: Calls...) -> [Calls] { expectations }
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
