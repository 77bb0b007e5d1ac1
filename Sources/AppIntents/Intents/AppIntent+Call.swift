extension AppIntent {
    /// Performs the intent in the same process, as a step of other work: `let soups = try await ListSoups()()`.
    ///
    /// - Parameter donateOnCompletion: Ignored on Linux.
    /// - Throws: The error of `perform()`, or an error when a parameter or a dependency is missing.
    ///
    /// Source: Apple's AppIntent.callAsFunction(donate:) page.
    @discardableResult
    public func callAsFunction(
        donate donateOnCompletion: Bool = true
    ) async throws -> PerformResult.Value where PerformResult: ReturnsValue {
        guard let value = try await performedHere().value else {
            throw RunError("cannot return a value: the intent '\(Self.persistentIdentifier)' returned none")
        }
        return value
    }

    /// Performs an intent without a value in the same process, as a step of other work.
    ///
    /// - Throws: The error of `perform()`, or an error when a parameter or a dependency is missing.
    // Disfavoured, and without Apple's `Value == Never`: for a plain `some IntentResult`, Swift could choose neither
    // overload.
    @_disfavoredOverload
    public func callAsFunction(donate donateOnCompletion: Bool = true) async throws {
        _ = try await performedHere()
    }

    /// The result of `perform()`, which is called again when it throws a request to restart.
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
