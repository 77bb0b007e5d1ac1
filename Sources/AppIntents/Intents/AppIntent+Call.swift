extension AppIntent {
    /// Performs the intent in the current process and returns its value: `let soups = try await ListSoups()()`.
    ///
    /// - Parameter donateOnCompletion: Ignored on Linux.
    /// - Throws: The error of `perform()`, or an error when a parameter or a dependency is missing.
    ///
    /// Source: Apple's AppIntent.callAsFunction(donate:) page.
    @discardableResult
    public func callAsFunction(
        donate donateOnCompletion: Bool = true
    ) async throws -> PerformResult.Value where PerformResult: ReturnsValue {
        guard let value = try await performInProcess().value else {
            throw RunError("the intent '\(Self.persistentIdentifier)' returned no value")
        }
        return value
    }

    /// Performs the intent in the current process and discards its result.
    ///
    /// - Throws: The error of `perform()`, or an error when a parameter or a dependency is missing.
    // Disfavoured, while Apple's overload is constrained to `Value == Never`: a plain `some IntentResult` would match
    // neither of two constrained overloads.
    @_disfavoredOverload
    public func callAsFunction(donate donateOnCompletion: Bool = true) async throws {
        _ = try await performInProcess()
    }

    /// Calls `perform()` and returns its result. Calls it again each time it throws `restartPerform`.
    private func performInProcess() async throws -> PerformResult {
        try await prepare()
        while true {
            do {
                return try await perform()
            } catch let error as AppIntentError where error.requestsRestart {
                try Task.checkCancellation()
            }
        }
    }
}
