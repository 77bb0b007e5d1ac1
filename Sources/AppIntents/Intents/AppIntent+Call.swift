extension AppIntent {
    /// Performs the intent as a step of other work, in the same process: `let soups = try await ListSoups()()`.
    ///
    /// - Parameter donateOnCompletion: Without meaning on Linux.
    /// - Throws: What `perform()` throws, or an error when a parameter or a dependency is missing.
    ///
    /// Source: Apple's AppIntent.callAsFunction(donate:) page.
    @discardableResult
    public func callAsFunction(
        donate donateOnCompletion: Bool = true
    ) async throws -> PerformResult.Value where PerformResult: ReturnsValue {
        guard let value = try await performedHere().value else {
            throw RunError("the intent '\(Self.persistentIdentifier)' returned no value")
        }
        return value
    }

    /// The same for an intent without a value.
    ///
    /// - Throws: What `perform()` throws, or an error when a parameter or a dependency is missing.
    // Disfavoured, and without Apple's `Value == Never`: of a plain `some IntentResult` Swift knows neither.
    @_disfavoredOverload
    public func callAsFunction(donate donateOnCompletion: Bool = true) async throws {
        _ = try await performedHere()
    }

    /// What comes of `perform()`, which begins again when it asks to.
    private func performedHere() async throws -> PerformResult {
        try await prepare()
        while true {
            do {
                return try await perform()
            } catch let error as AppIntentError where error.asksForRestart {
                try Task.checkCancellation()
            }
        }
    }
}
